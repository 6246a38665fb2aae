#include <pthread.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "listener.h"
#include "place.h"
#include "support/wait.h"

static struct prb_test_place place;
static struct prb_error err;
static struct prb_test_listener listener;
static struct prb_watch *watch;
static const struct prb_gvr configmaps = { .version = "v1", .resource = "configmaps" };

void setUp(void)
{
    err = (struct prb_error){ .code = PRB_OK };
    prb_test_listener_init(&listener);
    watch = NULL;
}

void tearDown(void)
{
    prb_api_watch_stop(place.api, watch);
    prb_test_listener_done(&listener);
}

#define ASSERT_DONE(call) TEST_ASSERT_EQUAL_MESSAGE(PRB_OK, (call), err.msg)

static int list(const struct prb_list_options *options, struct prb_page *ret)
{
    return prb_api_list(place.api, &configmaps, options, ret, &err);
}

static int start(const struct prb_watch_options *options)
{
    const struct prb_watch_sink sink = prb_test_listener_sink(&listener);

    return prb_api_watch(place.api, &configmaps, options, &sink, &watch, &err);
}

/* More than the server sends uncompressed in one answer, when compression is asked for. */
static int add_large(const char *name)
{
    static char value[100 * 1024 + 1];

    memset(value, 'x', sizeof(value) - 1);
    return prb_test_place_add(&place, name, value, "{'set':'paged'}", NULL, &err);
}

static void test_a_list_comes_in_pages(void)
{
    struct prb_list_options options = {
        .namespace = place.namespace,
        .label_selector = "set=paged",
        .limit = 2,
    };
    prb_auto(prb_page_done) struct prb_page first, second, third;

    prb_page_init(&first);
    prb_page_init(&second);
    prb_page_init(&third);
    ASSERT_DONE(add_large("page-a"));
    ASSERT_DONE(add_large("page-b"));
    ASSERT_DONE(add_large("page-c"));
    ASSERT_DONE(list(&options, &first));
    TEST_ASSERT_EQUAL(2, first.count);
    TEST_ASSERT_NOT_NULL(first.next);
    TEST_ASSERT_EQUAL_STRING("page-a", prb_object_name(first.objects[0]));
    TEST_ASSERT_EQUAL_STRING("ConfigMap", prb_object_kind(first.objects[0]));
    TEST_ASSERT_NULL(prb_json_at(prb_object_tree(first.objects[0]), "metadata", "managedFields"));

    options.next = first.next;
    ASSERT_DONE(list(&options, &second));
    TEST_ASSERT_EQUAL(1, second.count);
    TEST_ASSERT_NULL(second.next);
    TEST_ASSERT_EQUAL_STRING("page-c", prb_object_name(second.objects[0]));
    TEST_ASSERT_EQUAL_STRING(first.resource_version, second.resource_version);

    options.next = NULL;
    ASSERT_DONE(prb_api_list_all(place.api, &configmaps, &options, 100, &third, &err));
    TEST_ASSERT_EQUAL(3, third.count);
}

static void test_a_continue_token_that_is_none_is_refused(void)
{
    const struct prb_list_options options = { .namespace = place.namespace, .next = "%%%" };
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, list(&options, &page), err.msg);
}

static void test_only_metadata_is_listed_when_asked(void)
{
    const struct prb_list_options options = {
        .namespace = place.namespace,
        .field_selector = "metadata.name=lean",
        .metadata_only = true,
    };
    const struct prb_list_options whole = {
        .namespace = place.namespace,
        .field_selector = "metadata.name=lean",
        .metadata_only = true,
        .keep_managed_fields = true,
    };
    prb_auto(prb_page_done) struct prb_page page, kept;

    prb_page_init(&page);
    prb_page_init(&kept);
    ASSERT_DONE(prb_test_place_add(&place, "lean", "1", NULL, NULL, &err));
    ASSERT_DONE(list(&options, &page));
    TEST_ASSERT_EQUAL(1, page.count);
    TEST_ASSERT_EQUAL_STRING("lean", prb_object_name(page.objects[0]));
    TEST_ASSERT_FALSE(prb_json_has(prb_object_tree(page.objects[0]), "data"));
    TEST_ASSERT_NULL(prb_json_at(prb_object_tree(page.objects[0]), "metadata", "managedFields"));
    ASSERT_DONE(list(&whole, &kept));
    TEST_ASSERT_EQUAL(1, kept.count);
    TEST_ASSERT_NOT_NULL(
            prb_json_at(prb_object_tree(kept.objects[0]), "metadata", "managedFields"));
}

static void test_a_bad_selector_is_refused(void)
{
    const struct prb_list_options options = { .label_selector = "a in (" };
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, list(&options, &page), err.msg);
}

static void test_a_watch_from_a_list_tells_what_comes_after_it(void)
{
    const struct prb_list_options listing = {
        .namespace = place.namespace,
        .label_selector = "set=after",
    };
    struct prb_watch_options options = {
        .namespace = place.namespace,
        .label_selector = "set=after",
        .metadata_only = true,
    };
    struct prb_ref ref = prb_test_place_ref(&place, "after");
    prb_auto(prb_page_done) struct prb_page page;
    prb_auto(prb_object_unref) struct prb_object *made = NULL;
    struct prb_delete_options deleting = { .uid = NULL };

    prb_page_init(&page);
    ASSERT_DONE(prb_test_place_add(&place, "before", "1", "{'set':'after'}", NULL, &err));
    ASSERT_DONE(list(&listing, &page));
    TEST_ASSERT_EQUAL(1, page.count);
    options.resource_version = page.resource_version;
    ASSERT_DONE(start(&options));
    ASSERT_DONE(prb_test_place_add(&place, "after", "1", "{'set':'after'}", &made, &err));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "ADDED after "));
    deleting.uid = prb_object_uid(made);
    ASSERT_DONE(prb_api_delete(place.api, &ref, &deleting, &err));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "DELETED after "));
    TEST_ASSERT_NULL(strstr(prb_str_get(&listener.events), "before"));
}

static void test_a_watch_resumes_after_the_last_event(void)
{
    struct prb_watch_options options = {
        .namespace = place.namespace,
        .label_selector = "set=resumed",
    };

    ASSERT_DONE(start(&options));
    ASSERT_DONE(prb_test_place_add(&place, "r1", "1", "{'set':'resumed'}", NULL, &err));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "ADDED r1 "));
    prb_api_watch_stop(place.api, prb_take(watch));
    TEST_ASSERT_EQUAL(0, listener.closed);

    ASSERT_DONE(prb_test_place_add(&place, "r2", "1", "{'set':'resumed'}", NULL, &err));
    prb_str_clear(&listener.events);
    options.resource_version = listener.version;
    ASSERT_DONE(start(&options));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "ADDED r2 "));
    TEST_ASSERT_NULL(strstr(prb_str_get(&listener.events), "r1"));
}

static void test_a_watch_on_what_is_not_served_is_not_found(void)
{
    const struct prb_gvr bogus = { .version = "v1", .resource = "configmapz" };
    const struct prb_watch_sink sink = prb_test_listener_sink(&listener);

    ASSERT_DONE(prb_api_watch(place.api, &bogus, NULL, &sink, &watch, &err));
    TEST_ASSERT_CAME(prb_test_listener_wait_closed(&listener));
    TEST_ASSERT_EQUAL_MESSAGE(PRB_E_NOTFOUND, listener.why.code, listener.why.msg);
}

static void *stop_thread(void *ctx)
{
    prb_api_watch_stop(place.api, ctx);
    return NULL;
}

static void test_watches_are_stopped_from_other_threads_while_events_come(void)
{
    enum { WATCHES = 8 };
    const struct prb_watch_options options = { .namespace = place.namespace };
    const struct prb_watch_sink sink = prb_test_listener_sink(&listener);
    struct prb_watch *watches[WATCHES];
    pthread_t threads[WATCHES];

    for (int i = 0; i < WATCHES; i++)
        ASSERT_DONE(prb_api_watch(place.api, &configmaps, &options, &sink, &watches[i], &err));
    ASSERT_DONE(prb_test_place_add(&place, "busy", "1", NULL, NULL, &err));
    TEST_ASSERT_CAME(prb_test_listener_wait(&listener, "ADDED busy "));
    for (int i = 0; i < WATCHES; i++)
        TEST_ASSERT_EQUAL(0, pthread_create(&threads[i], NULL, stop_thread, watches[i]));
    for (int i = 0; i < WATCHES; i++)
        (void)pthread_join(threads[i], NULL);
    TEST_ASSERT_EQUAL(0, listener.closed);
}

int main(void)
{
    int failed;

    if (!prb_test_place_open(&place))
        return 1;
    UNITY_BEGIN();
    RUN_TEST(test_a_list_comes_in_pages);
    RUN_TEST(test_a_continue_token_that_is_none_is_refused);
    RUN_TEST(test_only_metadata_is_listed_when_asked);
    RUN_TEST(test_a_bad_selector_is_refused);
    RUN_TEST(test_a_watch_from_a_list_tells_what_comes_after_it);
    RUN_TEST(test_a_watch_resumes_after_the_last_event);
    RUN_TEST(test_a_watch_on_what_is_not_served_is_not_found);
    RUN_TEST(test_watches_are_stopped_from_other_threads_while_events_come);
    failed = UNITY_END();
    prb_test_place_close(&place);
    return failed;
}

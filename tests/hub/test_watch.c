/* What is a watch told, from where on, and when does it end? */

#include <stdatomic.h>
#include <string.h>

#include "probate/base/mem.h"

#include "support/wait.h"
#include "support/watch_log.h"
#include "world.h"

#define MAPS "configmaps"

static struct prb_watch_log *told;

void setUp(void)
{
    world_init(&(struct prb_hub_options){ .log_max = 20, .bookmark_ms = 50 });
    told = NULL;
}

void tearDown(void)
{
    prb_watch_log_stop(told);
    world_done();
}

static int map(const char *name, const char *label)
{
    return create(
            MAPS, "{'metadata':{'namespace':'ns','name':'%s','labels':{'l':'%s'}}}", name, label);
}

static int start(const char *resource, const struct prb_watch_options *options)
{
    struct prb_gvr gvr = gvr_of(resource);

    return prb_watch_log_start(w.api, &gvr, options, &told, &w.err);
}

/* "+a *a -a": the events so far, with their type and name. */
static const char *events(void)
{
    static const char signs[] = {
        [PRB_WATCH_ADDED] = '+', [PRB_WATCH_MODIFIED] = '*', [PRB_WATCH_DELETED] = '-'
    };
    static char text[4096];
    size_t len = 0;

    text[0] = '\0';
    for (size_t i = 0; i < prb_watch_log_count(told); i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(told, i);

        len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%c%s", i ? " " : "",
                signs[event->type], prb_object_name(event->object));
    }
    return text;
}

static char *version_now(void)
{
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_gvr gvr = gvr_of(MAPS);

    prb_page_init(&page);
    (void)prb_api_list(w.api, &gvr, NULL, &page, &w.err);
    return prb_take(page.resource_version);
}

static void test_a_watch_begins_with_what_is_there(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("b", "1"));
    TEST_ASSERT_EQUAL_INT(0, map("a", "1"));
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, NULL));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/b"));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'s'}}"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 4, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_CAME(prb_watch_log_wait_bookmark(told, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING("+a +b *a -b", events());
}

static void test_a_watch_resumes_after_a_version(void)
{
    prb_autofree char *version = NULL;

    TEST_ASSERT_EQUAL_INT(0, map("a", "1"));
    version = version_now();
    TEST_ASSERT_EQUAL_INT(0, map("b", "1"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(
            0, start(MAPS, &(struct prb_watch_options){ .resource_version = version }));
    TEST_ASSERT_EQUAL_INT(0, map("c", "1"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 3, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING("+b -a +c", events());
}

static void test_versions_of_events_rise_and_are_those_of_the_objects(void)
{
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, NULL));
    TEST_ASSERT_EQUAL_INT(0, map("a", "1"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/a"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 3, PRB_TEST_PROMPT_MS));
    for (size_t i = 0; i < 3; i++) {
        const struct prb_watch_log_event *event = prb_watch_log_at(told, i);

        TEST_ASSERT_EQUAL_STRING(
                prb_object_resource_version(event->object), event->resource_version);
        if (i > 0)
            TEST_ASSERT_GREATER_THAN_INT64(
                    strtoll(prb_watch_log_at(told, i - 1)->resource_version, NULL, 10),
                    strtoll(event->resource_version, NULL, 10));
    }
}

static void test_a_deleted_object_is_shown_as_it_was_last(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, NULL));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_CAME(prb_watch_log_wait_for(told, PRB_WATCH_DELETED, "a", PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING(
            "[\"x.io/f\"]", at(prb_watch_log_at(told, 1)->object, "/metadata/finalizers"));
}

static void test_what_begins_to_match_is_added_and_what_ends_to_is_deleted(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a", "no"));
    TEST_ASSERT_EQUAL_INT(0, map("b", "yes"));
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, &(struct prb_watch_options){ .label_selector = "l=yes" }));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'metadata':{'labels':{'l':'yes'}}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/a", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/b", "", "{'metadata':{'labels':{'l':'no'}}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/b", "", "{'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/b"));
    TEST_ASSERT_EQUAL_INT(0, erase(MAPS, "ns/a"));
    TEST_ASSERT_CAME(prb_watch_log_wait_for(told, PRB_WATCH_DELETED, "a", PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING("+b +a *a -b -a", events());
    /* what ended to match is shown as it was while it did, under the version of the change */
    TEST_ASSERT_EQUAL_STRING(
            "\"yes\"", at(prb_watch_log_at(told, 3)->object, "/metadata/labels/l"));
}

static void test_a_watch_is_about_one_namespace_or_name(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'other'}}"));
    TEST_ASSERT_EQUAL_INT(0, create(MAPS, "{'metadata':{'namespace':'other','name':'x'}}"));
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, &(struct prb_watch_options){ .namespace = "ns",
                                                 .field_selector = "metadata.name!=b" }));
    TEST_ASSERT_EQUAL_INT(0, create(MAPS, "{'metadata':{'namespace':'other','name':'y'}}"));
    TEST_ASSERT_EQUAL_INT(0, map("b", "1"));
    TEST_ASSERT_EQUAL_INT(0, map("c", "1"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 1, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING("+c", events());
}

static void test_metadata_only_watches_leave_the_body_out(void)
{
    TEST_ASSERT_EQUAL_INT(0, start(MAPS, &(struct prb_watch_options){ .metadata_only = true }));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'ns','name':'a'},'data':{'k':'v'}}"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 1, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING(
            "\"PartialObjectMetadata\"", at(prb_watch_log_at(told, 0)->object, "/kind"));
    TEST_ASSERT_EQUAL_STRING("-", at(prb_watch_log_at(told, 0)->object, "/data"));
}

static void test_a_version_that_is_too_old_is_gone(void)
{
    prb_autofree char *version = version_now();
    struct prb_error why;

    for (int i = 0; i < 20; i++)
        TEST_ASSERT_EQUAL_INT(
                0, create("secrets", "{'metadata':{'namespace':'ns','name':'s%d'}}", i));
    TEST_ASSERT_EQUAL_INT(
            0, start(MAPS, &(struct prb_watch_options){ .resource_version = version }));
    TEST_ASSERT_CAME(prb_watch_log_wait_bookmark(told, PRB_TEST_PROMPT_MS)); /* it goes on */
    prb_watch_log_stop(prb_take(told));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'last'}}"));
    TEST_ASSERT_EQUAL_INT(
            0, start(MAPS, &(struct prb_watch_options){ .resource_version = version }));
    TEST_ASSERT_CAME(prb_watch_log_wait_closed(told, PRB_TEST_PROMPT_MS, &why));
    TEST_ASSERT_EQUAL_INT(PRB_E_GONE, why.code);
    TEST_ASSERT_EQUAL_INT(410, why.status);
    TEST_ASSERT_EQUAL_STRING("", events());
}

static void test_a_version_that_is_none_is_refused(void)
{
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, start(MAPS, &(struct prb_watch_options){ .resource_version = "abc" }));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, start(MAPS, &(struct prb_watch_options){ .label_selector = "a b" }));
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, start("widgets.example.io", NULL));
    TEST_ASSERT_NULL(told);
}

static void test_a_version_of_the_future_waits_for_it(void)
{
    prb_autofree char *version = version_now();
    prb_autofree char *future = prb_asprintf("%lld", strtoll(version, NULL, 10) + 2);

    TEST_ASSERT_EQUAL_INT(
            0, start(MAPS, &(struct prb_watch_options){ .resource_version = future }));
    TEST_ASSERT_EQUAL_INT(0, map("a", "1"));
    TEST_ASSERT_EQUAL_INT(0, map("b", "1"));
    TEST_ASSERT_EQUAL_INT(0, map("c", "1"));
    TEST_ASSERT_CAME(prb_watch_log_wait(told, 1, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING("+c", events());
}

static bool is_told_version(void *ctx)
{
    prb_autofree char *version = prb_watch_log_version(told);

    return (version && strcmp(version, ctx) == 0) ||
           prb_test_saw("%s instead of %s", version ? version : "none", (const char *)ctx);
}

/* The first may come before the Secret does. */
static void test_bookmarks_carry_the_version_to_resume_from(void)
{
    prb_autofree char *version = NULL;

    TEST_ASSERT_EQUAL_INT(0, start(MAPS, NULL));
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'s'}}"));
    version = version_now();
    TEST_ASSERT_CAME(prb_test_await(
            "a bookmark tells the version of now", is_told_version, version, PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", events(), "only a bookmark can have said so");
}

static void test_interrupting_ends_watches_and_calls(void)
{
    struct prb_error why;

    TEST_ASSERT_EQUAL_INT(0, start(MAPS, NULL));
    prb_api_interrupt(w.api);
    TEST_ASSERT_CAME(prb_watch_log_wait_closed(told, PRB_TEST_PROMPT_MS, &why));
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, why.code);
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, map("a", "1"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, w.err.code);
}

/* A listener that takes its time, so that the log moves on without it. */
struct slow {
    atomic_int heard;
    atomic_bool go_on;
};

static bool may_go_on(void *ctx)
{
    return atomic_load(&((struct slow *)ctx)->go_on);
}

static void hear_slowly(void *ctx, const struct prb_watch_event *event)
{
    struct slow *slow = ctx;

    if (event->type == PRB_WATCH_BOOKMARK)
        return;
    atomic_fetch_add(&slow->heard, 1);
    (void)prb_test_await("the test lets the listener go on", may_go_on, slow, PRB_TEST_PROMPT_MS);
}

static void hear_end(void *ctx, const struct prb_error *why)
{
    (void)why;
    atomic_store(&((struct slow *)ctx)->heard, -1);
}

static bool has_heard_all(void *ctx)
{
    int heard = atomic_load(&((struct slow *)ctx)->heard);

    return heard == 100 || prb_test_saw("%d", heard);
}

static void test_a_slow_watch_misses_nothing_although_the_log_is_short(void)
{
    struct slow slow = { .heard = 0 };
    struct prb_watch_sink sink = { .event = hear_slowly, .closed = hear_end, .ctx = &slow };
    struct prb_gvr gvr = gvr_of(MAPS);
    struct prb_watch *watch = NULL;

    TEST_ASSERT_EQUAL_INT(
            0, prb_api_watch(w.api, &gvr, &(struct prb_watch_options){ .namespace = NULL }, &sink,
                       &watch, &w.err));
    for (int i = 0; i < 100; i++)
        TEST_ASSERT_EQUAL_INT(0, create(MAPS, "{'metadata':{'namespace':'ns','name':'m%d'}}", i));
    atomic_store(&slow.go_on, true);
    TEST_ASSERT_CAME(prb_test_await(
            "the listener has heard of all 100", has_heard_all, &slow, PRB_TEST_PROMPT_MS));
    prb_api_watch_stop(w.api, watch);
}

static void test_after_stop_nothing_is_told(void)
{
    struct slow slow = { .heard = 0 };
    struct prb_watch_sink sink = { .event = hear_slowly, .closed = hear_end, .ctx = &slow };
    struct prb_gvr gvr = gvr_of(MAPS);

    atomic_store(&slow.go_on, true);
    for (int i = 0; i < 50; i++) {
        struct prb_watch *watch = NULL;
        int heard;

        TEST_ASSERT_EQUAL_INT(0, prb_api_watch(w.api, &gvr, NULL, &sink, &watch, &w.err));
        TEST_ASSERT_EQUAL_INT(0, create(MAPS, "{'metadata':{'namespace':'ns','name':'m%d'}}", i));
        prb_api_watch_stop(w.api, watch);
        heard = atomic_load(&slow.heard);
        TEST_ASSERT_EQUAL_INT(0, create(MAPS, "{'metadata':{'namespace':'ns','name':'n%d'}}", i));
        TEST_ASSERT_EQUAL_INT(heard, atomic_load(&slow.heard));
    }
}

/* A listener that is within its callback when the watch is stopped. */
struct held {
    atomic_bool entered, stopping, left;
};

static bool has_entered(void *ctx)
{
    return atomic_load(&((struct held *)ctx)->entered);
}

static bool is_stopping(void *ctx)
{
    return atomic_load(&((struct held *)ctx)->stopping);
}

static void hear_and_hold(void *ctx, const struct prb_watch_event *event)
{
    struct held *held = ctx;

    (void)event;
    atomic_store(&held->entered, true);
    (void)prb_test_await("the test stops the watch", is_stopping, held, PRB_TEST_PROMPT_MS);
    prb_test_pause(); /* a stop that does not wait has returned by then */
    atomic_store(&held->left, true);
}

static void test_stop_waits_for_the_callback_that_runs(void)
{
    struct held held = { .entered = false };
    struct prb_watch_sink sink = { .event = hear_and_hold, .closed = hear_end, .ctx = &held };
    struct prb_gvr gvr = gvr_of(MAPS);
    struct prb_watch *watch = NULL;

    TEST_ASSERT_EQUAL_INT(0, map("a", "1"));
    TEST_ASSERT_EQUAL_INT(0, prb_api_watch(w.api, &gvr, NULL, &sink, &watch, &w.err));
    TEST_ASSERT_CAME(
            prb_test_await("the listener is called", has_entered, &held, PRB_TEST_PROMPT_MS));
    atomic_store(&held.stopping, true);
    prb_api_watch_stop(w.api, watch);
    TEST_ASSERT_TRUE(atomic_load(&held.left));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_watch_begins_with_what_is_there);
    RUN_TEST(test_a_watch_resumes_after_a_version);
    RUN_TEST(test_versions_of_events_rise_and_are_those_of_the_objects);
    RUN_TEST(test_a_deleted_object_is_shown_as_it_was_last);
    RUN_TEST(test_what_begins_to_match_is_added_and_what_ends_to_is_deleted);
    RUN_TEST(test_a_watch_is_about_one_namespace_or_name);
    RUN_TEST(test_metadata_only_watches_leave_the_body_out);
    RUN_TEST(test_a_version_that_is_too_old_is_gone);
    RUN_TEST(test_a_version_that_is_none_is_refused);
    RUN_TEST(test_a_version_of_the_future_waits_for_it);
    RUN_TEST(test_bookmarks_carry_the_version_to_resume_from);
    RUN_TEST(test_interrupting_ends_watches_and_calls);
    RUN_TEST(test_a_slow_watch_misses_nothing_although_the_log_is_short);
    RUN_TEST(test_after_stop_nothing_is_told);
    RUN_TEST(test_stop_waits_for_the_callback_that_runs);
    return UNITY_END();
}

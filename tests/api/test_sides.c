/* Two API servers behind one port: who is asked, under which name, and what is out of sight? */

#include <string.h>
#include <unity.h>

#include "probate/api/sides.h"
#include "probate/base/mem.h"
#include "probate/hub/hub.h"
#include "probate/model/side.h"

#include "support/api_objects.h"
#include "support/json_text.h"
#include "support/wait.h"
#include "support/watch_log.h"

#define OURS "c1"
#define THEIRS "c2"
#define MAPS_ON_HUB "configmaps.v1." PRB_HUB_GROUP

static struct prb_hub *own, *hub;
static struct prb_api *sides;
static struct prb_error err;

static void make_namespaces(struct prb_hub *where)
{
    (void)prb_test_namespace_create(prb_hub_api(where), OURS, &err);
    (void)prb_test_namespace_create(prb_hub_api(where), THEIRS, &err);
}

void setUp(void)
{
    own = prb_hub_new(NULL);
    hub = prb_hub_new(NULL);
    make_namespaces(own);
    make_namespaces(hub);
    sides = prb_sides_open(&(struct prb_sides_options){
            .own = prb_hub_api(own), .hub = prb_hub_api(hub), .hub_namespace = OURS });
    err = (struct prb_error){ 0 };
}

void tearDown(void)
{
    prb_api_close(sides);
    prb_hub_free(own);
    prb_hub_free(hub);
}

static struct prb_gvr gvr_of(const char *text)
{
    struct prb_gvr gvr = { .group = "" };

    (void)prb_gvr_parse(text, &gvr);
    return gvr;
}

static struct prb_ref ref_of(const char *gvr_text, const char *namespace, const char *name)
{
    struct prb_gvr gvr = gvr_of(gvr_text);
    struct prb_ref ref = { .name = "" };

    (void)prb_ref_init(&ref, &gvr, namespace, name);
    return ref;
}

static int put(struct prb_api *api, const struct prb_ref *ref)
{
    prb_auto(prb_json_free) struct json_object *body =
            prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'%s',"
                          "'name':'%s'}}",
                    ref->namespace, ref->name);

    return prb_api_create(api, ref, body, NULL, NULL, &err);
}

/* The object as one of the two servers has it, past the port; NULL: it has none. */
static struct prb_object *look(struct prb_hub *where, const char *namespace, const char *name)
{
    struct prb_ref ref = prb_test_configmap(namespace, name);
    struct prb_object *object = NULL;
    struct prb_error ignored;

    (void)prb_api_get(prb_hub_api(where), &ref, NULL, &object, &ignored);
    return object;
}

static bool has(struct prb_hub *where, const char *namespace, const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = look(where, namespace, name);

    return object != NULL;
}

static const char *name_of(const struct prb_object *object)
{
    return object ? prb_object_name(object) : "none";
}

static void test_each_write_goes_to_its_side_only(void)
{
    struct prb_ref there = ref_of(MAPS_ON_HUB, OURS, "a");
    struct prb_ref here = ref_of("configmaps.v1", OURS, "b");
    prb_auto(prb_object_unref) struct prb_object *got = NULL;

    TEST_ASSERT_EQUAL_INT(0, put(sides, &there));
    TEST_ASSERT_EQUAL_INT(0, put(sides, &here));
    TEST_ASSERT_TRUE(has(hub, OURS, "a"));
    TEST_ASSERT_FALSE(has(own, OURS, "a"));
    TEST_ASSERT_TRUE(has(own, OURS, "b"));
    TEST_ASSERT_FALSE(has(hub, OURS, "b"));

    TEST_ASSERT_EQUAL_INT(0, prb_api_get(sides, &there, NULL, &got, &err));
    TEST_ASSERT_EQUAL_STRING("a", name_of(got));
}

static void test_update_patch_and_delete_reach_the_hub(void)
{
    struct prb_ref ref = ref_of(MAPS_ON_HUB, OURS, "a");
    prb_auto(prb_json_free) struct json_object *patch = prb_test_json("{'data':{'k':'v'}}");
    prb_auto(prb_json_free) struct json_object *body = NULL;
    prb_auto(prb_object_unref) struct prb_object *patched = NULL;
    prb_auto(prb_object_unref) struct prb_object *updated = NULL;
    struct prb_delete_options options = { .uid = "none" };

    TEST_ASSERT_EQUAL_INT(0, put(sides, &ref));
    TEST_ASSERT_EQUAL_INT(
            0, prb_api_patch(sides, &ref, PRB_PATCH_MERGE, patch, NULL, &patched, &err));
    TEST_ASSERT_NOT_NULL(patched);
    if (!patched)
        return;
    body = prb_test_json("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'namespace':'%s',"
                         "'name':'a','resourceVersion':'%s'},'data':{'k':'w'}}",
            OURS, prb_object_resource_version(patched));
    TEST_ASSERT_EQUAL_INT(0, prb_api_update(sides, &ref, body, NULL, &updated, &err));
    TEST_ASSERT_NOT_NULL(updated);
    if (!updated)
        return;

    options.uid = prb_object_uid(updated);
    TEST_ASSERT_EQUAL_INT(0, prb_api_delete(sides, &ref, &options, &err));
    TEST_ASSERT_FALSE(has(hub, OURS, "a"));
}

static void test_only_our_namespace_of_the_hub_is_seen(void)
{
    struct prb_ref mine = prb_test_configmap(OURS, "mine");
    struct prb_ref other = prb_test_configmap(THEIRS, "other");
    struct prb_gvr gvr = gvr_of(MAPS_ON_HUB);
    struct prb_list_options elsewhere = { .namespace = THEIRS };
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &mine));
    TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &other));
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(sides, &gvr, NULL, &page, &err));
    TEST_ASSERT_EQUAL_size_t(1, page.count);
    TEST_ASSERT_EQUAL_STRING("mine", page.count > 0 ? name_of(page.objects[0]) : "none");
    prb_page_done(&page);

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_list(sides, &gvr, &elsewhere, &page, &err));
    TEST_ASSERT_EQUAL_STRING(
            "configmaps in c2 on the hub: only the namespace c1 is seen there", err.msg);
}

static void test_all_namespaces_of_the_cluster_are_seen(void)
{
    struct prb_ref mine = prb_test_configmap(OURS, "mine");
    struct prb_ref other = prb_test_configmap(THEIRS, "other");
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, put(sides, &mine));
    TEST_ASSERT_EQUAL_INT(0, put(sides, &other));
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(sides, &mine.gvr, NULL, &page, &err));
    TEST_ASSERT_EQUAL_size_t(2, page.count);
}

static void test_pages_of_the_hub_go_on_where_they_ended(void)
{
    struct prb_gvr gvr = gvr_of(MAPS_ON_HUB);
    struct prb_list_options options = { .limit = 2 };
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    for (int i = 0; i < 5; i++) {
        char name[] = { (char)('a' + i), '\0' };
        struct prb_ref ref = prb_test_configmap(OURS, name);

        TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &ref));
    }
    TEST_ASSERT_EQUAL_INT(0, prb_api_list_all(sides, &gvr, &options, 100, &page, &err));
    TEST_ASSERT_EQUAL_size_t(5, page.count);
    TEST_ASSERT_NOT_NULL(page.resource_version);
}

static void test_a_collection_of_the_hub_without_namespaces_is_listed_whole(void)
{
    struct prb_gvr gvr = gvr_of("namespaces.v1." PRB_HUB_GROUP);
    prb_auto(prb_page_done) struct prb_page page;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(sides, &gvr, NULL, &page, &err));
    TEST_ASSERT_GREATER_OR_EQUAL_size_t(2, page.count);
}

static void test_a_ref_in_another_namespace_of_the_hub_is_refused(void)
{
    struct prb_ref ref = ref_of(MAPS_ON_HUB, THEIRS, "x");
    struct prb_delete_options options = { .uid = "u" };
    prb_auto(prb_json_free) struct json_object *patch = prb_test_json("{'data':{'k':'v'}}");
    struct prb_object *got = NULL;

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, put(sides, &ref));
    TEST_ASSERT_EQUAL_STRING(
            "configmaps c2/x on the hub: only the namespace c1 is seen there", err.msg);
    TEST_ASSERT_FALSE(has(hub, THEIRS, "x"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_get(sides, &ref, NULL, &got, &err));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_api_patch(sides, &ref, PRB_PATCH_MERGE, patch, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_update(sides, &ref, patch, NULL, NULL, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_delete(sides, &ref, &options, &err));
}

static void test_a_watch_of_the_hub_tells_of_our_namespace_only(void)
{
    struct prb_ref mine = prb_test_configmap(OURS, "mine");
    struct prb_ref other = prb_test_configmap(THEIRS, "other");
    struct prb_ref here = prb_test_configmap(OURS, "here");
    struct prb_gvr gvr = gvr_of(MAPS_ON_HUB);
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;

    TEST_ASSERT_EQUAL_INT(0, prb_watch_log_start(sides, &gvr, NULL, &log, &err));
    TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &other));
    TEST_ASSERT_EQUAL_INT(0, put(sides, &here));
    TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &mine));
    TEST_ASSERT_CAME(prb_watch_log_wait_for(log, PRB_WATCH_ADDED, "mine", PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_size_t(1, prb_watch_log_count(log));
}

static void test_a_watch_of_the_cluster_tells_of_the_cluster_only(void)
{
    struct prb_ref mine = prb_test_configmap(THEIRS, "mine");
    struct prb_ref other = prb_test_configmap(OURS, "other");
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;

    TEST_ASSERT_EQUAL_INT(0, prb_watch_log_start(sides, &mine.gvr, NULL, &log, &err));
    TEST_ASSERT_EQUAL_INT(0, put(prb_hub_api(hub), &other));
    TEST_ASSERT_EQUAL_INT(0, put(sides, &mine));
    TEST_ASSERT_CAME(prb_watch_log_wait_for(log, PRB_WATCH_ADDED, "mine", PRB_TEST_PROMPT_MS));
    TEST_ASSERT_EQUAL_size_t(1, prb_watch_log_count(log));
}

static void test_what_is_found_on_the_hub_keeps_its_group(void)
{
    struct prb_resource found;

    TEST_ASSERT_EQUAL_INT(
            0, prb_api_resolve(sides, "work.open-cluster-management.io" PRB_HUB_SUFFIX,
                       "ManifestWork", &found, &err));
    TEST_ASSERT_EQUAL_STRING("manifestworks", found.gvr.resource);
    TEST_ASSERT_EQUAL_STRING("work.open-cluster-management.io" PRB_HUB_SUFFIX, found.gvr.group);
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(sides, PRB_HUB_GROUP, "ConfigMap", &found, &err));
    TEST_ASSERT_EQUAL_STRING(PRB_HUB_GROUP, found.gvr.group);
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(sides, "", "ConfigMap", &found, &err));
    TEST_ASSERT_EQUAL_STRING("", found.gvr.group);
}

static void test_errors_say_on_the_hub_and_never_its_group(void)
{
    struct prb_gvr unknown = gvr_of("widgets.v1.example.io" PRB_HUB_SUFFIX);
    struct prb_ref ref = ref_of(MAPS_ON_HUB, OURS, "x");
    struct prb_access_question question = {
        .user = "jane", .verb = "get", .group = PRB_HUB_GROUP, .resource = "configmaps"
    };
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_object *got = NULL;
    struct prb_resource found;
    enum prb_access access;

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_api_get(sides, &ref, NULL, &got, &err));
    TEST_ASSERT_EQUAL_STRING_LEN("on the hub: ", err.msg, strlen("on the hub: "));
    TEST_ASSERT_NULL(strstr(err.msg, PRB_HUB_GROUP));
    TEST_ASSERT_EQUAL_STRING("NotFound", err.reason);

    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_api_list(sides, &unknown, NULL, &page, &err));
    TEST_ASSERT_NULL(strstr(err.msg, PRB_HUB_GROUP));
    TEST_ASSERT_EQUAL_STRING("NotServed", err.reason);
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, prb_api_resolve(sides, unknown.group, "widgets", &found, &err));
    TEST_ASSERT_NULL(strstr(err.msg, PRB_HUB_GROUP));
    TEST_ASSERT_EQUAL_INT(PRB_E_UNSUPPORTED, prb_api_may(sides, &question, &access, &err));
    TEST_ASSERT_NULL(strstr(err.msg, PRB_HUB_GROUP));

    ref = prb_test_configmap(OURS, "x");
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_api_get(sides, &ref, NULL, &got, &err));
    TEST_ASSERT_NULL(strstr(err.msg, "on the hub"));
}

static void test_one_server_may_be_both(void)
{
    struct prb_api *both = prb_sides_open(&(struct prb_sides_options){
            .own = prb_hub_api(own), .hub = prb_hub_api(own), .hub_namespace = OURS });
    struct prb_ref ref = ref_of(MAPS_ON_HUB, OURS, "a");
    int r = put(both, &ref);

    prb_api_close(both);
    TEST_ASSERT_EQUAL_INT(0, r);
    TEST_ASSERT_TRUE(has(own, OURS, "a"));
}

static void test_an_interrupt_ends_calls_and_watches_on_both(void)
{
    struct prb_ref here = prb_test_configmap(OURS, "x");
    struct prb_ref there = ref_of(MAPS_ON_HUB, OURS, "x");
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_object *got = NULL;

    TEST_ASSERT_EQUAL_INT(0, prb_watch_log_start(sides, &there.gvr, NULL, &log, &err));
    prb_api_interrupt(sides);
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, prb_api_get(sides, &here, NULL, &got, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, prb_api_get(sides, &there, NULL, &got, &err));
    TEST_ASSERT_CAME(prb_watch_log_wait_closed(log, PRB_TEST_PROMPT_MS, &err));
}

/* A server that only remembers what it was to forget. */
struct forgetful {
    struct prb_api api; /* first: the port casts back */
    char group[PRB_GROUP_SIZE];
    int calls;
};

static void fake_forget(struct prb_api *api, const char *group)
{
    struct forgetful *fake = (struct forgetful *)api;

    fake->calls++;
    (void)snprintf(fake->group, sizeof(fake->group), "%s", group ? group : "everything");
}

static void test_a_group_is_forgotten_where_it_is_known(void)
{
    static const struct prb_api_ops ops = { .forget = fake_forget };
    struct forgetful here = { .api = { &ops } }, there = { .api = { &ops } };
    struct prb_api *port = prb_sides_open(&(struct prb_sides_options){
            .own = &here.api, .hub = &there.api, .hub_namespace = OURS });

    prb_api_forget(port, "apps");
    TEST_ASSERT_EQUAL_STRING("apps", here.group);
    TEST_ASSERT_EQUAL_INT(0, there.calls);
    prb_api_forget(port, "apps" PRB_HUB_SUFFIX);
    TEST_ASSERT_EQUAL_STRING("apps", there.group);
    TEST_ASSERT_EQUAL_INT(1, here.calls);
    prb_api_forget(port, NULL);
    TEST_ASSERT_EQUAL_STRING("everything", here.group);
    TEST_ASSERT_EQUAL_STRING("everything", there.group);
    prb_api_close(port);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_write_goes_to_its_side_only);
    RUN_TEST(test_update_patch_and_delete_reach_the_hub);
    RUN_TEST(test_only_our_namespace_of_the_hub_is_seen);
    RUN_TEST(test_all_namespaces_of_the_cluster_are_seen);
    RUN_TEST(test_pages_of_the_hub_go_on_where_they_ended);
    RUN_TEST(test_a_collection_of_the_hub_without_namespaces_is_listed_whole);
    RUN_TEST(test_a_ref_in_another_namespace_of_the_hub_is_refused);
    RUN_TEST(test_a_watch_of_the_hub_tells_of_our_namespace_only);
    RUN_TEST(test_a_watch_of_the_cluster_tells_of_the_cluster_only);
    RUN_TEST(test_what_is_found_on_the_hub_keeps_its_group);
    RUN_TEST(test_errors_say_on_the_hub_and_never_its_group);
    RUN_TEST(test_one_server_may_be_both);
    RUN_TEST(test_an_interrupt_ends_calls_and_watches_on_both);
    RUN_TEST(test_a_group_is_forgotten_where_it_is_known);
    return UNITY_END();
}

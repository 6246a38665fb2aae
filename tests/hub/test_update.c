/* When is an object replaced, and what of it stays? */

#include <string.h>

#include "world.h"

#define WIDGETS "widgets.example.io"
#define DEPLOYMENTS "deployments.apps"

void setUp(void)
{
    world_init(NULL);
    (void)create_widgets();
    (void)create("configmaps", "{'metadata':{'namespace':'ns','name':'a'},'data':{'k':'1'}}");
    (void)create(WIDGETS,
            "{'apiVersion':'example.io/v1','kind':'Widget','metadata':{'namespace':'ns',"
            "'name':'a'},"
            "'spec':{'x':1}}");
}

void tearDown(void)
{
    world_done();
}

static struct json_object *copy_of(const char *resource, const char *key)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(resource, key);

    return object ? prb_object_copy(object) : NULL;
}

static struct json_object *meta(struct json_object *tree)
{
    return prb_json_ensure_obj(tree, "metadata");
}

static void test_a_write_that_changes_nothing_makes_no_version(void)
{
    const char *version = text_at("configmaps", "ns/a", "/metadata/resourceVersion");

    TEST_ASSERT_EQUAL_INT(0, update_tree("configmaps", "ns/a", "", copy_of("configmaps", "ns/a")));
    TEST_ASSERT_EQUAL_STRING(version, got_at("/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_STRING(version, text_at("configmaps", "ns/a", "/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "ns/a", "", "{'data':{'k':'1'}}"));
    TEST_ASSERT_EQUAL_STRING(version, text_at("configmaps", "ns/a", "/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "ns/a", "", "{'data':{'k':'2'}}"));
    TEST_ASSERT_TRUE(
            strcmp(version, text_at("configmaps", "ns/a", "/metadata/resourceVersion")) != 0);
}

static void test_an_outdated_version_is_a_conflict(void)
{
    prb_auto(prb_json_free) struct json_object *stale = copy_of("configmaps", "ns/a");

    TEST_ASSERT_EQUAL_INT(0, merge("configmaps", "ns/a", "", "{'data':{'k':'2'}}"));
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, update_tree("configmaps", "ns/a", "", prb_take(stale)));
    TEST_ASSERT_EQUAL_STRING("Conflict", w.err.reason);
    TEST_ASSERT_EQUAL_STRING("\"2\"", text_at("configmaps", "ns/a", "/data/k"));
}

static void test_without_a_version_some_kinds_are_overwritten_and_others_not(void)
{
    struct json_object *map = copy_of("configmaps", "ns/a"), *widget = copy_of(WIDGETS, "ns/a");

    prb_json_del(meta(map), "resourceVersion");
    prb_json_set_str(prb_json_ensure_obj(map, "data"), "k", "3");
    TEST_ASSERT_EQUAL_INT(0, update_tree("configmaps", "ns/a", "", map));
    TEST_ASSERT_EQUAL_STRING("\"3\"", text_at("configmaps", "ns/a", "/data/k"));

    prb_json_del(meta(widget), "resourceVersion");
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, update_tree(WIDGETS, "ns/a", "", widget));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "must be specified for an update"));
}

static void test_another_uid_is_a_conflict_and_that_of_an_absent_object_is_not_found(void)
{
    struct json_object *map = copy_of("configmaps", "ns/a");

    prb_json_set_str(meta(map), "uid", "other");
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, update_tree("configmaps", "ns/a", "", map));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "UID in precondition: other"));
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND,
            update("configmaps", "", "{'metadata':{'namespace':'ns','name':'b','uid':'x'}}"));
    TEST_ASSERT_EQUAL_STRING("NotFound", w.err.reason);
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, update("configmaps", "", "{'metadata':{'namespace':'ns','name':'b'}}"));
}

static void test_what_the_server_keeps_cannot_be_changed(void)
{
    static const char *const kept[] = { "/metadata/uid", "/metadata/creationTimestamp",
        "/metadata/generation", "/metadata/name", "/metadata/namespace" };
    struct json_object *widget = copy_of(WIDGETS, "ns/a");
    prb_auto(prb_object_unref) struct prb_object *before = get(WIDGETS, "ns/a");

    prb_json_del(meta(widget), "uid");
    prb_json_set_str(meta(widget), "creationTimestamp", "2001-01-01T00:00:00Z");
    prb_json_set_int(meta(widget), "generation", 9);
    prb_json_set_str(prb_json_ensure_obj(meta(widget), "labels"), "l", "1");
    TEST_ASSERT_EQUAL_INT(0, update_tree(WIDGETS, "ns/a", "", widget));
    for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(at(before, kept[i]), got_at(kept[i]), kept[i]);
    TEST_ASSERT_EQUAL_STRING("\"1\"", got_at("/metadata/labels/l"));
}

static void test_deletion_cannot_be_written(void)
{
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, merge(WIDGETS, "ns/a", "",
                                   "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}"));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "field is immutable"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID,
            merge(WIDGETS, "ns/a", "", "{'metadata':{'deletionGracePeriodSeconds':1}}"));
}

static void test_deletion_cannot_be_taken_back(void)
{
    struct json_object *widget;

    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    widget = copy_of(WIDGETS, "ns/a");
    prb_json_del(meta(widget), "deletionTimestamp");
    prb_json_del(meta(widget), "deletionGracePeriodSeconds");
    TEST_ASSERT_EQUAL_INT(0, update_tree(WIDGETS, "ns/a", "", widget));
    TEST_ASSERT_EQUAL_STRING(
            "\"2026-01-01T00:00:00Z\"", text_at(WIDGETS, "ns/a", "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING("0", text_at(WIDGETS, "ns/a", "/metadata/deletionGracePeriodSeconds"));
}

static void test_what_is_being_deleted_takes_no_new_finalizers(void)
{
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID,
            merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':['x.io/f','x.io/g']}}"));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "no new finalizers can be added"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'labels':{'l':'1'}}}"));
}

static void test_all_but_metadata_and_status_counts_as_a_generation(void)
{
    static const struct {
        const char *what, *sub, *patch, *generation;
    } cases[] = {
        { "spec", "", "{'spec':{'x':2}}", "2" },
        { "a label", "", "{'metadata':{'labels':{'l':'1'}}}", "2" },
        { "a member beside spec", "", "{'other':1}", "3" },
        { "status through the object", "", "{'status':{'s':1}}", "3" },
        { "status", "status", "{'status':{'s':1}}", "3" },
        { "spec through status", "status", "{'spec':{'x':9}}", "3" },
        { "a member taken away", "", "{'other':null}", "4" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, merge(WIDGETS, "ns/a", cases[i].sub, "%s", cases[i].patch), cases[i].what);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].generation, got_at("/metadata/generation"), cases[i].what);
    }
    TEST_ASSERT_EQUAL_STRING("{\"x\":2}", text_at(WIDGETS, "ns/a", "/spec"));
    TEST_ASSERT_EQUAL_STRING("{\"s\":1}", text_at(WIDGETS, "ns/a", "/status"));
}

static void test_status_and_all_else_are_written_apart(void)
{
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'spec':{'x':2},'status':{'s':1}}"));
    TEST_ASSERT_EQUAL_STRING("2", got_at("/spec/x"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/status"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "status", "{'spec':{'x':3},'status':{'s':1}}"));
    TEST_ASSERT_EQUAL_STRING("2", got_at("/spec/x"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/status/s"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'status':null}"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/status/s"));
}

static void test_annotations_of_a_deployment_count_as_a_generation(void)
{
    TEST_ASSERT_EQUAL_INT(0, create(DEPLOYMENTS, "{'metadata':{'namespace':'ns','name':'d'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(DEPLOYMENTS, "ns/d", "", "{'metadata':{'labels':{'l':'1'}}}"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/metadata/generation"));
    TEST_ASSERT_EQUAL_INT(
            0, merge(DEPLOYMENTS, "ns/d", "", "{'metadata':{'annotations':{'a':'1'}}}"));
    TEST_ASSERT_EQUAL_STRING("2", got_at("/metadata/generation"));
}

static void test_a_write_to_status_changes_metadata_of_namespaces_only(void)
{
    static const char patch[] =
            "{'metadata':{'labels':{'l':'1'},'annotations':{'a':'1'}},'status':{'s':1}}";

    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "status", patch));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/labels"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/status/s"));
    TEST_ASSERT_EQUAL_INT(0, merge("namespaces", "ns", "status", patch));
    TEST_ASSERT_EQUAL_STRING("\"1\"", got_at("/metadata/labels/l"));
    TEST_ASSERT_EQUAL_INT(0, create(DEPLOYMENTS, "{'metadata':{'namespace':'ns','name':'d'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(DEPLOYMENTS, "ns/d", "status", patch));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/labels"));
    TEST_ASSERT_EQUAL_STRING("\"1\"", got_at("/metadata/annotations/a"));
}

static void test_a_kind_without_status_has_no_status_to_write(void)
{
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, merge("configmaps", "ns/a", "status", "{'status':{'s':1}}"));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
}

static void test_the_finalizers_of_a_namespace_are_not_a_users(void)
{
    TEST_ASSERT_EQUAL_INT(0, merge("namespaces", "ns", "", "{'spec':{'finalizers':[]}}"));
    TEST_ASSERT_EQUAL_STRING("[\"kubernetes\"]", text_at("namespaces", "ns", "/spec/finalizers"));
}

static void test_a_body_with_another_name_is_refused(void)
{
    struct json_object *map = copy_of("configmaps", "ns/a");

    prb_json_set_str(meta(map), "name", "b");
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, update_tree("configmaps", "ns/a", "", map));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, merge("configmaps", "ns/a", "", "{'metadata':{'namespace':'other'}}"));
    TEST_ASSERT_EQUAL_INT(400, w.err.status);
}

static void test_an_absent_lease_is_made_by_an_update(void)
{
    TEST_ASSERT_EQUAL_INT(0,
            update("leases.coordination.k8s.io", "", "{'metadata':{'namespace':'ns','name':'l'}}"));
    TEST_ASSERT_TRUE(has("leases.coordination.k8s.io", "ns/l"));
}

static void test_another_version_shows_and_takes_the_same_object(void)
{
    struct prb_ref ref = ref_of(WIDGETS, "ns/a");
    prb_auto(prb_object_unref) struct prb_object *object = NULL, *written = NULL;
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();

    (void)snprintf(ref.gvr.version, sizeof(ref.gvr.version), "v1beta1");
    TEST_ASSERT_EQUAL_INT(0, prb_api_get(w.api, &ref, NULL, &object, &w.err));
    TEST_ASSERT_EQUAL_STRING("example.io/v1beta1", prb_object_api_version(object));
    prb_json_set_int(prb_json_ensure_obj(patch, "spec"), "x", 5);
    TEST_ASSERT_EQUAL_INT(
            0, prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, NULL, &written, &w.err));
    TEST_ASSERT_EQUAL_STRING("example.io/v1beta1", prb_object_api_version(written));
    TEST_ASSERT_EQUAL_STRING("5", text_at(WIDGETS, "ns/a", "/spec/x"));
    TEST_ASSERT_EQUAL_STRING("\"example.io/v1\"", text_at(WIDGETS, "ns/a", "/apiVersion"));
}

static void test_a_dry_run_of_an_update_answers_and_leaves_no_trace(void)
{
    const char *version = text_at(WIDGETS, "ns/a", "/metadata/resourceVersion");

    w.dry_run = true;
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'spec':{'x':2}}"));
    TEST_ASSERT_EQUAL_STRING("2", got_at("/spec/x"));
    TEST_ASSERT_EQUAL_STRING(version, got_at("/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_STRING("1", text_at(WIDGETS, "ns/a", "/spec/x"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_write_that_changes_nothing_makes_no_version);
    RUN_TEST(test_an_outdated_version_is_a_conflict);
    RUN_TEST(test_without_a_version_some_kinds_are_overwritten_and_others_not);
    RUN_TEST(test_another_uid_is_a_conflict_and_that_of_an_absent_object_is_not_found);
    RUN_TEST(test_what_the_server_keeps_cannot_be_changed);
    RUN_TEST(test_deletion_cannot_be_written);
    RUN_TEST(test_deletion_cannot_be_taken_back);
    RUN_TEST(test_what_is_being_deleted_takes_no_new_finalizers);
    RUN_TEST(test_all_but_metadata_and_status_counts_as_a_generation);
    RUN_TEST(test_status_and_all_else_are_written_apart);
    RUN_TEST(test_annotations_of_a_deployment_count_as_a_generation);
    RUN_TEST(test_a_write_to_status_changes_metadata_of_namespaces_only);
    RUN_TEST(test_a_kind_without_status_has_no_status_to_write);
    RUN_TEST(test_the_finalizers_of_a_namespace_are_not_a_users);
    RUN_TEST(test_a_body_with_another_name_is_refused);
    RUN_TEST(test_an_absent_lease_is_made_by_an_update);
    RUN_TEST(test_another_version_shows_and_takes_the_same_object);
    RUN_TEST(test_a_dry_run_of_an_update_answers_and_leaves_no_trace);
    return UNITY_END();
}

/* Which answers to a write mean done, which mean look again, and which are failures? */

#include <stdatomic.h>
#include <unity.h>

#include "probate/control/apply.h"

#include "hub_world.h"

static struct prb_changes changes;
static struct prb_apply_options options;
static struct prb_error err;

void setUp(void)
{
    world_init();
    prb_changes_init(&changes);
    options = (struct prb_apply_options){ .controller = "tester" };
}

void tearDown(void)
{
    prb_changes_done(&changes);
    world_done();
}

static int apply(void)
{
    return prb_apply(&world.port.api, NULL, &changes, &options, &err);
}

static struct prb_object *put_map(const char *name)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 1024);
    prb_str_addf(
            &yaml, "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: %s}}", name);
    return put("configmaps", prb_str_get(&yaml));
}

static struct json_object *map_body(const char *name)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "namespace", "ns");
    prb_json_set_str(metadata, "name", name);
    return body;
}

static void want_create(const char *name)
{
    struct prb_ref ref = ref_of("configmaps", "ns", name);

    prb_changes_create(&changes, &ref, map_body(name), "test");
}

static void want_data(const char *name, const char *resource_version)
{
    struct prb_ref ref = ref_of("configmaps", "ns", name);
    struct json_object *patch = json_object_new_object();

    prb_json_set_str(prb_json_ensure_obj(patch, "data"), "key", "value");
    prb_changes_merge_patch(&changes, &ref, patch, NULL, resource_version, "test");
}

static void want_delete(const struct prb_object *object)
{
    struct prb_ref ref = ref_of("configmaps", "ns", prb_object_name(object));

    prb_changes_delete(&changes, &ref, object, PRB_PROPAGATE_BACKGROUND, "test");
}

static bool exists(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);

    return object != NULL;
}

static void test_changes_are_made_in_order(void)
{
    prb_auto(prb_object_unref) struct prb_object *old = put_map("old");
    prb_auto(prb_object_unref) struct prb_object *new = NULL;
    prb_autofree char *calls = NULL;

    want_create("new");
    want_data("new", NULL);
    want_delete(old);
    TEST_ASSERT_EQUAL_INT(0, apply());
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("create configmaps ns/new\npatch configmaps ns/new\n"
                             "delete configmaps ns/old\n",
            calls);
    new = stored("configmaps", "ns", "new");
    TEST_ASSERT_EQUAL_STRING("value", value_at(new, "/data/key"));
    TEST_ASSERT_FALSE(exists("old"));
}

static void test_the_first_failure_ends_it_and_says_what_failed(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "patch", .code = PRB_E_FORBIDDEN, .times = 1 });
    want_create("a");
    want_data("a", NULL);
    want_create("b");
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, apply());
    TEST_ASSERT_EQUAL_STRING("patch configmaps ns/a: forbidden", err.msg);
    TEST_ASSERT_TRUE(exists("a"));
    TEST_ASSERT_FALSE(exists("b"));
}

static void test_creating_what_exists_means_look_again(void)
{
    prb_auto(prb_object_unref) struct prb_object *there = put_map("a");

    want_create("a");
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, err.code);
}

static void test_deleting_what_is_gone_is_done(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(0, apply());
}

static void test_deleting_what_was_replaced_is_done_and_spares_the_new_one(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");
    prb_auto(prb_object_unref) struct prb_object *replacement = NULL, *after = NULL;

    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(0, apply());
    replacement = put_map("a");
    TEST_ASSERT_EQUAL_INT(0, apply());
    after = stored("configmaps", "ns", "a");
    TEST_ASSERT_EQUAL_STRING(prb_object_uid(replacement), value_at(after, "/metadata/uid"));
}

static void test_a_delete_refused_with_a_conflict_is_not_done(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(&world.port, (struct fault){ .verb = "delete",
                                          .code = PRB_E_CONFLICT,
                                          .times = 1,
                                          .message = "a webhook says 409" });
    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "a webhook says 409"));
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_FALSE(exists("a"));
}

static void test_a_conflict_on_what_is_being_deleted_already_is_done(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put("configmaps",
            "{apiVersion: v1, kind: ConfigMap,"
            " metadata: {namespace: ns, name: a, finalizers: [example.com/hold]}}");

    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(0, apply());
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "delete", .code = PRB_E_CONFLICT, .times = 1 });
    TEST_ASSERT_EQUAL_INT(0, apply());
}

static void test_a_conflict_that_cannot_be_explained_is_a_failure(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(
            &world.port, (struct fault){ .verb = "delete", .code = PRB_E_CONFLICT, .times = 1 });
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "get", .code = PRB_E_UNAVAILABLE, .times = 1 });
    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, err.code);
}

static void test_patching_what_is_gone_is_done_only_where_that_was_said(void)
{
    want_data("gone", NULL);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, apply());
    changes.items[0].absent_is_done = true;
    TEST_ASSERT_EQUAL_INT(0, apply());
}

/* controller-runtime's admission.Errored(404, err) is how a webhook says that it misses another
 * object; it must not read as "what you delete is gone". */
static void test_a_refusal_with_404_is_not_taken_for_absence(void)
{
    static const struct fault refusal = { .code = PRB_E_NOTFOUND,
        .times = 1,
        .message = "admission webhook denied the request: no quota found",
        .reason = "NotServed" };
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");
    struct fault fault = refusal;

    fault.verb = "delete";
    fault_port_spoil(&world.port, fault);
    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, apply());
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "no quota found"));
    TEST_ASSERT_TRUE(exists("a"));

    prb_changes_done(&changes);
    fault.verb = "patch";
    fault_port_spoil(&world.port, fault);
    want_data("a", NULL);
    changes.items[0].absent_is_done = true;
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, apply());
}

/* As a server says that has not read its CRDs yet, or that serves the kind in another version. */
static void test_a_kind_that_is_served_after_all_is_not_taken_for_gone(void)
{
    static const char *const verbs[] = { "delete", "get" };
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        fault_port_spoil(&world.port, (struct fault){ .verb = verbs[i],
                                              .code = PRB_E_NOTFOUND,
                                              .times = 1,
                                              .reason = "NotServed" });
    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, apply());
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_FALSE(exists("a"));
}

static void test_deleting_what_is_of_no_served_kind_is_done(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    want_delete(seen);
    (void)prb_copy(changes.items[0].ref.gvr.resource, sizeof(changes.items[0].ref.gvr.resource),
            "nosuchthings");
    TEST_ASSERT_EQUAL_INT(0, apply());
}

static void test_a_finalizer_patch_on_a_changed_list_means_look_again(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");
    struct prb_ref ref = ref_of("configmaps", "ns", "a");
    prb_auto(prb_object_unref) struct prb_object *after = NULL;

    prb_changes_add_finalizer(&changes, &ref, seen, "example.com/one", "test");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    after = stored("configmaps", "ns", "a");
    TEST_ASSERT_EQUAL_size_t(1, prb_object_finalizer_count(after));
}

static void test_a_patch_for_an_older_version_means_look_again(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    want_data("a", prb_object_resource_version(seen));
    TEST_ASSERT_EQUAL_INT(0, apply());
    changes.items[0].resource_version[0] = '9'; /* another one than is stored */
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
}

static void test_a_write_whose_answer_was_lost_is_a_failure_and_harmless_to_repeat(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(&world.port,
            (struct fault){ .verb = "delete", .code = PRB_E_IO, .times = 1, .after = true });
    want_delete(seen);
    TEST_ASSERT_EQUAL_INT(PRB_E_IO, apply());
    TEST_ASSERT_FALSE(exists("a"));
    TEST_ASSERT_EQUAL_INT(0, apply());
}

static void test_a_dry_run_leaves_no_trace(void)
{
    prb_auto(prb_object_unref) struct prb_object *old = put_map("old");
    prb_auto(prb_recorder_free) struct prb_recorder *recorder =
            prb_recorder_new(&world.port.api, "probate", NULL);
    struct prb_ref ref = ref_of("configmaps", "ns", "old");

    options.dry_run = true;
    want_create("new");
    want_delete(old);
    prb_changes_event(&changes, &ref, old, false, "Tested", "nothing");
    TEST_ASSERT_EQUAL_INT(0, prb_apply(&world.port.api, recorder, &changes, &options, &err));
    prb_recorder_stop(recorder, 10000);
    TEST_ASSERT_FALSE(exists("new"));
    TEST_ASSERT_TRUE(exists("old"));
    TEST_ASSERT_EQUAL_size_t(0, stored_count("events"));
}

static void test_an_event_names_the_kind_of_what_it_regards(void)
{
    prb_auto(prb_recorder_free) struct prb_recorder *recorder =
            prb_recorder_new(&world.port.api, "probate", NULL);
    prb_auto(prb_object_unref) struct prb_object *object = put_map("a");
    struct prb_ref ref = ref_of("configmaps", "ns", "a");
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_ref events = ref_of("events", "ns", "any");

    prb_changes_event(&changes, &ref, object, true, "Tested", "with %d apples", 3);
    free(changes.items[0].kind);
    changes.items[0].kind = NULL; /* as for an item of a list */
    TEST_ASSERT_EQUAL_INT(0, prb_apply(&world.port.api, recorder, &changes, &options, &err));
    prb_recorder_stop(recorder, 10000);

    prb_page_init(&page);
    TEST_ASSERT_EQUAL_INT(0, prb_api_list(&world.port.api, &events.gvr, NULL, &page, &err));
    TEST_ASSERT_EQUAL_size_t(1, page.count);
    TEST_ASSERT_EQUAL_STRING("ConfigMap", value_at(page.objects[0], "/involvedObject/kind"));
    TEST_ASSERT_EQUAL_STRING("v1", value_at(page.objects[0], "/involvedObject/apiVersion"));
    TEST_ASSERT_EQUAL_STRING("with 3 apples", value_at(page.objects[0], "/message"));
    TEST_ASSERT_EQUAL_STRING("Warning", value_at(page.objects[0], "/type"));
}

static void test_nothing_is_begun_after_a_stop(void)
{
    _Atomic bool stop = true;

    options.stop = &stop;
    want_create("a");
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, apply());
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, ""));
    stop = false;
    TEST_ASSERT_EQUAL_INT(0, apply());
}

static void test_nothing_is_begun_when_another_may_lead(void)
{
    struct prb_fake_clock clock;
    _Atomic int64_t until = 2000;

    prb_fake_clock_init(&clock, 1999);
    options.until_ms = &until;
    options.clock = &clock.clock;
    want_create("a");
    TEST_ASSERT_EQUAL_INT(0, apply());
    prb_fake_clock_advance(&clock, 1);
    want_create("b");
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, apply());
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "create"));
}

static void test_each_call_gets_the_timeout_that_was_asked_for(void)
{
    options.timeout_ms = 1234;
    want_create("a");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(1234, world.port.last_timeout_ms);
}

static void want_absent(const char *resource, const char *name)
{
    struct prb_ref ref = ref_of(resource, "ns", name);

    prb_changes_expect_absent(&changes, &ref, "test");
}

static void test_what_is_positively_gone_lets_the_rest_happen(void)
{
    want_absent("configmaps", "nobody");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE(exists("after"));
}

static void test_what_is_there_after_all_ends_the_list(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = put_map("somebody");

    TEST_ASSERT_NOT_NULL(object);
    want_absent("configmaps", "somebody");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    TEST_ASSERT_FALSE(exists("after"));
}

static void test_a_kind_that_is_not_served_is_not_gone(void)
{
    struct prb_ref ref = ref_of("configmaps", "", "any");

    TEST_ASSERT_TRUE(prb_gvr_init(&ref.gvr, "nowhere.example", "v1", "things"));
    prb_changes_expect_absent(&changes, &ref, "test");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, apply());
    TEST_ASSERT_FALSE(exists("after"));
}

static void test_a_server_that_could_not_be_asked_has_not_said_gone(void)
{
    fault_port_spoil(&world.port, (struct fault){ .verb = "get", .code = PRB_E_IO, .times = 1 });
    want_absent("configmaps", "nobody");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_IO, apply());
    TEST_ASSERT_FALSE(exists("after"));
}

static void want_none(const char *resource)
{
    struct prb_ref ref = ref_of(resource, "", "any");

    prb_changes_expect_none(&changes, &ref.gvr, "ns", "test");
}

static void test_an_empty_collection_lets_the_rest_happen(void)
{
    want_none("secrets");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE(exists("after"));
}

static void test_one_that_is_left_in_a_collection_ends_the_list(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = put_map("somebody");

    TEST_ASSERT_NOT_NULL(object);
    want_none("configmaps");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    TEST_ASSERT_EQUAL_STRING("expect none of configmaps ns/: there is one", err.msg);
    TEST_ASSERT_FALSE(exists("after"));
}

static void test_a_collection_that_could_not_be_asked_is_not_empty(void)
{
    struct prb_gvr nowhere;

    fault_port_spoil(&world.port, (struct fault){ .verb = "list", .code = PRB_E_IO, .times = 1 });
    want_none("secrets");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_IO, apply());
    prb_changes_done(&changes);
    TEST_ASSERT_TRUE(prb_gvr_init(&nowhere, "nowhere.example", "v1", "things"));
    prb_changes_expect_none(&changes, &nowhere, "ns", "test");
    want_create("after");
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, apply());
    TEST_ASSERT_FALSE(exists("after"));
}

static void test_what_was_changed_since_is_not_deleted(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("kept");
    struct prb_ref ref = ref_of("configmaps", "ns", "kept");

    want_data("kept", NULL);
    TEST_ASSERT_EQUAL_INT(0, apply());
    prb_changes_done(&changes);
    prb_changes_init(&changes);
    prb_changes_delete_unchanged(&changes, &ref, seen, PRB_PROPAGATE_BACKGROUND, "test");
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, apply());
    TEST_ASSERT_TRUE(exists("kept"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_changes_are_made_in_order);
    RUN_TEST(test_the_first_failure_ends_it_and_says_what_failed);
    RUN_TEST(test_creating_what_exists_means_look_again);
    RUN_TEST(test_deleting_what_is_gone_is_done);
    RUN_TEST(test_deleting_what_was_replaced_is_done_and_spares_the_new_one);
    RUN_TEST(test_a_delete_refused_with_a_conflict_is_not_done);
    RUN_TEST(test_a_conflict_on_what_is_being_deleted_already_is_done);
    RUN_TEST(test_a_conflict_that_cannot_be_explained_is_a_failure);
    RUN_TEST(test_patching_what_is_gone_is_done_only_where_that_was_said);
    RUN_TEST(test_a_refusal_with_404_is_not_taken_for_absence);
    RUN_TEST(test_a_kind_that_is_served_after_all_is_not_taken_for_gone);
    RUN_TEST(test_deleting_what_is_of_no_served_kind_is_done);
    RUN_TEST(test_a_finalizer_patch_on_a_changed_list_means_look_again);
    RUN_TEST(test_a_patch_for_an_older_version_means_look_again);
    RUN_TEST(test_a_write_whose_answer_was_lost_is_a_failure_and_harmless_to_repeat);
    RUN_TEST(test_a_dry_run_leaves_no_trace);
    RUN_TEST(test_an_event_names_the_kind_of_what_it_regards);
    RUN_TEST(test_nothing_is_begun_after_a_stop);
    RUN_TEST(test_nothing_is_begun_when_another_may_lead);
    RUN_TEST(test_each_call_gets_the_timeout_that_was_asked_for);
    RUN_TEST(test_what_is_positively_gone_lets_the_rest_happen);
    RUN_TEST(test_what_is_there_after_all_ends_the_list);
    RUN_TEST(test_a_kind_that_is_not_served_is_not_gone);
    RUN_TEST(test_a_server_that_could_not_be_asked_has_not_said_gone);
    RUN_TEST(test_what_was_changed_since_is_not_deleted);
    RUN_TEST(test_an_empty_collection_lets_the_rest_happen);
    RUN_TEST(test_one_that_is_left_in_a_collection_ends_the_list);
    RUN_TEST(test_a_collection_that_could_not_be_asked_is_not_empty);
    return UNITY_END();
}

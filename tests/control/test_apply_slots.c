/* What is kept of a change that has a slot, and what still ends the list? */

#include <stdatomic.h>
#include <unity.h>

#include "probate/control/apply.h"

#include "hub_world.h"

static struct prb_changes changes;
static struct prb_outcomes *outcomes;
static struct prb_apply_options options;
static struct prb_error err;
static bool wrote;

void setUp(void)
{
    world_init();
    prb_changes_init(&changes);
    outcomes = prb_outcomes_new();
    wrote = false;
    options = (struct prb_apply_options){
        .controller = "tester", .outcomes = outcomes, .ret_wrote = &wrote
    };
}

void tearDown(void)
{
    prb_changes_done(&changes);
    prb_outcomes_free(outcomes);
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
    prb_str_addf(&yaml,
            "{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: %s},"
            " data: {key: old}}",
            name);
    return put("configmaps", prb_str_get(&yaml));
}

static bool exists(const char *name)
{
    prb_auto(prb_object_unref) struct prb_object *object = stored("configmaps", "ns", name);

    return object != NULL;
}

static struct json_object *map_body(const char *name)
{
    struct json_object *body = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(body, "metadata");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "ConfigMap");
    prb_json_set_str(metadata, "namespace", "ns");
    prb_json_set_str(metadata, "name", name);
    prb_json_set_str(prb_json_ensure_obj(body, "data"), "key", "new");
    return body;
}

static void want_create(const char *name, const char *slot)
{
    struct prb_ref ref = ref_of("configmaps", "ns", name);

    prb_changes_create(&changes, &ref, map_body(name), "test");
    if (slot)
        prb_changes_set_slot(&changes, slot);
}

static void want_update(const struct prb_object *seen, const char *slot)
{
    struct prb_ref ref = ref_of("configmaps", "ns", prb_object_name(seen));
    struct json_object *body = prb_object_copy(seen);

    prb_json_set_str(prb_json_ensure_obj(body, "data"), "key", "new");
    prb_changes_update(&changes, &ref, body, "test");
    prb_changes_set_slot(&changes, slot);
}

static void want_delete(const struct prb_object *seen, const char *slot)
{
    struct prb_ref ref = ref_of("configmaps", "ns", prb_object_name(seen));

    prb_changes_delete(&changes, &ref, seen, PRB_PROPAGATE_BACKGROUND, "test");
    prb_changes_set_slot(&changes, slot);
}

static void want_owner(const struct prb_object *seen, const char *slot)
{
    static const struct prb_owner owner = {
        .api_version = "v1", .kind = "ConfigMap", .name = "boss", .uid = "u-boss"
    };
    struct prb_ref ref = ref_of("configmaps", "ns", prb_object_name(seen));

    prb_changes_add_owner(&changes, &ref, seen, &owner, "test");
    prb_changes_set_slot(&changes, slot);
}

static void want_apply(const char *name, const char *manager, bool force, const char *slot)
{
    struct prb_ref ref = ref_of("configmaps", "ns", name);

    prb_changes_apply(&changes, &ref, map_body(name), NULL, "test");
    prb_changes_set_manager(&changes, manager, force);
    prb_changes_set_slot(&changes, slot);
}

static void want_read(const char *group, const char *version, const char *resource)
{
    struct prb_gvr gvr;
    struct prb_ref ref;

    if (!prb_gvr_init(&gvr, group, version, resource) || !prb_ref_init(&ref, &gvr, "ns", "a"))
        abort();
    prb_changes_read(&changes, &ref, "read", "test");
}

/* The outcome in a slot; none counts as an outcome that nobody expects. */
static const struct prb_outcome *in(const char *slot)
{
    static const struct prb_outcome none = { .code = PRB_E_INTERNAL };
    const struct prb_outcome *found = prb_outcomes_find(outcomes, slot);

    return found ? found : &none;
}

static void test_a_failure_in_a_slot_ends_nothing(void)
{
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "create", .code = PRB_E_FORBIDDEN, .times = 1, .message = "no right" });
    want_create("a", "first");
    want_create("b", "second");
    want_create("c", NULL);
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, in("first")->code);
    TEST_ASSERT_NULL(in("first")->object);
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("second")->code);
    TEST_ASSERT_FALSE(exists("a"));
    TEST_ASSERT_TRUE(exists("b"));
    TEST_ASSERT_TRUE(exists("c"));
}

static void test_a_failure_without_a_slot_ends_the_list_as_ever(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_UNAVAILABLE, .times = 1 });
    want_create("a", NULL);
    want_create("b", "second");
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, apply());
    TEST_ASSERT_NULL(prb_outcomes_find(outcomes, "second"));
    TEST_ASSERT_FALSE(exists("b"));
}

static void test_a_write_leaves_what_the_server_has_now(void)
{
    prb_auto(prb_object_unref) struct prb_object *updated = put_map("updated");
    prb_auto(prb_object_unref) struct prb_object *owned = put_map("owned");
    prb_auto(prb_object_unref) struct prb_object *deleted = put_map("deleted");
    static const char *const slots[] = { "create", "update", "apply" };

    want_create("created", "create");
    want_update(updated, "update");
    want_apply("applied", "someone", true, "apply");
    want_owner(owned, "own");
    want_delete(deleted, "delete");
    TEST_ASSERT_EQUAL_INT(0, apply());
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_OK, in(slots[i])->code, slots[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(in(slots[i])->object, slots[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "new", value_at(in(slots[i])->object, "/data/key"), slots[i]);
        TEST_ASSERT_TRUE_MESSAGE(prb_object_uid(in(slots[i])->object)[0] != '\0', slots[i]);
    }
    TEST_ASSERT_EQUAL_STRING(
            "u-boss", value_at(in("own")->object, "/metadata/ownerReferences/0/uid"));
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("delete")->code);
    TEST_ASSERT_NULL(in("delete")->object);
    TEST_ASSERT_FALSE(exists("deleted"));
}

static void test_who_was_too_slow_is_told_of_a_conflict(void)
{
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("changed");
    prb_auto(prb_object_unref) struct prb_object *gone = put_map("gone");
    prb_auto(prb_object_unref) struct prb_object *after = NULL;
    static const char *const slots[] = { "create", "update", "own", "update gone" };

    want_update(seen, "faster");
    want_delete(gone, "end");
    TEST_ASSERT_EQUAL_INT(0, apply());
    prb_changes_done(&changes);

    want_create("changed", "create");
    want_update(seen, "update");
    want_owner(seen, "own");
    want_update(gone, "update gone");
    TEST_ASSERT_EQUAL_INT(0, apply());
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_CONFLICT, in(slots[i])->code, slots[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(in(slots[i])->err, slots[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_CONFLICT, in(slots[i])->err->code, slots[i]);
    }
    after = stored("configmaps", "ns", "changed");
    TEST_ASSERT_EQUAL_STRING(prb_object_resource_version(in("faster")->object),
            value_at(after, "/metadata/resourceVersion"));
    TEST_ASSERT_FALSE(exists("gone"));
}

static void test_the_words_of_a_refusal_are_kept_as_they_are(void)
{
    static const char words[] = "admission webhook \"x\" denied the request: two are left";
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(&world.port, (struct fault){ .verb = "delete",
                                          .code = PRB_E_FORBIDDEN,
                                          .times = 1,
                                          .message = words,
                                          .reason = "Forbidden" });
    want_delete(seen, "delete");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_FORBIDDEN, in("delete")->code);
    TEST_ASSERT_NOT_NULL(in("delete")->err);
    TEST_ASSERT_EQUAL_STRING(words, in("delete")->err->msg);
    TEST_ASSERT_EQUAL_STRING("Forbidden", in("delete")->err->reason);
}

/* A webhook may refuse with 404 as well, and what is still there has not gone. */
static void test_an_update_refused_with_not_found_is_told_as_it_is(void)
{
    static const char words[] = "admission webhook \"x\" denied the request: 404";
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "update", .code = PRB_E_NOTFOUND, .times = 1, .message = words });
    want_update(seen, "update");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, in("update")->code);
    TEST_ASSERT_EQUAL_STRING(words, in("update")->err->msg);
}

/* A webhook may refuse with 409 as well, and what is still there was not deleted. */
static void test_a_delete_refused_with_a_conflict_is_not_done(void)
{
    static const char words[] = "admission webhook \"x\" denied the request: 409";
    prb_auto(prb_object_unref) struct prb_object *seen = put_map("a");

    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "delete", .code = PRB_E_CONFLICT, .times = 1, .message = words });
    want_delete(seen, "delete");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, in("delete")->code);
    TEST_ASSERT_NOT_NULL(in("delete")->err);
    TEST_ASSERT_EQUAL_STRING(words, in("delete")->err->msg);
}

static void test_a_manager_and_its_gentleness_reach_the_server(void)
{
    want_apply("a", "work-agent", false, "gentle");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_STRING("work-agent", world.port.last_manager);
    TEST_ASSERT_FALSE(world.port.last_force);
    prb_changes_done(&changes);
    want_apply("a", "work-agent", true, "forced");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE(world.port.last_force);
}

static void test_an_apply_of_no_manager_is_ours_and_forced(void)
{
    struct prb_ref ref = ref_of("configmaps", "ns", "a");

    prb_changes_apply(&changes, &ref, map_body("a"), NULL, "test");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_STRING(PRB_FIELD_MANAGER, world.port.last_manager);
    TEST_ASSERT_TRUE(world.port.last_force);
}

static void test_an_interrupted_call_ends_the_list_even_in_a_slot(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "create", .code = PRB_E_CANCELLED, .times = 1 });
    want_create("a", "first");
    want_create("b", "second");
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, err.code);
    TEST_ASSERT_NULL(prb_outcomes_find(outcomes, "second"));
    TEST_ASSERT_FALSE(exists("b"));
}

static void test_a_stop_ends_the_list_before_the_next_slot(void)
{
    _Atomic bool stop = true;

    options.stop = &stop;
    want_create("a", "first");
    TEST_ASSERT_EQUAL_INT(PRB_E_CANCELLED, apply());
    TEST_ASSERT_NULL(prb_outcomes_find(outcomes, "first"));
    TEST_ASSERT_FALSE(exists("a"));
}

static void test_a_slot_that_nobody_keeps_is_a_defect(void)
{
    options.outcomes = NULL;
    want_create("a", "first");
    TEST_ASSERT_EQUAL_INT(PRB_E_INTERNAL, apply());
    TEST_ASSERT_FALSE(exists("a"));
}

static void test_what_may_have_been_written_counts_as_written(void)
{
    prb_auto(prb_object_unref) struct prb_object *there = put_map("there");

    want_read("", "v1", "configmaps");
    want_create("there", "conflict");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_FALSE_MESSAGE(wrote, "neither a look nor a conflict writes");

    fault_port_spoil(&world.port, (struct fault){ .verb = "create", .code = PRB_E_IO, .times = 1 });
    prb_changes_done(&changes);
    want_create("a", "lost");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE_MESSAGE(wrote, "nobody knows");

    wrote = false;
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE(wrote);
}

static void test_a_dry_run_tells_what_would_be_there(void)
{
    options.dry_run = true;
    want_create("a", "create");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("create")->code);
    TEST_ASSERT_EQUAL_STRING("new", value_at(in("create")->object, "/data/key"));
    TEST_ASSERT_FALSE(exists("a"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_failure_in_a_slot_ends_nothing);
    RUN_TEST(test_a_failure_without_a_slot_ends_the_list_as_ever);
    RUN_TEST(test_a_write_leaves_what_the_server_has_now);
    RUN_TEST(test_who_was_too_slow_is_told_of_a_conflict);
    RUN_TEST(test_the_words_of_a_refusal_are_kept_as_they_are);
    RUN_TEST(test_an_update_refused_with_not_found_is_told_as_it_is);
    RUN_TEST(test_a_delete_refused_with_a_conflict_is_not_done);
    RUN_TEST(test_a_manager_and_its_gentleness_reach_the_server);
    RUN_TEST(test_an_apply_of_no_manager_is_ours_and_forced);
    RUN_TEST(test_an_interrupted_call_ends_the_list_even_in_a_slot);
    RUN_TEST(test_a_stop_ends_the_list_before_the_next_slot);
    RUN_TEST(test_a_slot_that_nobody_keeps_is_a_defect);
    RUN_TEST(test_what_may_have_been_written_counts_as_written);
    RUN_TEST(test_a_dry_run_tells_what_would_be_there);
    return UNITY_END();
}

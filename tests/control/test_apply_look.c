/* What does it mean when a read finds something, nothing, or nobody who would answer? */

#include <unity.h>

#include "probate/base/str.h"
#include "probate/control/apply.h"

#include "hub_world.h"

static struct prb_changes changes;
static struct prb_outcomes *outcomes;
static struct prb_apply_options options;
static struct prb_error err;

void setUp(void)
{
    world_init();
    prb_changes_init(&changes);
    outcomes = prb_outcomes_new();
    options = (struct prb_apply_options){ .controller = "tester", .outcomes = outcomes };
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

static void test_a_read_finds_the_whole_object(void)
{
    prb_auto(prb_object_unref) struct prb_object *there = put_map("a");

    want_read("", "v1", "configmaps");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("read")->code);
    TEST_ASSERT_EQUAL_STRING("old", value_at(in("read")->object, "/data/key"));
    TEST_ASSERT_EQUAL_STRING(prb_object_uid(there), value_at(in("read")->object, "/metadata/uid"));
}

/* One answer of the port to a GET, and what it means. */
static void test_absent_not_served_and_unknown_are_three_things(void)
{
    static const struct fault not_served = {
        .verb = "get", .code = PRB_E_NOTFOUND, .times = 1, .reason = "NotServed"
    };
    static const struct fault no_answer = { .verb = "get", .code = PRB_E_IO, .times = 1 };
    static const struct fault no_discovery = {
        .verb = "resolve", .code = PRB_E_UNAVAILABLE, .times = 1
    };
    static const struct {
        const char *name, *group, *version, *resource;
        const struct fault *faults[2];
        enum prb_errc code;
        const char *reason;
    } cases[] = {
        { "absent", "", "v1", "configmaps", { NULL }, PRB_E_NOTFOUND, "NotFound" },
        { "a kind that nobody serves", "", "v1", "nosuchthings", { NULL }, PRB_E_NOTFOUND,
                "NotServed" },
        { "a group that nobody serves", "no.such.group", "v1", "things", { NULL }, PRB_E_NOTFOUND,
                "NotServed" },
        { "a version that nobody serves", "", "v7", "configmaps", { NULL }, PRB_E_NOTFOUND,
                "NotServed" },
        { "no answer", "", "v1", "configmaps", { &no_answer }, PRB_E_IO, "" },
        { "a server that has just started", "", "v1", "configmaps", { &not_served },
                PRB_E_UNAVAILABLE, "" },
        { "nobody can say what is served", "", "v1", "configmaps", { &not_served, &no_discovery },
                PRB_E_UNAVAILABLE, "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        fault_port_clear(&world.port);
        for (size_t j = 0; j < 2 && cases[i].faults[j]; j++)
            fault_port_spoil(&world.port, *cases[i].faults[j]);
        prb_changes_done(&changes);
        want_read(cases[i].group, cases[i].version, cases[i].resource);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, apply(), cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code, in("read")->code, cases[i].name);
        TEST_ASSERT_NULL_MESSAGE(in("read")->object, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].reason, in("read")->err ? in("read")->err->reason : "", cases[i].name);
    }
}

static void test_a_kind_is_found_by_what_it_is_called(void)
{
    static const char *const names[] = { "ConfigMap", "configmaps", "configmap" };
    prb_autofree char *calls = NULL;

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct prb_known_resource *found;

        prb_changes_done(&changes);
        prb_changes_resolve(&changes, "", names[i], "kind");
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, apply(), names[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_OK, in("kind")->code, names[i]);
        found = in("kind")->resource;
        TEST_ASSERT_NOT_NULL_MESSAGE(found, names[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_RESOURCE_PRESENT, found->state, names[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("configmaps", found->gvr.resource, names[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("v1", found->gvr.version, names[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("ConfigMap", found->kind, names[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(names[i], found->name, names[i]);
        TEST_ASSERT_TRUE_MESSAGE(found->namespaced, names[i]);
    }
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("resolve ConfigMap /\nresolve configmaps /\n"
                                     "resolve configmap /\n",
            calls, "what was found is not looked for anew");
}

static void test_that_there_is_no_such_kind_takes_a_fresh_look(void)
{
    prb_autofree char *calls = NULL;

    prb_changes_resolve(&changes, "apps", "Nothing", "kind");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, in("kind")->code);
    TEST_ASSERT_NOT_NULL(in("kind")->resource);
    TEST_ASSERT_EQUAL_INT(PRB_RESOURCE_ABSENT, in("kind")->resource->state);
    calls = fault_port_take(&world.port);
    TEST_ASSERT_EQUAL_STRING("resolve Nothing /\nforget apps /\nresolve Nothing /\n", calls);
}

/* What is defined and not served has its objects all the same. */
static void test_what_is_defined_is_there_for_those_who_must_be_sure(void)
{
    static const char definition[] =
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,"
            " metadata: {name: things.g.example.org}, spec: {group: g.example.org,"
            " scope: Namespaced, names: {plural: things, kind: Thing}, versions:"
            " [{name: v1, served: false, storage: true}]}}";
    prb_auto(prb_object_unref) struct prb_object *made =
            put("customresourcedefinitions", definition);

    TEST_ASSERT_NOT_NULL(made);
    prb_changes_resolve(&changes, "g.example.org", "Thing", "kind");
    prb_changes_resolve_surely(&changes, "g.example.org", "Thing", "sure");
    prb_changes_resolve_surely(&changes, "g.example.org", "Other", "other");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, in("kind")->code);
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, in("sure")->code);
    TEST_ASSERT_TRUE(in("sure")->resource && in("sure")->resource->state == PRB_RESOURCE_UNKNOWN);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, in("other")->code);
}

/* Another kind that goes by that name is no answer while the one that is meant is defined. */
static void test_what_another_kind_goes_by_is_not_meant(void)
{
    static const char gears[] =
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,"
            " metadata: {name: gears.g.example.org}, spec: {group: g.example.org,"
            " scope: Namespaced, names: {plural: gears, kind: Gear, shortNames: [wid]},"
            " versions: [{name: v1, served: true, storage: true}]}}";
    static const char wids[] =
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,"
            " metadata: {name: wids.g.example.org}, spec: {group: g.example.org,"
            " scope: Namespaced, names: {plural: wids, kind: Wid}, versions:"
            " [{name: v1, served: false, storage: true}]}}";
    prb_auto(prb_object_unref) struct prb_object *one = put("customresourcedefinitions", gears);
    prb_auto(prb_object_unref) struct prb_object *other = NULL;

    prb_changes_resolve_surely(&changes, "g.example.org", "Wid", "other");
    prb_changes_resolve_surely(&changes, "g.example.org", "Gear", "kind");
    prb_changes_resolve_surely(&changes, "g.example.org", "gears", "plural");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_TRUE(in("other")->code == PRB_OK && prb_streq(in("other")->resource->kind, "Gear"));
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("kind")->code);
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("plural")->code);

    other = put("customresourcedefinitions", wids);
    prb_changes_done(&changes);
    prb_changes_resolve_surely(&changes, "g.example.org", "Wid", "defined");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_UNAVAILABLE, in("defined")->code);
}

static void test_a_kind_that_a_fresh_look_finds_is_found(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "resolve", .code = PRB_E_NOTFOUND, .times = 1 });
    prb_changes_resolve(&changes, "", "ConfigMap", "kind");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("kind")->code);
    TEST_ASSERT_NOT_NULL(in("kind")->resource);
    TEST_ASSERT_EQUAL_STRING("configmaps", in("kind")->resource->gvr.resource);
}

static void test_a_kind_that_could_not_be_looked_for_is_unknown(void)
{
    fault_port_spoil(
            &world.port, (struct fault){ .verb = "resolve", .code = PRB_E_IO, .times = 1 });
    prb_changes_resolve(&changes, "", "ConfigMap", "kind");
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(PRB_E_IO, in("kind")->code);
    TEST_ASSERT_NOT_NULL(in("kind")->resource);
    TEST_ASSERT_EQUAL_INT(PRB_RESOURCE_UNKNOWN, in("kind")->resource->state);
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            1, fault_port_count(&world.port, "resolve"), "asking twice would not help");
}

static void want_read_of(const char *resource, const char *name)
{
    struct prb_ref ref = ref_of(resource, "ns", name);

    prb_changes_read(&changes, &ref, name, "test");
}

static void test_a_server_that_does_not_answer_is_not_asked_for_ever(void)
{
    prb_auto(prb_object_unref) struct prb_object *there = put_map("e");
    static const char *const slots[] = { "a", "b", "c", "d", "e" };

    TEST_ASSERT_NOT_NULL(there);
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "get", .resource = "configmaps", .code = PRB_E_IO, .times = -1 });
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
        want_read_of("configmaps", slots[i]);
    want_read_of("secrets", "s");
    TEST_ASSERT_EQUAL_INT(0, apply());
    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_IO, in(slots[i])->code, slots[i]);
    TEST_ASSERT_EQUAL_INT(3, fault_port_count(&world.port, "get configmaps"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(
            PRB_E_NOTFOUND, in("s")->code, "another collection may be served by another server");

    fault_port_clear(&world.port);
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_OK, in("e")->code, "the next list asks anew");
}

static void test_objects_that_cannot_be_read_fail_alone(void)
{
    prb_auto(prb_object_unref) struct prb_object *there = put_map("e");
    static const char *const odd[] = { "a", "b", "c", "d" };

    TEST_ASSERT_NOT_NULL(there);
    fault_port_spoil(&world.port, (struct fault){ .verb = "get",
                                          .resource = "configmaps",
                                          .code = PRB_E_IO,
                                          .status = 200,
                                          .times = 4 });
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        want_read_of("configmaps", odd[i]);
    want_read_of("configmaps", "e");
    TEST_ASSERT_EQUAL_INT(0, apply());
    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_IO, in(odd[i])->code, odd[i]);
    TEST_ASSERT_EQUAL_INT(PRB_OK, in("e")->code);
}

static void test_misses_that_do_not_follow_each_other_do_not_add_up(void)
{
    static const char *const slots[] = { "a", "b", "c", "d" };

    for (size_t i = 0; i < sizeof(slots) / sizeof(slots[0]); i++) {
        want_read_of("configmaps", slots[i]);
        want_read_of("secrets", slots[i]);
    }
    fault_port_spoil(&world.port,
            (struct fault){
                    .verb = "get", .resource = "configmaps", .code = PRB_E_IO, .times = -1 });
    TEST_ASSERT_EQUAL_INT(0, apply());
    TEST_ASSERT_EQUAL_INT(4, fault_port_count(&world.port, "get configmaps"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_read_finds_the_whole_object);
    RUN_TEST(test_absent_not_served_and_unknown_are_three_things);
    RUN_TEST(test_a_kind_is_found_by_what_it_is_called);
    RUN_TEST(test_that_there_is_no_such_kind_takes_a_fresh_look);
    RUN_TEST(test_what_is_defined_is_there_for_those_who_must_be_sure);
    RUN_TEST(test_what_another_kind_goes_by_is_not_meant);
    RUN_TEST(test_a_kind_that_a_fresh_look_finds_is_found);
    RUN_TEST(test_a_kind_that_could_not_be_looked_for_is_unknown);
    RUN_TEST(test_a_server_that_does_not_answer_is_not_asked_for_ever);
    RUN_TEST(test_objects_that_cannot_be_read_fail_alone);
    RUN_TEST(test_misses_that_do_not_follow_each_other_do_not_add_up);
    return UNITY_END();
}

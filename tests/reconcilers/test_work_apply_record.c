/* Is everything recorded before it is applied, and taken away when its manifest is gone? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/str.h"

#include "work_world.h"

void setUp(void)
{
    work_world_init();
}

void tearDown(void)
{
    work_world_done();
}

#define AMW "appliedmanifestworks hub-w1"
#define A CM_YAML("a", "x: '1'")
#define B CM_YAML("b", "x: '1'")
#define MANIFESTS(...) "{\"spec\":{\"workload\":{\"manifests\":[" __VA_ARGS__ "]}}}"
#define CM_JSON(version, kind, name)                                                       \
    "{\"apiVersion\":\"" version "\",\"kind\":\"" kind "\",\"metadata\":{\"name\":\"" name \
    "\",\"namespace\":\"default\"},\"data\":{\"x\":\"1\"}}"
#define RESOURCES "/status/appliedResources"

#define HOUR ((int64_t)1000 * 60 * 60)

static void check_recorded(void)
{
    TEST_ASSERT_EQUAL_STRING("a", at(APPLIED("w1"), RESOURCES "/0/name"));
    TEST_ASSERT_EQUAL_STRING("", at(APPLIED("w1"), RESOURCES "/0/uid"));
}

static void test_it_is_recorded_before_it_is_created(void)
{
    prb_auto(prb_object_unref) struct prb_object *a = NULL;

    hub_put(WORK_YAML("w1", "", A));
    (void)pass("w1");
    meanwhile("create configmaps", check_recorded);
    (void)pass("w1");
    a = live(CM("a"));
    TEST_ASSERT_NOT_NULL(a);
    TEST_ASSERT_EQUAL_STRING(a ? prb_object_uid(a) : "", at(APPLIED("w1"), RESOURCES "/0/uid"));
    TEST_ASSERT_EQUAL_STRING("configmaps", at(APPLIED("w1"), RESOURCES "/0/resource"));
    TEST_ASSERT_EQUAL_STRING("default", at(APPLIED("w1"), RESOURCES "/0/namespace"));
    TEST_ASSERT_EQUAL_STRING("v1", at(APPLIED("w1"), RESOURCES "/0/version"));
}

static void test_nothing_is_applied_that_cannot_be_recorded(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)pass("w1");
    fault("patch " AMW " status", PRB_E_FORBIDDEN, 2);
    (void)pass("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: not applied, because it could "
                             "not be recorded before: refused by the test",
            condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_INT64(1000, work_world.changes.retry_min_ms);
    (void)settle("w1");
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_a_conflict_on_the_record_is_no_news(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)pass("w1");
    fault("patch " AMW " status", PRB_E_CONFLICT, 1);
    (void)pass("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", condition("w1", -1, "Applied"));
    TEST_ASSERT_EQUAL_INT64(1000, work_world.changes.retry_min_ms);
}

/* A uid that is about to be wrong would have the new object taken for a stranger. */
static void test_what_is_made_anew_is_recorded_without_a_uid_first(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    erase(CM("a"));
    prb_fake_clock_advance(&work_world.clock, HOUR);
    meanwhile("create configmaps", check_recorded);
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "patch " AMW " status\n"
                             "create configmaps default/a\n"
                             "patch " AMW " status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING(at(CM("a"), "/metadata/uid"), at(APPLIED("w1"), RESOURCES "/0/uid"));
}

static void test_what_no_manifest_stands_for_goes(void)
{
    hub_put(WORK_YAML("w1", "", A ", " B));
    (void)settle("w1");
    set(WORK("w1"), NULL, MANIFESTS(CM_JSON("v1", "ConfigMap", "b")));
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("b", at(APPLIED("w1"), RESOURCES "/0/name"));
    TEST_ASSERT_EQUAL_STRING("", at(APPLIED("w1"), RESOURCES "/1/name"));
}

static void test_what_is_slow_to_go_stays_on_record(void)
{
    hub_put(WORK_YAML("w1", "", A ", " B));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    set(WORK("w1"), NULL, MANIFESTS(CM_JSON("v1", "ConfigMap", "b")));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("a", at(APPLIED("w1"), RESOURCES "/0/name"));
    TEST_ASSERT_NOT_NULL(work_world.changes.waits_for);
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("b", at(APPLIED("w1"), RESOURCES "/0/name"));
    TEST_ASSERT_NULL(work_world.changes.waits_for);
}

static void test_a_slip_of_the_pen_deletes_nothing(void)
{
    static const char *const slips[] = {
        MANIFESTS(CM_JSON("v1", "ConfigMab", "a")),
        MANIFESTS(CM_JSON("v1", "configmap", "a")),
        MANIFESTS(CM_JSON("", "ConfigMap", "a")),
        MANIFESTS(CM_JSON("a/b/c", "ConfigMap", "a")),
        MANIFESTS(CM_JSON("core/v1", "ConfigMap", "a")),
        MANIFESTS(CM_JSON("core/v1", "Configmap", "a")),
        "{\"spec\":{\"workload\":{\"manifests\":{\"a\":1}}}}",
        "{\"spec\":{\"workload\":{\"manifests\":\"all\"}}}",
        "{\"spec\":{\"workload\":[]}}",
        "{\"spec\":7}",
        MANIFESTS(CM_JSON("v1", "ConfigMap", "")),
        MANIFESTS("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}"),
        MANIFESTS("{}"),
        MANIFESTS("null"),
        MANIFESTS("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}"),
        MANIFESTS(
                "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}"),
    };

    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    for (size_t i = 0; i < sizeof(slips) / sizeof(slips[0]); i++) {
        set(WORK("w1"), NULL, slips[i]);
        (void)settle("w1");
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM("a")), slips[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE("a", at(APPLIED("w1"), RESOURCES "/0/name"), slips[i]);
    }
}

/* What is of another group, or made with another name each time, is no slip of this pen. */
static void test_what_a_broken_manifest_cannot_mean_goes(void)
{
    static const char *const others[] = {
        MANIFESTS("{\"apiVersion\":\"apps/v1\",\"kind\":\"Deployment\",\"metadata\":{}}"),
        MANIFESTS("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":"
                  "\"other\"}}"),
        MANIFESTS(CM_JSON("core/v1", "Config", "a")),
        MANIFESTS(CM_JSON("x.io/v1", "Foo", "a")),
        MANIFESTS("{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"namespace\":"
                  "\"default\",\"generateName\":\"a\"}}"),
    };

    hub_put(WORK_YAML("w1", "", A));
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        set(WORK("w1"), NULL, MANIFESTS(CM_JSON("v1", "ConfigMap", "a")));
        (void)settle("w1");
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM("a")), others[i]);
        set(WORK("w1"), NULL, others[i]);
        (void)settle("w1");
        TEST_ASSERT_FALSE_MESSAGE(is_there(CM("a")), others[i]);
    }
}

static void test_an_entry_that_is_malformed_stays(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    set(APPLIED("w1"), "status",
            "{\"status\":{\"appliedResources\":[{\"group\":\"\",\"resource\":\"configmaps\","
            "\"name\":\"..\",\"version\":\"v1\"}]}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("..", at(APPLIED("w1"), RESOURCES "/0/name"));
    TEST_ASSERT_EQUAL_STRING("a", at(APPLIED("w1"), RESOURCES "/1/name"));
}

/* Others say what is empty: that is no difference, and stays none. */
static void test_what_another_agent_has_recorded_is_read_as_it_is_meant(void)
{
    prb_auto(prb_str_done) struct prb_str patch;

    prb_str_init(&patch, 1000);
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    prb_str_addf(&patch,
            "{\"status\":{\"appliedResources\":[{\"group\":\"\",\"version\":\"v1\","
            "\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":\"a\",\"uid\":"
            "\"%s\"}]}}",
            at(CM("a"), "/metadata/uid"));
    set(APPLIED("w1"), "status", prb_str_get(&patch));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
}

static void test_the_pair_is_made_as_it_should_be(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING(
            "{\"agentID\":\"agent-1\",\"hubHash\":\"hub\",\"manifestWorkName\":\"w1\"}",
            at(APPLIED("w1"), "/spec"));
    TEST_ASSERT_EQUAL_STRING("b", at(APPLIED("w1"), "/metadata/labels/a"));
    TEST_ASSERT_EQUAL_STRING(PRB_APPLIED_FINALIZER, at(APPLIED("w1"), "/metadata/finalizers/0"));
    TEST_ASSERT_EQUAL_STRING(PRB_WORK_FINALIZER, at(WORK("w1"), "/metadata/finalizers/0"));
    set(APPLIED("w1"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    TEST_ASSERT_EQUAL_STRING("patch " AMW "\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING(PRB_APPLIED_FINALIZER, at(APPLIED("w1"), "/metadata/finalizers/0"));
    set(APPLIED("w1"), NULL, "{\"spec\":{\"agentID\":\"other\",\"more\":1}}");
    TEST_ASSERT_EQUAL_STRING("patch " AMW "\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("agent-1", at(APPLIED("w1"), "/spec/agentID"));
    TEST_ASSERT_EQUAL_STRING("1", at(APPLIED("w1"), "/spec/more"));
    (void)settle("w1");
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* A status that could not be written is written by the next pass, at no other cost. */
static void test_a_status_that_fails_costs_nothing_else(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)pass("w1");
    fault("patch manifestworks c1/w1 status", PRB_E_CONFLICT, 1);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_INT64(1000, work_world.changes.retry_min_ms);
    TEST_ASSERT_EQUAL_STRING("patch manifestworks c1/w1 status\n", pass("w1"));
    TEST_ASSERT_EQUAL_INT64(0, work_world.changes.retry_max_ms);
}

#define WIDGETS(group)                                                           \
    "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n" \
    "metadata: {name: widgets." group "}\n"                                      \
    "spec: {group: " group ", scope: Namespaced, names: {plural: widgets, "      \
    "kind: Widget}, versions: [{name: v1, served: true, storage: true}]}\n"
#define WIDGET(group)                                                                       \
    "---\napiVersion: " group "/v1\nkind: Widget\nmetadata: {name: x, namespace: default, " \
    "uid: u-" group ", ownerReferences: [{apiVersion: work.open-cluster-management.io/v1, " \
    "kind: AppliedManifestWork, name: hub-w1, uid: u-w1}]}\n"

static void check_uid_recorded(void)
{
    TEST_ASSERT_EQUAL_STRING("u-new.io", at(APPLIED("w1"), RESOURCES "/0/uid"));
}

/* Two groups may have the same object, whose manifest moves from one to the other: until the uid of
 * the new one is on record nobody knows. The caches are behind, and do not even know that it is. */
static void test_what_moves_to_another_group_is_not_deleted_by_a_cache_that_is_behind(void)
{
    spoke_put(WIDGETS("old.io") WIDGETS("new.io") WIDGET("old.io") WIDGET("new.io"));
    spoke_put("apiVersion: work.open-cluster-management.io/v1\nkind: AppliedManifestWork\n"
              "metadata: {name: hub-w1, uid: u-w1, finalizers: [" PRB_APPLIED_FINALIZER "]}\n"
              "spec: {hubHash: hub, agentID: agent-1, manifestWorkName: w1}\n"
              "status: {appliedResources: [{group: old.io, version: v1, resource: widgets, "
              "namespace: default, name: x, uid: u-old.io}]}\n");
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: new.io/v1, kind: Widget, metadata: {name: x, namespace: default}}"));
    work_world.stale = true;
    (void)pass("w1"); /* the finalizer of the work */
    meanwhile("delete widgets", check_uid_recorded);
    (void)pass("w1");
    work_world.stale = false;
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    TEST_ASSERT_FALSE(is_there("widgets.v1.old.io/default/x"));
    TEST_ASSERT_EQUAL_STRING("new.io", at(APPLIED("w1"), RESOURCES "/0/group"));
    TEST_ASSERT_EQUAL_STRING("", at(APPLIED("w1"), RESOURCES "/1/group"));
}

/* Works come and go by the thousand, each under a name of its own. */
static void test_nothing_is_remembered_of_what_is_gone(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    TEST_ASSERT_NOT_NULL(work_world.memory);
    erase(WORK("w1"));
    (void)settle("w1");
    TEST_ASSERT_FALSE(is_there(WORK("w1")));
    (void)pass("w1");
    TEST_ASSERT_NULL(work_world.memory);
}

/* Another agent, with another id, wants the same. */
static void test_two_agents_do_not_take_it_from_each_other_for_ever(void)
{
    size_t taken = 0;

    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    for (int second = 0; second < 600; second++) {
        set(APPLIED("w1"), NULL, "{\"spec\":{\"agentID\":\"other\"}}");
        taken += strstr(pass("w1"), "patch " AMW "\n") != NULL;
        (void)pass("w1");
        prb_fake_clock_advance(&work_world.clock, 1000);
    }
    TEST_ASSERT_EQUAL_size_t(3, taken);
    set(APPLIED("w1"), NULL, "{\"spec\":{\"agentID\":\"other\"}}");
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_NOT_NULL(work_world.changes.waits_for);
    TEST_ASSERT_TRUE(work_world.changes.again_after_ms > 0);

    /* The other one is gone: it is taken over in the end. */
    prb_fake_clock_advance(&work_world.clock, HOUR);
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("agent-1", at(APPLIED("w1"), "/spec/agentID"));
}

/* One entry of an object that was made anew, and one of what it was before: the first is done with,
 * the second is refused for now, and must not be forgotten for it. */
static void test_what_is_recorded_twice_is_forgotten_when_both_are_done_with(void)
{
    prb_auto(prb_str_done) struct prb_str patch;

    prb_str_init(&patch, 1000);
    hub_put(WORK_YAML("w1", "", A ", " B));
    (void)settle("w1");
    prb_str_addf(&patch,
            "{\"status\":{\"appliedResources\":[{\"version\":\"v1\",\"resource\":"
            "\"configmaps\",\"namespace\":\"default\",\"name\":\"a\",\"uid\":\"%s\"},{"
            "\"version\":\"v1\",\"resource\":\"configmaps\",\"namespace\":\"default\",\"name\":"
            "\"a\",\"uid\":\"before\"}]}}",
            at(CM("a"), "/metadata/uid"));
    set(APPLIED("w1"), "status", prb_str_get(&patch));
    set(WORK("w1"), NULL, MANIFESTS(CM_JSON("v1", "ConfigMap", "b")));
    fault("delete configmaps", PRB_E_FORBIDDEN, 1);
    (void)pass("w1");
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("a", at(APPLIED("w1"), RESOURCES "/0/name"));
    (void)settle("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("b", at(APPLIED("w1"), RESOURCES "/0/name"));
}

/* ---- another object under the same name ---- */

static char listed_uid[64];

static void note_uid(void)
{
    (void)snprintf(listed_uid, sizeof(listed_uid), "%s", at(APPLIED("w1"), RESOURCES "/0/uid"));
}

/* An agent that dies between the two must find its reference and no other uid beside it: otherwise
 * the object would be left for good. */
static void test_the_uid_of_another_life_is_off_the_record_before_a_reference_is_set(void)
{
    hub_put(WORK_YAML("w1", "", A));
    (void)settle("w1");
    TEST_ASSERT_NOT_EQUAL('\0', at(APPLIED("w1"), RESOURCES "/0/uid")[0]);
    erase(CM("a"));
    spoke_put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    (void)snprintf(listed_uid, sizeof(listed_uid), "not asked");
    meanwhile("update configmaps default/a", note_uid);
    prb_fake_clock_advance(&work_world.clock, HOUR);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("", listed_uid);
    TEST_ASSERT_EQUAL_STRING(at(CM("a"), "/metadata/uid"), at(APPLIED("w1"), RESOURCES "/0/uid"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_it_is_recorded_before_it_is_created);
    RUN_TEST(test_nothing_is_applied_that_cannot_be_recorded);
    RUN_TEST(test_a_conflict_on_the_record_is_no_news);
    RUN_TEST(test_what_is_made_anew_is_recorded_without_a_uid_first);
    RUN_TEST(test_what_no_manifest_stands_for_goes);
    RUN_TEST(test_what_is_slow_to_go_stays_on_record);
    RUN_TEST(test_a_slip_of_the_pen_deletes_nothing);
    RUN_TEST(test_what_a_broken_manifest_cannot_mean_goes);
    RUN_TEST(test_an_entry_that_is_malformed_stays);
    RUN_TEST(test_what_another_agent_has_recorded_is_read_as_it_is_meant);
    RUN_TEST(test_the_pair_is_made_as_it_should_be);
    RUN_TEST(test_a_status_that_fails_costs_nothing_else);
    RUN_TEST(test_what_moves_to_another_group_is_not_deleted_by_a_cache_that_is_behind);
    RUN_TEST(test_nothing_is_remembered_of_what_is_gone);
    RUN_TEST(test_two_agents_do_not_take_it_from_each_other_for_ever);
    RUN_TEST(test_what_is_recorded_twice_is_forgotten_when_both_are_done_with);
    RUN_TEST(test_the_uid_of_another_life_is_off_the_record_before_a_reference_is_set);
    return UNITY_END();
}

/* What if a manifest is wrong, a call fails, somebody else is faster, or says more? */

#include <string.h>
#include <unity.h>

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

static void change_manifests(void)
{
    set(WORK("w1"), NULL,
            "{\"spec\":{\"workload\":{\"manifests\":[{\"apiVersion\":\"v1\",\"kind\":"
            "\"ConfigMap\",\"metadata\":{\"name\":\"b\",\"namespace\":\"default\"},\"data\":{"
            "\"x\":\"2\"}}]}}}");
}

static void test_a_work_that_changes_in_the_middle_is_applied_as_it_is_then(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)pass("w1");
    meanwhile("create configmaps default/a", change_manifests);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_INT(0, work_world.result);
    TEST_ASSERT_EQUAL_STRING("2", at(CM("b"), "/data/x"));
    (void)settle("w1");
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("b", at(APPLIED("w1"), "/status/appliedResources/0/name"));
    TEST_ASSERT_EQUAL_STRING("", at(APPLIED("w1"), "/status/appliedResources/1"));
}

static void test_one_bad_manifest_holds_up_no_other(void)
{
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: v1, metadata: {name: x}}, " CM_YAML("a",
                    "x: '1'") ", "
                              "{apiVersion: v1, kind: ConfigMap, metadata: {generateName: g-, namespace: default}}, "
                              "{apiVersion: v1, kind: ConfigMap, metadata: {name: b}}, "
                              "{apiVersion: x.io/v1, kind: Foo, metadata: {name: f, namespace: default}}, "
                              "{apiVersion: v1, kind: configmap, metadata: {name: c, namespace: default}}, "
                              "{apiVersion: v1.hub.probate.dev/v1, kind: Secret, metadata: {name: s, namespace: c1}}"));
    TEST_ASSERT_EQUAL_INT(3, settle("w1"));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: the manifest has no kind",
            condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestComplete: applied", condition("w1", 1, "Applied"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied False AppliedManifestFailed: generateName is not supported: nobody could find "
            "the object again, give it a metadata.name",
            condition("w1", 2, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: ConfigMap is a namespaced kind, "
                             "and metadata.namespace is not set",
            condition("w1", 3, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: the cluster does not serve kind "
                             "Foo of x.io",
            condition("w1", 4, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: the cluster does not serve kind "
                             "configmap of the core group; ConfigMap is meant?",
            condition("w1", 5, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: group \"v1.hub.probate.dev\" is "
                             "not one of a cluster",
            condition("w1", 6, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Available True ResourceAvailable: the resource is there",
            condition("w1", 1, "Available"));
    TEST_ASSERT_EQUAL_STRING("Available False ResourceNotAvailable: the resource is not there",
            condition("w1", 4, "Available"));
    TEST_ASSERT_EQUAL_STRING(
            "Available False ResourcesNotAvailable: 6 of 7 resources are not there",
            condition("w1", -1, "Available"));
    TEST_ASSERT_EQUAL_INT64(30000, work_world.changes.retry_max_ms);
}

static void change_meanwhile(void)
{
    set(CM("a"), NULL, "{\"metadata\":{\"labels\":{\"theirs\":\"1\"}}}");
}

static void create_meanwhile(void)
{
    spoke_put("apiVersion: v1\nkind: ConfigMap\n"
              "metadata: {name: a, namespace: default, labels: {theirs: '1'}}\n");
}

static void erase_meanwhile(void)
{
    erase(CM("a"));
}

static void test_a_conflict_is_resolved_within_the_pass(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)pass("w1");
    meanwhile("create configmaps", create_meanwhile);
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "get configmaps default/a\n"
                             "create configmaps default/a\n"
                             "get configmaps default/a\n"
                             "get manifestworks c1/w1\n"
                             "update configmaps default/a\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/metadata/labels/theirs"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));

    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"},\"metadata\":{\"labels\":null}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    meanwhile("update configmaps", change_meanwhile);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/metadata/labels/theirs"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));

    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    meanwhile("update configmaps", erase_meanwhile);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_INT(0, work_world.result);
    TEST_ASSERT_EQUAL_INT(1, settle("w1"));
}

static void test_a_lasting_conflict_is_for_the_next_pass(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    fault("update configmaps", PRB_E_CONFLICT, 2);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_INT64(1000, work_world.changes.retry_min_ms);
    TEST_ASSERT_NOT_NULL_MESSAGE(
            work_world.changes.waits_for, "whoever looks for it finds it, and nobody is alarmed");
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestWorkComplete: all 1 manifests are applied",
            condition("w1", -1, "Applied"));
    TEST_ASSERT_EQUAL_INT(2, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
}

/* One that never ends is told. */
static void test_a_race_that_is_lost_again_is_a_failure(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    fault("update configmaps", PRB_E_CONFLICT, 4);
    (void)pass("w1");
    (void)pass("w1");
    TEST_ASSERT_NOT_NULL(strstr(condition("w1", -1, "Applied"),
            "Applied False AppliedManifestWorkFailed: 1 of 1 manifests is not applied"));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestWorkComplete: all 1 manifests are applied",
            condition("w1", -1, "Applied"));
}

/* What else there is to tell is told all the same, and so is a lost race then. */
static void test_a_lasting_conflict_hides_no_failure(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'") ", " CM_YAML("b", "x: '1'")));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    set(CM("b"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    fault("update configmaps default/a", PRB_E_CONFLICT, 2);
    fault("update configmaps default/b", PRB_E_FORBIDDEN, 1);
    (void)pass("w1");
    TEST_ASSERT_NOT_NULL(strstr(condition("w1", -1, "Applied"),
            "Applied False AppliedManifestWorkFailed: 2 of 2 manifests are not applied"));
}

static void test_a_refusal_is_told_and_tried_again(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'") ", " CM_YAML("b", "x: '1'")));
    (void)pass("w1");
    fault("create configmaps default/a", PRB_E_FORBIDDEN, 1);
    (void)pass("w1");
    TEST_ASSERT_EQUAL_INT(0, work_world.result);
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestWorkFailed: 1 of 2 manifests is not "
                             "applied: ConfigMap default/a: refused by the test",
            condition("w1", -1, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Available False ResourceNotAvailable: the resource is not there",
            condition("w1", 0, "Available"));
    TEST_ASSERT_TRUE(is_there(CM("b")));
    TEST_ASSERT_NOT_NULL(work_world.changes.waits_for);
    TEST_ASSERT_EQUAL_INT64(1000, work_world.changes.retry_min_ms);

    /* Only the one is tried again. */
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\n"
                             "create configmaps default/a\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_INT64(0, work_world.changes.retry_max_ms);
    TEST_ASSERT_NULL(work_world.changes.waits_for);
}

static void test_what_cannot_be_read_is_not_written(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    fault("get configmaps", PRB_E_UNAVAILABLE, 1);
    TEST_ASSERT_EQUAL_STRING(
            "get configmaps default/a\npatch manifestworks c1/w1 status\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("Available Unknown FetchingResourceFailed: it is not known whether "
                             "the resource is there",
            condition("w1", 0, "Available"));
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/data/x"));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
}

static void test_a_definition_and_its_instance_are_one_work(void)
{
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: x.io/v1, kind: Foo, metadata: {name: f, namespace: default}}, "
            "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, "
            "metadata: {name: foos.x.io}, spec: {group: x.io, scope: Namespaced, "
            "names: {plural: foos, singular: foo, kind: Foo}, "
            "versions: [{name: v1, served: true, storage: true}]}}"));
    TEST_ASSERT_GREATER_THAN_INT(0, settle("w1"));
    (void)settle("w1");
    TEST_ASSERT_TRUE(is_there("foos.v1.x.io/default/f"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestWorkComplete: all 2 manifests are applied",
            condition("w1", -1, "Applied"));
}

static void test_the_first_of_two_that_mean_the_same_is_applied(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'") ", " CM_YAML("a", "x: '2'")));
    TEST_ASSERT_EQUAL_INT(3, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestComplete: applied", condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied False AppliedManifestFailed: manifest 0 is configmaps default/a too, and comes "
            "first: only that one is applied",
            condition("w1", 1, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Available True ResourceAvailable: the resource is there",
            condition("w1", 1, "Available"));
    TEST_ASSERT_EQUAL_INT64(0, work_world.changes.retry_max_ms);
}

static void test_an_executor_is_refused_and_nothing_is_done(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(WORK("w1"), NULL,
            "{\"spec\":{\"executor\":{\"subject\":{\"type\":\"ServiceAccount\"}},\"workload\":{"
            "\"manifests\":[]}}}");
    TEST_ASSERT_EQUAL_STRING("patch manifestworks c1/w1 status\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("Applied False ExecutorNotSupported: spec.executor is not supported "
                             "yet: nothing of this work is applied or removed",
            condition("w1", -1, "Applied"));
    hub_put(WORK_YAML("w2", "executor: {}, ", CM_YAML("b", "x: '1'")));
    TEST_ASSERT_EQUAL_STRING("patch manifestworks c1/w2 status\n", pass("w2"));
    TEST_ASSERT_FALSE(is_there(CM("b")));
}

static void test_what_others_say_in_the_status_stays(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(WORK("w1"), "status",
            "{\"status\":{\"conditions\":[{\"type\":\"Complete\",\"status\":\"False\"}],"
            "\"resourceStatus\":{\"manifests\":[{\"resourceMeta\":{\"ordinal\":3,\"group\":\"\","
            "\"kind\":\"ConfigMap\",\"name\":\"a\",\"namespace\":\"default\"},\"statusFeedback\":{"
            "\"values\":[{\"name\":\"v\"}]},\"conditions\":[{\"type\":\"StatusFeedbackSynced\","
            "\"status\":\"True\",\"reason\":\"r\",\"message\":\"m\"}]}]}}}");
    TEST_ASSERT_EQUAL_STRING("patch manifestworks c1/w1 status\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING(
            "StatusFeedbackSynced True r: m", condition("w1", 0, "StatusFeedbackSynced"));
    TEST_ASSERT_EQUAL_STRING(
            "v", at(WORK("w1"), "/status/resourceStatus/manifests/0/statusFeedback/values/0/name"));
    TEST_ASSERT_EQUAL_STRING("Complete", at(WORK("w1"), "/status/conditions/0/type"));
    TEST_ASSERT_EQUAL_STRING(
            "0", at(WORK("w1"), "/status/resourceStatus/manifests/0/resourceMeta/ordinal"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
}

static void test_a_transition_has_the_time_of_the_change(void)
{
    char before[PRB_TIME_SIZE];

    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    TEST_ASSERT_TRUE(prb_copy(
            before, sizeof(before), at(WORK("w1"), "/status/conditions/0/lastTransitionTime")));
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    set(WORK("w1"), NULL, "{\"spec\":{\"workload\":{\"manifests\":[]}}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING(before, at(WORK("w1"), "/status/conditions/0/lastTransitionTime"));
    TEST_ASSERT_EQUAL_STRING("2", at(WORK("w1"), "/status/conditions/0/observedGeneration"));
}

/* ---- words that are others each time ---- */

/* Each would be a change of the work itself, and lead to the next pass at once, past any backoff.
 */
static void test_an_error_with_a_number_of_its_own_is_told_once(void)
{
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    fault("create configmaps", PRB_E_IO, 100);
    (void)pass("w1");
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("Applied False AppliedManifestFailed: read tcp "
                             "10.0.0.1:?->10.0.0.2:443: i/o timeout after ? milliseconds",
            condition("w1", 0, "Applied"));
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\ncreate configmaps default/a\n", pass("w1"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_work_that_changes_in_the_middle_is_applied_as_it_is_then);
    RUN_TEST(test_one_bad_manifest_holds_up_no_other);
    RUN_TEST(test_a_conflict_is_resolved_within_the_pass);
    RUN_TEST(test_a_lasting_conflict_is_for_the_next_pass);
    RUN_TEST(test_a_race_that_is_lost_again_is_a_failure);
    RUN_TEST(test_a_lasting_conflict_hides_no_failure);
    RUN_TEST(test_a_refusal_is_told_and_tried_again);
    RUN_TEST(test_what_cannot_be_read_is_not_written);
    RUN_TEST(test_a_definition_and_its_instance_are_one_work);
    RUN_TEST(test_the_first_of_two_that_mean_the_same_is_applied);
    RUN_TEST(test_an_executor_is_refused_and_nothing_is_done);
    RUN_TEST(test_what_others_say_in_the_status_stays);
    RUN_TEST(test_a_transition_has_the_time_of_the_change);
    RUN_TEST(test_an_error_with_a_number_of_its_own_is_told_once);
    return UNITY_END();
}

/* Are works applied, kept and recorded as they say? */

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

#define THREE                                                                        \
    CM_YAML("a", "x: '1'")                                                           \
    ", {apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: n1}, " \
    "spec: {replicas: 1}}, "                                                         \
    "{apiVersion: v1, kind: Namespace, metadata: {name: n1}}"

#define AMW "appliedmanifestworks hub-w1"

static void test_a_first_apply_writes_exactly_this(void)
{
    hub_put(WORK_YAML("w1", "", THREE));
    TEST_ASSERT_EQUAL_STRING("patch manifestworks c1/w1\n"
                             "create " AMW "\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "get namespaces n1\n"
                             "get configmaps default/a\n"
                             "get deployments n1/d\n"
                             "create namespaces n1\n"
                             "create configmaps default/a\n"
                             "create deployments n1/d\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_INT(0, work_world.result);
    TEST_ASSERT_NULL(work_world.changes.waits_for);
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("hub-w1", at(CM("a"), "/metadata/ownerReferences/0/name"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestWorkComplete: all 3 manifests are applied",
            condition("w1", -1, "Applied"));
    TEST_ASSERT_EQUAL_STRING("Available True ResourcesAvailable: all 3 resources are there",
            condition("w1", -1, "Available"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestComplete: applied", condition("w1", 1, "Applied"));
}

static void test_nothing_changed_costs_no_call(void)
{
    hub_put(WORK_YAML("w1", "", THREE));
    TEST_ASSERT_EQUAL_INT(3, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));

    /* Where nothing is watched, it is looked at again after the resync. */
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    TEST_ASSERT_EQUAL_STRING(
            "get namespaces n1\nget configmaps default/a\nget deployments n1/d\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_TRUE(work_world.changes.again_after_ms >= 240000);
    TEST_ASSERT_EQUAL_INT64(0, work_world.changes.retry_max_ms);
}

static void test_what_is_watched_is_created_without_a_look(void)
{
    watch("", "ConfigMap");
    watch("", "Namespace");
    watch("apps", "Deployment");
    hub_put(WORK_YAML("w1", "", THREE));
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "create namespaces n1\n"
                             "create configmaps default/a\n"
                             "create deployments n1/d\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));

    /* And never looked at again as long as it is the same. */
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
}

/* Nothing is written before all that has to be read was: ranks would not hold otherwise. */

static void test_what_needs_no_look_waits_for_what_does(void)
{
    watch("", "ConfigMap");
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: n1}}, "
            "{apiVersion: v1, kind: Namespace, metadata: {name: n1}}"));
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "get namespaces n1\n"
                             "create namespaces n1\n"
                             "create configmaps n1/a\n"
                             "patch " AMW " status\n"
                             "patch manifestworks c1/w1 status\n",
            pass("w1"));
}

/* What was read for one manifest is not taken for another that has got its place. */

static void test_a_cache_that_is_behind_costs_no_call(void)
{
    watch("", "ConfigMap");
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)pass("w1");
    work_world.stale = true;
    (void)pass("w1");
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_EQUAL_INT(0, work_world.result);
    erase(CM("a")); /* as a cache that has not seen it yet */
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_TRUE(work_world.changes.again_after_ms <= 2000);
    prb_fake_clock_advance(&work_world.clock, 2000);
    (void)pass("w1");
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_a_controller_that_writes_status_causes_no_read(void)
{
    watch("apps", "Deployment");
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: default}, "
            "spec: {replicas: 1}}"));
    (void)settle("w1");
    prb_fake_clock_advance(&work_world.clock, 60000);
    set("deployments.v1.apps/default/d", "status", "{\"status\":{\"readyReplicas\":1}}");
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));

    /* But not for ever: some kinds have a generation that stays 1, whatever happens to them. */
    prb_fake_clock_advance(&work_world.clock, PRB_EVICTION_GRACE_MS);
    TEST_ASSERT_EQUAL_STRING("get deployments default/d\n", pass("w1"));
    prb_fake_clock_advance(&work_world.clock, PRB_EVICTION_GRACE_MS);
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    set("deployments.v1.apps/default/d", NULL, "{\"spec\":{\"replicas\":7}}");
    TEST_ASSERT_EQUAL_STRING(
            "get deployments default/d\nupdate deployments default/d\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at("deployments.v1.apps/default/d", "/spec/replicas"));
    TEST_ASSERT_EQUAL_STRING("1", at("deployments.v1.apps/default/d", "/status/readyReplicas"));
}

static void test_drift_is_repaired(void)
{
    watch("", "ConfigMap");
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    prb_fake_clock_advance(&work_world.clock, 60000);
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\",\"y\":\"3\"}}");
    TEST_ASSERT_EQUAL_STRING("get configmaps default/a\nupdate configmaps default/a\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("{\"x\":\"1\"}", at(CM("a"), "/data"));
    TEST_ASSERT_EQUAL_INT(1, settle("w1"));

    erase(CM("a"));
    prb_fake_clock_advance(&work_world.clock, 60000);
    TEST_ASSERT_EQUAL_STRING("patch " AMW " status\n"
                             "create configmaps default/a\n"
                             "patch " AMW " status\n",
            pass("w1"));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_who_is_undone_again_and_again_gets_slower(void)
{
    size_t repairs = 0;

    watch("", "ConfigMap");
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");

    /* Somebody else undoes it whenever it is right, for two minutes. */
    for (int second = 0; second < 120; second++) {
        prb_fake_clock_advance(&work_world.clock, 1000);
        set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
        repairs += strstr(pass("w1"), "update") != NULL;
        TEST_ASSERT_TRUE(work_world.changes.again_after_ms > 0);
    }
    TEST_ASSERT_GREATER_THAN_size_t(4, repairs);
    TEST_ASSERT_LESS_THAN_size_t(9, repairs);
    TEST_ASSERT_NOT_NULL(strstr(condition("w1", 0, "Applied"), "somebody else changes it"));

    /* A clock that is set back by a day does not make it wait for one. */
    work_world.clock.now_ms -= (int64_t)1000 * 60 * 60 * 24;
    TEST_ASSERT_NOT_NULL(strstr(pass("w1"), "update"));
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");

    /* It comes right in the end, at once for a new manifest, and is patient no more after a while.
     */
    prb_fake_clock_advance(&work_world.clock, 240000);
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING(
            "Applied True AppliedManifestComplete: applied", condition("w1", 0, "Applied"));
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    (void)pass("w1");
    set(CM("a"), NULL, "{\"data\":{\"x\":\"2\"}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
}

static void test_a_field_that_is_gone_from_the_manifest_goes(void)
{
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: default}, "
            "spec: {replicas: 1, paused: true}}"));
    (void)settle("w1");
    set(WORK("w1"), NULL,
            "{\"spec\":{\"workload\":{\"manifests\":[{\"apiVersion\":\"apps/v1\",\"kind\":"
            "\"Deployment\",\"metadata\":{\"name\":\"d\",\"namespace\":\"default\"},\"spec\":{"
            "\"replicas\":1}}]}}}");
    TEST_ASSERT_EQUAL_INT(2, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("{\"replicas\":1}", at("deployments.v1.apps/default/d", "/spec"));
}

static void test_what_others_have_put_there_stays(void)
{
    spoke_put("apiVersion: v1\nkind: Secret\nmetadata: {name: s, namespace: default, uid: u-s}\n");
    hub_put(WORK_YAML("w1", "", CM_YAML("a", "x: '1'")));
    (void)settle("w1");
    set(CM("a"), NULL,
            "{\"metadata\":{\"labels\":{\"theirs\":\"1\"},\"finalizers\":[\"x/y\"],"
            "\"annotations\":{\"theirs\":\"2\"},\"ownerReferences\":[{\"apiVersion\":\"v1\","
            "\"kind\":\"Secret\",\"name\":\"s\",\"uid\":\"u-s\"}]},\"data\":{\"x\":\"2\"}}");
    prb_fake_clock_advance(&work_world.clock, (int64_t)1000 * 60 * 60);
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING("1", at(CM("a"), "/metadata/labels/theirs"));
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/metadata/annotations/theirs"));
    TEST_ASSERT_EQUAL_STRING("x/y", at(CM("a"), "/metadata/finalizers/0"));
    TEST_ASSERT_EQUAL_STRING("u-s", at(CM("a"), "/metadata/ownerReferences/0/uid"));
    TEST_ASSERT_EQUAL_STRING("hub-w1", at(CM("a"), "/metadata/ownerReferences/1/name"));
}

static void test_five_hundred_manifests(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, (size_t)1024 * 1024);
    prb_str_add(&yaml, "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n"
                       "metadata: {name: w1, namespace: c1}\nspec:\n  workload:\n    manifests:\n");
    for (int i = 0; i < 500; i++)
        prb_str_addf(&yaml, "    - " CM_YAML("cm-%d", "x: '%d'") "\n", i, i);
    hub_put(prb_str_get(&yaml));
    (void)pass("w1");
    (void)pass("w1");
    TEST_ASSERT_EQUAL_size_t(500, work_world.reads);
    TEST_ASSERT_EQUAL_size_t(503, work_world.writes);
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("499", at(CM("cm-499"), "/data/x"));
}

static void test_a_secret_of_plain_text_is_stored_as_the_server_does(void)
{
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: v1, kind: Secret, metadata: {name: s, namespace: default}, "
            "data: {a: eA==, b: eA==}, stringData: {b: hello}}"));
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING(
            "{\"a\":\"eA==\",\"b\":\"aGVsbG8=\"}", at("secrets.v1./default/s", "/data"));
    work_world.memory = (prb_json_free(work_world.memory), NULL);
    TEST_ASSERT_EQUAL_STRING("get secrets default/s\n", pass("w1"));
}

static void test_a_service_keeps_its_address(void)
{
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: v1, kind: Service, metadata: {name: s, namespace: default}, "
            "spec: {ports: [{port: 80}]}}"));
    (void)settle("w1");
    set("services.v1./default/s", NULL,
            "{\"spec\":{\"clusterIP\":\"10.0.0.1\",\"clusterIPs\":[\"10.0.0.1\"]}}");
    set(WORK("w1"), NULL,
            "{\"spec\":{\"workload\":{\"manifests\":[{\"apiVersion\":\"v1\",\"kind\":\"Service\","
            "\"metadata\":{\"name\":\"s\",\"namespace\":\"default\"},\"spec\":{\"ports\":[{"
            "\"port\":81}]}}]}}}");
    (void)settle("w1");
    TEST_ASSERT_EQUAL_STRING("10.0.0.1", at("services.v1./default/s", "/spec/clusterIP"));
    TEST_ASSERT_EQUAL_STRING("81", at("services.v1./default/s", "/spec/ports/0/port"));
}

/* As a server writes quantities. */

static void normalise(struct json_object *body)
{
    struct json_object *spec = prb_json_obj(body, "spec");

    if (prb_json_find(spec, "cpu"))
        prb_json_set_str(spec, "cpu", "1");
}

static void test_what_a_server_writes_in_another_way_is_not_written_for_ever(void)
{
    const char *d = "foos.v1.x.io/default/f";

    spoke_put("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"
              "metadata: {name: foos.x.io}\nspec: {group: x.io, scope: Namespaced, "
              "names: {plural: foos, singular: foo, kind: Foo}, "
              "versions: [{name: v1, served: true, storage: true}]}\n");
    watch("x.io", "Foo");
    mutate(normalise);
    hub_put(WORK_YAML("w1", "",
            "{apiVersion: x.io/v1, kind: Foo, metadata: {name: f, namespace: default}, "
            "spec: {cpu: 1000m, x: 1}}"));
    TEST_ASSERT_EQUAL_INT(3, settle("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(d, "/spec/cpu"));

    /* Seen again, since something else has changed, it is left as it is. */
    prb_fake_clock_advance(&work_world.clock, 60000);
    set(d, NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"],\"annotations\":{\"theirs\":\"1\"}}}");
    TEST_ASSERT_EQUAL_STRING("get foos default/f\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));

    /* And what differs by more than that is repaired. */
    set(d, NULL, "{\"spec\":{\"x\":2}}");
    prb_fake_clock_advance(&work_world.clock, 60000);
    TEST_ASSERT_EQUAL_STRING("get foos default/f\nupdate foos default/f\n", pass("w1"));
    TEST_ASSERT_EQUAL_STRING("1", at(d, "/spec/x"));
    TEST_ASSERT_EQUAL_STRING("", pass("w1"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_first_apply_writes_exactly_this);
    RUN_TEST(test_nothing_changed_costs_no_call);
    RUN_TEST(test_what_is_watched_is_created_without_a_look);
    RUN_TEST(test_what_needs_no_look_waits_for_what_does);
    RUN_TEST(test_a_cache_that_is_behind_costs_no_call);
    RUN_TEST(test_a_controller_that_writes_status_causes_no_read);
    RUN_TEST(test_drift_is_repaired);
    RUN_TEST(test_who_is_undone_again_and_again_gets_slower);
    RUN_TEST(test_a_field_that_is_gone_from_the_manifest_goes);
    RUN_TEST(test_what_others_have_put_there_stays);
    RUN_TEST(test_five_hundred_manifests);
    RUN_TEST(test_a_secret_of_plain_text_is_stored_as_the_server_does);
    RUN_TEST(test_a_service_keeps_its_address);
    RUN_TEST(test_what_a_server_writes_in_another_way_is_not_written_for_ever);
    return UNITY_END();
}

/* Are works applied, kept and recorded as they say? */

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

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_first_apply_writes_exactly_this);
    return UNITY_END();
}

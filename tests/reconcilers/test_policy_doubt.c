/* Where it is not known, or not its own: does a policy delete nothing, and end nevertheless? */

#include <string.h>
#include <unity.h>

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
}

void tearDown(void)
{
    policy_world_done();
}

#define ASSERT_HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))

#define A_YAML "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"

/* ---- versions ---- */

#define CRD "customresourcedefinitions.v1.apiextensions.k8s.io//widgets.test.dev"
#define VERSION(name, served, storage)                                      \
    "{\"name\":\"" name "\",\"served\":" served ",\"storage\":" storage "," \
    "\"schema\":{\"openAPIV3Schema\":{\"type\":\"object\"}}}"
#define WIDGETS                                                                                   \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                       \
    "metadata: {name: widgets.test.dev}\n"                                                        \
    "spec: {group: test.dev, scope: Namespaced, names: {plural: widgets, singular: widget, "      \
    "kind: Widget, listKind: WidgetList}, versions: [" VERSION("v1", "true", "true") "," VERSION( \
            "v2", "true", "false") "]}\n"

static void serve_only_the_first(void)
{
    set(CRD, NULL,
            "{\"spec\":{\"versions\":[" VERSION("v1", "true", "true") "," VERSION(
                    "v2", "false", "false") "]}}");
}

/* What is remembered of discovery may be a version that has just ended. */
static void test_a_version_that_is_not_served_any_more_does_not_count_as_gone(void)
{
    put(WIDGETS);
    put(POLICY_YAML("p", ENFORCE IF_CREATED,
            TEMPLATE("musthave", "{apiVersion: test.dev/v1, kind: Widget, metadata: {name: w, "
                                 "namespace: default}}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there("widgets.v1.test.dev/default/w"));
    erase(P);
    meanwhile("get widgets", serve_only_the_first);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    (void)settle();
    TEST_ASSERT_FALSE(is_there("widgets.v1.test.dev/default/w"));
    TEST_ASSERT_FALSE(is_there(P));
}

/* ---- what it has not created ---- */

static void test_what_it_did_not_create_holds_no_policy_though_it_cannot_be_read(void)
{
    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    fault("get configmaps", PRB_E_FORBIDDEN, 100);
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- namespaces ---- */

#define CM_IN(namespace, name) "configmaps.v1./" namespace "/" name
#define ANYWHERE "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"
#define SELECT(labels) "namespaceSelector: {matchLabels: {" labels "}},"

/* The label came before the policy asked for it; the caches have it the other way round. */
static void test_nothing_is_pruned_on_the_word_of_a_cache_of_namespaces(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: t1, labels: {team: a}}\n");
    put(POLICY_YAML("p", ENFORCE ALL SELECT("team: a"), TEMPLATE("musthave", ANYWHERE)));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    set(P, NULL, "{\"spec\":{\"namespaceSelector\":{\"matchLabels\":{\"team\":\"b\"}}}}");
    see();
    set("namespaces.v1.//t1", NULL, "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
    policy_world.blind = true;
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    policy_world.blind = false;
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
}

static void test_nothing_is_pruned_while_a_namespace_cannot_be_read(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: t1, labels: {team: a}}\n");
    put(POLICY_YAML("p", ENFORCE ALL SELECT("team: a"), TEMPLATE("musthave", ANYWHERE)));
    (void)settle();
    set("namespaces.v1.//t1", NULL, "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
    fault("get namespaces", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM_IN("t1", "a")));
}

/* It has left the selection, and was given what must not be in it. */
static void test_nothing_is_deleted_in_a_namespace_that_is_not_meant_any_more(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: t1, labels: {team: a}}\n");
    put(POLICY_YAML("p", ENFORCE SELECT("team: a"), TEMPLATE("mustnothave", ANYWHERE)));
    (void)settle();
    see();
    set("namespaces.v1.//t1", NULL, "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: t1}\n");
    policy_world.blind = true;
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    policy_world.blind = false;
    set("namespaces.v1.//t1", NULL, "{\"metadata\":{\"labels\":{\"team\":\"a\"}}}");
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM_IN("t1", "a")));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_version_that_is_not_served_any_more_does_not_count_as_gone);
    RUN_TEST(test_what_it_did_not_create_holds_no_policy_though_it_cannot_be_read);
    RUN_TEST(test_nothing_is_pruned_on_the_word_of_a_cache_of_namespaces);
    RUN_TEST(test_nothing_is_pruned_while_a_namespace_cannot_be_read);
    RUN_TEST(test_nothing_is_deleted_in_a_namespace_that_is_not_meant_any_more);
    return UNITY_END();
}

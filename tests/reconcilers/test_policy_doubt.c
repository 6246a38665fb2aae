/* Where it is not known, or not its own: does a policy delete nothing, and end nevertheless? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

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

/* ---- made again ---- */

#define RECREATE(option)                                 \
    "{complianceType: musthave, recreateOption: " option \
    ", objectDefinition: " CM_YAML("a", "x: '1'") "}"

/* What is wrong with the template is wrong with whatever is made of it. */
static void test_what_could_not_be_made_again_is_not_deleted(void)
{
    static const char *const templates[] = { RECREATE("IfRequired"), RECREATE("Always") };

    for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
        prb_autofree char *policy =
                prb_asprintf(POLICY_YAML("p", ENFORCE IF_CREATED, "%s"), templates[i]);
        const char *uid;

        put(A_YAML);
        put(policy);
        uid = at(CM("a"), "/metadata/uid");
        fault("update configmaps", PRB_E_INVALID, 100);
        fault("try configmaps", PRB_E_INVALID, 100);
        fault("create configmaps", PRB_E_INVALID, 100);
        (void)settle();
        TEST_ASSERT_EQUAL_STRING_MESSAGE(uid, at(CM("a"), "/metadata/uid"), templates[i]);
        ASSERT_HAS(message(0), "could not be made again: refused by the test");
        policy_world_done();
        policy_world_init();
    }
}

/* A webhook that guards it says so as it likes. */
static void test_an_update_that_was_refused_deletes_nothing(void)
{
    const char *uid;

    put(A_YAML);
    put(POLICY_YAML("p", ENFORCE IF_CREATED, RECREATE("IfRequired")));
    uid = at(CM("a"), "/metadata/uid");
    refuse("update configmaps", 400, 100);
    (void)settle();
    TEST_ASSERT_EQUAL_STRING(uid, at(CM("a"), "/metadata/uid"));
    ASSERT_HAS(message(0), "configmaps default/a: refused by the test");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_version_that_is_not_served_any_more_does_not_count_as_gone);
    RUN_TEST(test_what_it_did_not_create_holds_no_policy_though_it_cannot_be_read);
    RUN_TEST(test_nothing_is_pruned_on_the_word_of_a_cache_of_namespaces);
    RUN_TEST(test_nothing_is_pruned_while_a_namespace_cannot_be_read);
    RUN_TEST(test_nothing_is_deleted_in_a_namespace_that_is_not_meant_any_more);
    RUN_TEST(test_what_could_not_be_made_again_is_not_deleted);
    RUN_TEST(test_an_update_that_was_refused_deletes_nothing);
    return UNITY_END();
}

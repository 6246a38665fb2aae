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

/* ---- creations under way ---- */

/* The second CREATE says nothing of the first, which may be held by a webhook still. */
static void test_a_refusal_after_an_unanswered_creation_is_waited_for(void)
{
    static const char *const cases[] = { "the same process", "another process" };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
        (void)pass();
        fault("create configmaps", PRB_E_IO, 1);
        (void)pass();
        if (i == 1)
            restart();
        fault("create configmaps", PRB_E_FORBIDDEN, 100);
        (void)pass();
        erase(P);
        (void)pass();
        TEST_ASSERT_TRUE_MESSAGE(is_there(P), cases[i]);
        ASSERT_HAS(message(0), "may still be under way");
        later(31000);
        (void)settle();
        TEST_ASSERT_FALSE_MESSAGE(is_there(P), cases[i]);
        policy_world_done();
        policy_world_init();
    }
}

/* Both are sent under one intent: what became of the one says nothing of the other. */
static void test_a_refusal_of_one_half_says_nothing_of_the_other(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "x: '1'") "," HAS("a", "y: '2'")));
    (void)pass();
    fault("create configmaps", PRB_E_FORBIDDEN, 1);
    fault("create configmaps", PRB_E_IO, 1);
    (void)pass();
    erase(P);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(P));
    ASSERT_HAS(message(0), "may still be under way");
    later(31000);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
}

/* ---- words that are others each time ---- */

/* Each would be a change of the policy itself, and lead to the next evaluation at once. */
static void test_an_error_with_a_number_of_its_own_is_told_once(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    fault("create configmaps", PRB_E_UNAVAILABLE, 100);
    (void)pass();
    (void)pass();
    ASSERT_HAS(message(0), "read tcp 10.0.0.1:?->10.0.0.2:443: i/o timeout after ? milliseconds");
    TEST_ASSERT_EQUAL_STRING("create configmaps default/a\n", strstr(pass(), "create"));
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.events));
}

static void test_a_prune_that_fails_in_other_words_is_told_once(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    fault("delete configmaps", PRB_E_UNAVAILABLE, 100);
    erase(P);
    (void)pass();
    ASSERT_HAS(message(0), "read tcp 10.0.0.1:?->10.0.0.2:443");
    (void)pass();
    TEST_ASSERT_EQUAL(1, policy_world.writes);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&policy_world.events));
}

/* ---- without a name ---- */

#define POLICY_JSON(metadata)                                                            \
    "{\"complianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":"             \
    "\"policy.open-cluster-management.io/v1\",\"kind\":\"ConfigurationPolicy\"" metadata \
    ",\"spec\":{\"remediationAction\":\"inform\",\"object-templates\":[]}}}"

static void test_a_template_that_loses_its_name_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED,
            POLICY_JSON(",\"metadata\":{\"name\":\"q\",\"namespace\":\"default\"}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(POLICY_REF("q")));
    set(P, NULL, TEMPLATES_JSON(POLICY_JSON("")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(POLICY_REF("q")));
    ASSERT_HAS(related("q"), "Compliant true ");
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(POLICY_REF("q")));
}

/* ---- values of any type ---- */

static const char policy_json[] =
        "{\"apiVersion\":\"policy.open-cluster-management.io/v1\",\"kind\":\"ConfigurationPolicy\","
        "\"metadata\":{\"name\":\"p\",\"namespace\":\"default\"},"
        "\"spec\":{\"remediationAction\":\"enforce\",\"pruneObjectBehavior\":\"DeleteIfCreated\","
        "\"namespaceSelector\":{\"include\":[\"def*\"],\"exclude\":[\"kube-*\"],"
        "\"matchLabels\":{},\"matchExpressions\":[{\"key\":\"a\",\"operator\":\"DoesNotExist\"}]},"
        "\"evaluationInterval\":{\"compliant\":\"watch\",\"noncompliant\":\"10s\"},"
        "\"customMessage\":{\"compliant\":\"x\"},\"object-templates\":["
        "{\"complianceType\":\"musthave\",\"recreateOption\":\"None\","
        "\"metadataComplianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":\"v1\","
        "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\",\"labels\":{\"x\":\"1\"},"
        "\"annotations\":{\"y\":\"2\"}},\"data\":{\"z\":\"3\"}}},"
        "{\"complianceType\":\"musthave\",\"objectDefinition\":{\"apiVersion\":\"v1\","
        "\"kind\":\"Secret\",\"metadata\":{\"name\":\"s\",\"namespace\":\"default\"},"
        "\"stringData\":{\"z\":\"3\"},\"data\":{\"y\":\"eA==\"},\"status\":{\"phase\":\"x\"}}},"
        "{\"complianceType\":\"mustnothave\",\"objectDefinition\":{\"apiVersion\":\"v1\","
        "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"c\",\"namespace\":\"default\"}}}]},"
        "\"status\":{\"compliant\":\"Compliant\",\"lastEvaluated\":\"2026-01-01T00:00:00Z\","
        "\"lastEvaluatedGeneration\":1,\"compliancyDetails\":[{\"Compliant\":\"Compliant\","
        "\"conditions\":[{\"type\":\"notification\",\"status\":\"True\",\"reason\":\"x\","
        "\"message\":\"x\",\"lastTransitionTime\":\"2026-01-01T00:00:00Z\"}]}],"
        "\"history\":[{\"lastTimestamp\":\"2026-01-01T00:00:00Z\",\"message\":\"x\"}],"
        "\"relatedObjects\":[{\"compliant\":\"Compliant\",\"reason\":\"x\",\"object\":{"
        "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"b\","
        "\"namespace\":\"default\"}},\"properties\":{\"createdByPolicy\":true,\"uid\":\"old\"}},"
        "{\"object\":{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
        "\"namespace\":\"default\"}},\"properties\":{\"createdByPolicy\":true,"
        "\"uid\":\"creating-1767225600000-0123456789abcdef\"}}]}}";

static struct json_object *parse(const char *text)
{
    struct json_object *tree = NULL;
    struct prb_error err;

    (void)prb_json_parse(text, strlen(text), NULL, &tree, &err);
    return tree;
}

/* Put a value in the place of the n-th of all that is in the tree; false: there are not so many. */
static bool replace(struct json_object *tree, size_t *n, struct json_object *value)
{
    if (json_object_is_type(tree, json_type_array)) {
        for (size_t i = 0; i < json_object_array_length(tree); i++) {
            if ((*n)-- == 0)
                return json_object_array_put_idx(tree, i, json_object_get(value)) == 0;
            if (replace(json_object_array_get_idx(tree, i), n, value))
                return true;
        }
    } else if (json_object_is_type(tree, json_type_object)) {
        json_object_object_foreach (tree, key, member) {
            if ((*n)-- == 0)
                return json_object_object_add(tree, key, json_object_get(value)) == 0;
            if (replace(member, n, value))
                return true;
        }
    }
    return false;
}

/* Where the policy cannot even be stored so, there is nothing to be seen. False: `n` is past it. */
static bool play_with(size_t n, const char *value_text)
{
    prb_auto(prb_json_free) struct json_object *tree = parse(policy_json);
    prb_auto(prb_json_free) struct json_object *value = parse(value_text);
    prb_autofree char *text = NULL;
    struct prb_error err;

    if (!replace(tree, &n, value))
        return false;
    text = prb_json_text(tree, false);
    put(A_YAML);
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: default}\n");
    if (prb_hub_load_text(policy_world.hub, text, strlen(text), &err) == 0 && is_there(P)) {
        (void)settle();
        erase(P);
        later(31000);
        (void)settle();
    }
    return true;
}

/* What was there before is there after, whatever was written in the place of anything. */
static void test_a_value_of_any_type_anywhere_deletes_nothing(void)
{
    static const char *const values[] = { "null", "true", "-7", "1e300", "\"x\"", "\"\"",
        "\"creating-\"", "[]", "[7,null,\"x\",{},[]]", "{}", "{\"name\":7,\"x\":[null]}" };
    bool is_more = true;

    for (size_t n = 0; is_more; n++) {
        for (size_t i = 0; is_more && i < sizeof(values) / sizeof(values[0]); i++) {
            is_more = play_with(n, values[i]);
            TEST_ASSERT_TRUE_MESSAGE(!is_more || is_there(CM("a")), values[i]);
            TEST_ASSERT_TRUE_MESSAGE(!is_more || is_there(CM("b")), values[i]);
            policy_world_done();
            policy_world_init();
        }
        is_more = is_more && n < 1000;
    }
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
    RUN_TEST(test_a_refusal_after_an_unanswered_creation_is_waited_for);
    RUN_TEST(test_a_refusal_of_one_half_says_nothing_of_the_other);
    RUN_TEST(test_an_error_with_a_number_of_its_own_is_told_once);
    RUN_TEST(test_a_prune_that_fails_in_other_words_is_told_once);
    RUN_TEST(test_a_template_that_loses_its_name_prunes_nothing);
    RUN_TEST(test_a_value_of_any_type_anywhere_deletes_nothing);
    return UNITY_END();
}

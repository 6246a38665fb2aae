/* When an object leaves a policy: does it go if it should, and only then? */

#include <string.h>
#include <unity.h>

#include "policy_world.h"

void setUp(void)
{
    policy_world_init();
    watch("", "ConfigMap");
}

void tearDown(void)
{
    policy_world_done();
}

#define ASSERT_HAS(text, part) TEST_ASSERT_NOT_NULL_MESSAGE(strstr((text), (part)), (text))
#define CM_IN(namespace, name) "configmaps.v1./" namespace "/" name

/* ---- what leaves ---- */

static void test_a_name_that_changes_prunes_the_old_and_makes_the_new(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

static void test_a_namespace_that_changes_prunes_the_old_and_makes_the_new(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: other}\n");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"musthave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                           "\"name\":\"a\",\"namespace\":\"other\"}}}"));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM_IN("other", "a")));
}

static void test_a_template_that_is_removed_prunes_its_object(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
}

static void test_no_templates_at_all_prune_everything(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(""));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("[]", at(P, "/status/relatedObjects"));
}

static void test_a_selector_that_shrinks_prunes_what_it_leaves(void)
{
    put("apiVersion: v1\nkind: Namespace\nmetadata: {name: t1, labels: {team: a}}\n---\n"
        "apiVersion: v1\nkind: Namespace\nmetadata: {name: t2, labels: {team: a}}\n");
    put(POLICY_YAML("p", ENFORCE IF_CREATED "namespaceSelector: {matchLabels: {team: a}},",
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    TEST_ASSERT_TRUE(is_there(CM_IN("t2", "a")));
    TEST_ASSERT_FALSE(is_there(CM("a")));
    set("namespaces.v1.//t2", NULL, "{\"metadata\":{\"labels\":{\"team\":\"b\"}}}");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM_IN("t1", "a")));
    TEST_ASSERT_FALSE(is_there(CM_IN("t2", "a")));
}

static void test_mustnothave_and_another_name_at_once_leave_neither(void)
{
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: b, namespace: default}\n");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"mustnothave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                           "\"name\":\"b\",\"namespace\":\"default\"}}}"));
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("Compliant Resource not found as expected", related("b"));
}

static void test_what_the_policy_did_not_create_is_left_and_forgotten(void)
{
    put("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n");
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

/* ---- what stays ---- */

/* Shipped once: objects were pruned on change although the behaviour was None. */
static void test_none_prunes_nothing_on_change(void)
{
    put(POLICY_YAML("p", ENFORCE NONE, HAS("a", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

static void test_inform_prunes_nothing_on_change(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL,
            "{\"spec\":{\"remediationAction\":\"inform\",\"object-templates\":[" CM_JSON(
                    "b") "]}}");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

static void test_content_that_changes_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "x: '1'")));
    (void)settle();
    const char *uid = at(CM("a"), "/metadata/uid");
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"musthave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                           "\"name\":\"a\",\"namespace\":\"default\"},\"data\":{\"x\":\"2\"}}}"));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("2", at(CM("a"), "/data/x"));
    TEST_ASSERT_EQUAL_STRING(uid, at(CM("a"), "/metadata/uid"));
    ASSERT_HAS(related("a"), "Compliant true ");
}

#define WIDGETS                                                                                \
    "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n"                    \
    "metadata: {name: widgets.test.dev}\n"                                                     \
    "spec: {group: test.dev, scope: Namespaced, names: {plural: widgets, singular: widget, "   \
    "kind: Widget, listKind: WidgetList}, versions: [{name: v1, served: true, storage: true, " \
    "schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false, "    \
    "schema: {openAPIV3Schema: {type: object}}}]}\n"
#define W "widgets.v1.test.dev/default/w"

/* The same object, in another version of its group. */
static void test_another_version_is_the_same_object(void)
{
    const char *uid;

    put(WIDGETS);
    put(POLICY_YAML("p", ENFORCE ALL,
            TEMPLATE("musthave", "{apiVersion: test.dev/v1, kind: Widget, metadata: {name: w, "
                                 "namespace: default}}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(W));
    set(P, NULL,
            TEMPLATES_JSON("{\"complianceType\":\"musthave\",\"objectDefinition\":{"
                           "\"apiVersion\":\"test.dev/v2\",\"kind\":\"Widget\",\"metadata\":{"
                           "\"name\":\"w\",\"namespace\":\"default\"}}}"));
    uid = at(W, "/metadata/uid");
    (void)settle();
    TEST_ASSERT_EQUAL_STRING(uid, at(W, "/metadata/uid"));
    TEST_ASSERT_EQUAL_STRING("test.dev/v2", at(P, "/status/relatedObjects/0/object/apiVersion"));
    ASSERT_HAS(related("w"), "Compliant true ");
}

/* Whoever wrote the status called the kind something else: design 003 itself says "pods". */
static void test_what_is_recorded_by_another_name_of_its_kind_stays(void)
{
    char status[512];
    const char *uid;

    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    uid = at(CM("a"), "/metadata/uid");
    (void)snprintf(status, sizeof(status),
            "{\"status\":{\"relatedObjects\":[{\"object\":{\"apiVersion\":\"v1\",\"kind\":"
            "\"configmaps\",\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}},"
            "\"properties\":{\"createdByPolicy\":true,\"uid\":\"%s\"}}]}}",
            uid);
    set(P, "status", status);
    (void)settle();
    TEST_ASSERT_EQUAL_STRING(uid, at(CM("a"), "/metadata/uid"));
    TEST_ASSERT_EQUAL_STRING("ConfigMap", at(P, "/status/relatedObjects/0/object/kind"));
    TEST_ASSERT_EQUAL_STRING("", at(P, "/status/relatedObjects/1"));
}

/* Two templates for one object: one of them going is not the object going. */
static void test_an_object_that_another_template_still_means_stays(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "x: '1'") ", " HAS("a", "z: '2'")));
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("{\"x\":\"1\",\"z\":\"2\"}", at(CM("a"), "/data"));
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
}

/* ---- errors prune nothing, and lose nothing ---- */

#define BROKEN(type, definition) \
    "{\"complianceType\":\"" type "\",\"objectDefinition\":" definition "}"

static const struct {
    const char *name, *templates, *says;
} errors[] = {
    { "a Go template",
            BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"name\":\"{{ x }}\",\"namespace\":\"default\"}}"),
            "a Go template ({{ }}) is not supported yet" },
    { "an encrypted value",
            BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"name\":\"a\",\"namespace\":\"default\"},\"data\":{\"key\":"
                               "\"$ocm_encrypted:VBQ7\"}}"),
            "encrypted ($ocm_encrypted:) is not supported yet" },
    { "mustonlyhave",
            BROKEN("mustonlyhave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                                   "\"name\":\"a\",\"namespace\":\"default\"}}"),
            "complianceType mustonlyhave is not supported yet" },
    { "no name", BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\"}"),
            "a template without metadata.name is not supported yet" },
    { "no kind", BROKEN("musthave", "{\"apiVersion\":\"v1\"}"), "has no apiVersion or no kind" },
    { "a kind that is not served",
            BROKEN("musthave", "{\"apiVersion\":\"none.dev/v1\",\"kind\":\"Nothing\",\"metadata\":{"
                               "\"name\":\"a\",\"namespace\":\"default\"}}"),
            "the cluster does not serve kind Nothing of none.dev" },
    { "no namespace",
            BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"name\":\"a\"}}"),
            "ConfigMap is a namespaced kind, and neither metadata.namespace" },
    { "a name that is no text",
            BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"name\":7,\"namespace\":\"default\"}}"),
            "metadata.name is no text" },
    { "a name that is impossible",
            BROKEN("musthave", "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{"
                               "\"name\":\"a/b\",\"namespace\":\"default\"}}"),
            "apiVersion, namespace or name is not possible" },
};

/* Shipped once: a template that became invalid pruned what it had stood for. And never mended: what
 * was known of the others was forgotten. */
static void test_a_template_error_prunes_nothing_and_loses_nothing(void)
{
    for (size_t i = 0; i < sizeof(errors) / sizeof(errors[0]); i++) {
        char patch[2048];
        const char *before;

        put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS("b", "")));
        (void)settle();
        before = related("a");
        (void)snprintf(patch, sizeof(patch), "{\"spec\":{\"object-templates\":[%s,%s]}}",
                errors[i].templates, CM_JSON("b"));
        set(P, NULL, patch);
        (void)settle();
        ASSERT_HAS(message(0), errors[i].says);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "NonCompliant", at(P, "/status/compliant"), errors[i].name);
        TEST_ASSERT_TRUE_MESSAGE(is_there(CM("a")), errors[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(before, related("a"), errors[i].name);

        /* What was known is known, and used, when the error is gone. */
        set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
        (void)settle();
        TEST_ASSERT_FALSE_MESSAGE(is_there(CM("a")), errors[i].name);
        policy_world_done();
        policy_world_init();
        watch("", "ConfigMap");
    }
}

static void test_a_policy_that_is_not_supported_at_all_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "")));
    (void)settle();
    set(P, NULL, "{\"spec\":{\"object-templates\":null,\"object-templates-raw\":\"- x\"}}");
    (void)settle();
    ASSERT_HAS(message(0), "spec.object-templates-raw is not supported yet");
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "true ");
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
}

static void test_a_selector_that_is_none_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED "namespaceSelector: {include: [def*]},",
            TEMPLATE("musthave", "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    set(P, NULL, "{\"spec\":{\"namespaceSelector\":{\"include\":[\"[\"]}}}");
    (void)settle();
    ASSERT_HAS(message(0), "spec.namespaceSelector: \"[\" is no pattern");
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "true ");
}

/* Never mended: a GET that failed dropped the entry, and the next one pruned it. */
static void test_a_transient_error_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    const char *before = related("a");
    restart();
    fault("get configmaps default/a", PRB_E_UNAVAILABLE, 1);
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a")));
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_TRUE(is_there(CM("b")));
    ASSERT_HAS(related("a"), strchr(before, ' ') ? "true " : "?");
    ASSERT_HAS(related("b"), "true ");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(CM("b")));
    TEST_ASSERT_EQUAL_STRING(before, related("a"));
}

static void test_a_kind_that_nobody_can_tell_prunes_nothing(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    policy_world_done();
    policy_world_init();
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a")));
    fault("resolve", PRB_E_UNAVAILABLE, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("b")));
    ASSERT_HAS(related("b"), "true ");
}

/* ---- what could not be deleted ---- */

/* Never mended: an object that could not be deleted on change was forgotten for good. */
static void test_a_prune_on_change_that_fails_is_retried(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    fault("delete configmaps default/a", PRB_E_FORBIDDEN, 1);
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "NonCompliant true ");
    ASSERT_HAS(related("a"), "Error cleaning up child objects");
    TEST_ASSERT_EQUAL_STRING("NonCompliant", at(P, "/status/compliant"));
    ASSERT_HAS(at(P, "/status/history/0/message"),
            "of what templates do not mean any more, 1 of 1 related objects is left: ConfigMap default/a "
            "(it could not be deleted: refused by the test)");
    TEST_ASSERT_TRUE(policy_world.changes.retry_max_ms > 0);
    restart();
    (void)settle();
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

static void test_a_prune_on_change_waits_for_a_finalizer(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":[\"x/y\"]}}");
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    (void)settle();
    ASSERT_HAS(related("a"), " Cleaning up child objects");
    ASSERT_HAS(policy_world.changes.waits_for, "held by finalizer x/y");
    set(CM("a"), NULL, "{\"metadata\":{\"finalizers\":null}}");
    (void)settle();
    TEST_ASSERT_EQUAL_STRING("", related("a"));
}

static void test_what_is_left_is_forgotten_when_pruning_is_switched_off(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    fault("delete configmaps default/a", PRB_E_FORBIDDEN, 1);
    (void)pass();
    set(P, NULL, "{\"spec\":{\"pruneObjectBehavior\":\"None\"}}");
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    TEST_ASSERT_EQUAL_STRING("", related("a"));
    TEST_ASSERT_EQUAL_STRING("Compliant", at(P, "/status/compliant"));
}

static void test_what_is_left_and_wanted_again_stays(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    fault("delete configmaps default/a", PRB_E_FORBIDDEN, 1);
    (void)pass();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a") "," CM_JSON("b")));
    (void)settle();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    ASSERT_HAS(related("a"), "Compliant true ");
}

static void test_a_leaving_entry_goes_with_the_policy(void)
{
    put(POLICY_YAML("p", ENFORCE IF_CREATED, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    fault("delete configmaps default/a", PRB_E_FORBIDDEN, 1);
    (void)pass();
    erase(P);
    (void)settle();
    TEST_ASSERT_FALSE(is_there(P));
    TEST_ASSERT_FALSE(is_there(CM("a")));
    TEST_ASSERT_FALSE(is_there(CM("b")));
}

static void want_it_again(void)
{
    set(P, NULL, TEMPLATES_JSON(CM_JSON("a") "," CM_JSON("b")));
}

/* The cache has not seen yet that the template is back. */
static void test_nothing_is_pruned_on_the_word_of_a_cache(void)
{
    put(POLICY_YAML("p", ENFORCE ALL, HAS("a", "") ", " HAS("b", "")));
    (void)settle();
    set(P, NULL, TEMPLATES_JSON(CM_JSON("b")));
    see();
    want_it_again();
    policy_world.blind = true;
    (void)pass();
    TEST_ASSERT_TRUE(is_there(CM("a")));
    policy_world.blind = false;
    (void)settle();
    ASSERT_HAS(related("a"), "Compliant true ");
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_name_that_changes_prunes_the_old_and_makes_the_new);
    RUN_TEST(test_a_namespace_that_changes_prunes_the_old_and_makes_the_new);
    RUN_TEST(test_a_template_that_is_removed_prunes_its_object);
    RUN_TEST(test_no_templates_at_all_prune_everything);
    RUN_TEST(test_a_selector_that_shrinks_prunes_what_it_leaves);
    RUN_TEST(test_mustnothave_and_another_name_at_once_leave_neither);
    RUN_TEST(test_what_the_policy_did_not_create_is_left_and_forgotten);
    RUN_TEST(test_none_prunes_nothing_on_change);
    RUN_TEST(test_inform_prunes_nothing_on_change);
    RUN_TEST(test_content_that_changes_prunes_nothing);
    RUN_TEST(test_another_version_is_the_same_object);
    RUN_TEST(test_what_is_recorded_by_another_name_of_its_kind_stays);
    RUN_TEST(test_an_object_that_another_template_still_means_stays);
    RUN_TEST(test_a_template_error_prunes_nothing_and_loses_nothing);
    RUN_TEST(test_a_policy_that_is_not_supported_at_all_prunes_nothing);
    RUN_TEST(test_a_selector_that_is_none_prunes_nothing);
    RUN_TEST(test_a_transient_error_prunes_nothing);
    RUN_TEST(test_a_kind_that_nobody_can_tell_prunes_nothing);
    RUN_TEST(test_a_prune_on_change_that_fails_is_retried);
    RUN_TEST(test_a_prune_on_change_waits_for_a_finalizer);
    RUN_TEST(test_what_is_left_is_forgotten_when_pruning_is_switched_off);
    RUN_TEST(test_what_is_left_and_wanted_again_stays);
    RUN_TEST(test_a_leaving_entry_goes_with_the_policy);
    RUN_TEST(test_nothing_is_pruned_on_the_word_of_a_cache);
    return UNITY_END();
}

/* Is what a ConfigurationPolicy asks for understood, and the rest refused? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/policy.h"

static struct prb_object *object;
static struct prb_policy policy;

void setUp(void)
{
    object = NULL;
    policy = (struct prb_policy){ .count = 0 };
}

void tearDown(void)
{
    prb_policy_done(&policy);
    prb_object_unref(object);
}

/* `spec` is YAML in flow style; what it says is in `policy`. */
static void read_spec(const char *spec)
{
    prb_autofree char *yaml = prb_asprintf("{metadata: {name: p}, spec: %s}", spec);
    struct json_object *tree = NULL;
    struct prb_error err;

    tearDown();
    setUp();
    TEST_ASSERT_EQUAL_MESSAGE(0, prb_yaml_parse(yaml, strlen(yaml), &tree, &err), err.msg);
    TEST_ASSERT_EQUAL(0, prb_object_new(tree, &object, &err));
    prb_policy_read(object, &policy);
}

/* `text` may be NULL. */
static void assert_says(const char *name, const char *text, const char *part)
{
    prb_autofree char *seen = prb_asprintf("%s: \"%s\"", name, text ? text : "");

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(text ? text : "", part), seen);
}

#define CM "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: ns}}"

static void test_a_policy_is_read(void)
{
    read_spec("{remediationAction: Enforce, pruneObjectBehavior: DeleteIfCreated, "
              "object-templates: [{complianceType: MustHave, objectDefinition: " CM "}, "
              "{complianceType: mustnothave, recreateOption: IfRequired, objectDefinition: " CM
              "}], evaluationInterval: {compliant: 1h30m, noncompliant: never}}");
    TEST_ASSERT_NULL(policy.defect);
    TEST_ASSERT_TRUE(policy.enforces);
    TEST_ASSERT_TRUE(prb_policy_prunes(&policy));
    TEST_ASSERT_EQUAL(PRB_PRUNE_IF_CREATED, policy.prune);
    TEST_ASSERT_EQUAL_INT64(5400000, policy.compliant_ms);
    TEST_ASSERT_EQUAL_INT64(PRB_EVALUATE_NEVER, policy.noncompliant_ms);
    TEST_ASSERT_EQUAL(2, policy.count);
    TEST_ASSERT_EQUAL_STRING("", policy.templates[0].defect);
    TEST_ASSERT_EQUAL(PRB_MUST_HAVE, policy.templates[0].type);
    TEST_ASSERT_EQUAL(PRB_MUST_NOT_HAVE, policy.templates[1].type);
    TEST_ASSERT_EQUAL(PRB_RECREATE_IF_REQUIRED, policy.templates[1].recreate);
    TEST_ASSERT_EQUAL_STRING("ConfigMap", policy.templates[0].kind);
    TEST_ASSERT_EQUAL_STRING("v1", policy.templates[0].version);
    TEST_ASSERT_EQUAL_STRING("ns", policy.templates[0].namespace);
}

static void test_what_is_not_said_prunes_and_enforces_nothing(void)
{
    read_spec("{object-templates: []}");
    TEST_ASSERT_NULL(policy.defect);
    TEST_ASSERT_FALSE(policy.enforces);
    TEST_ASSERT_EQUAL(PRB_PRUNE_NONE, policy.prune);
    TEST_ASSERT_EQUAL_INT64(PRB_EVALUATE_ON_WATCH, policy.compliant_ms);
    read_spec("{remediationAction: enforce, pruneObjectBehavior: deleteall, object-templates: []}");
    TEST_ASSERT_FALSE(prb_policy_prunes(&policy));
    read_spec("{remediationAction: inform, pruneObjectBehavior: DeleteAll, object-templates: []}");
    TEST_ASSERT_FALSE(prb_policy_prunes(&policy));
}

static const struct {
    const char *name, *spec, *says;
} defects[] = {
    { "raw", "{object-templates-raw: x}", "object-templates-raw is not supported" },
    { "raw beside the others", "{object-templates-raw: x, object-templates: []}",
            "object-templates-raw is not supported" },
    { "no templates", "{}", "object-templates is missing" },
    { "templates that are no list", "{object-templates: {}}", "object-templates is missing" },
    { "an unknown action", "{remediationAction: maybe, object-templates: []}",
            "neither inform nor enforce" },
    { "an empty action", "{remediationAction: '', object-templates: []}",
            "neither inform nor enforce" },
    { "a selector of the wrong type", "{namespaceSelector: [], object-templates: []}",
            "namespaceSelector is no map" },
    { "a template in the selector",
            "{namespaceSelector: {include: ['{{ x }}']}, object-templates: []}",
            "Go template in spec.namespaceSelector" },
    { "an encrypted value in the selector",
            "{namespaceSelector: {matchLabels: {a: '$ocm_encrypted:eA=='}}, object-templates: []}",
            "encrypted ($ocm_encrypted:) in spec.namespaceSelector" },
};

static void test_what_nobody_understands_is_not_evaluated(void)
{
    for (size_t i = 0; i < sizeof(defects) / sizeof(defects[0]); i++) {
        read_spec(defects[i].spec);
        assert_says(defects[i].name, policy.defect, defects[i].says);
    }
}

static const struct {
    const char *name, *template, *says;
} templates[] = {
    { "no definition", "{complianceType: musthave}", "no objectDefinition" },
    { "no type", "{objectDefinition: " CM "}", "neither musthave nor mustnothave" },
    { "mustonlyhave", "{complianceType: MustOnlyHave, objectDefinition: " CM "}",
            "MustOnlyHave is not supported yet" },
    { "mustonlyhave of metadata",
            "{complianceType: musthave, metadataComplianceType: mustonlyhave, objectDefinition: " CM
            "}",
            "metadataComplianceType mustonlyhave is not supported yet" },
    { "an unknown recreateOption",
            "{complianceType: musthave, recreateOption: Sometimes, objectDefinition: " CM "}",
            "recreateOption is none of" },
    { "a Go template in a value",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: ConfigMap, "
            "metadata: {name: a}, data: {deep: ['x {{ y }}']}}}",
            "Go template" },
    { "a Go template in a key",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: ConfigMap, "
            "metadata: {name: a}, data: {'{{ x }}': y}}}",
            "Go template" },
    { "an encrypted value",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: Secret, "
            "metadata: {name: a}, data: {password: '$ocm_encrypted:VBQ7'}}}",
            "encrypted ($ocm_encrypted:) is not supported yet" },
    { "an encrypted value inside a text, in a list",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: Secret, "
            "metadata: {name: a}, data: [{x: 'user:pass $ocm_encrypted:VBQ7 end'}]}}",
            "encrypted" },
    { "an encrypted value after U+0000",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: Secret, "
            "metadata: {name: a}, data: {x: \"a\\0$ocm_encrypted:VBQ7\"}}}",
            "encrypted" },
    { "an encrypted key",
            "{complianceType: musthave, objectDefinition: {apiVersion: v1, kind: Secret, "
            "metadata: {name: a}, data: {'$ocm_encrypted:VBQ7': x}}}",
            "encrypted" },
    { "an encrypted value beside the definition",
            "{complianceType: musthave, objectSelector: {matchLabels: {a: '$ocm_encrypted:VBQ7'}}, "
            "objectDefinition: " CM "}",
            "encrypted" },
    { "an encrypted value of what must not be",
            "{complianceType: mustnothave, objectDefinition: {apiVersion: v1, kind: Secret, "
            "metadata: {name: '$ocm_encrypted:VBQ7'}}}",
            "encrypted" },
    { "no name", "{complianceType: mustnothave, objectDefinition: {apiVersion: v1, kind: Pod}}",
            "without metadata.name is not supported" },
    { "no apiVersion",
            "{complianceType: musthave, objectDefinition: {kind: Pod, metadata: {name: a}}}",
            "no apiVersion or no kind" },
    { "an apiVersion that is none",
            "{complianceType: musthave, objectDefinition: {apiVersion: a/b/c, kind: Pod, metadata: "
            "{name: a}}}",
            "a/b/c is no apiVersion" },
    { "no text", "7", "no objectDefinition" },
};

static void test_a_template_that_is_not_supported_says_so(void)
{
    for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++) {
        prb_autofree char *spec = prb_asprintf("{object-templates: [%s]}", templates[i].template);

        read_spec(spec);
        TEST_ASSERT_EQUAL_MESSAGE(1, policy.count, templates[i].name);
        assert_says(templates[i].name, policy.templates[0].defect, templates[i].says);
    }
}

static void test_policies_may_be_searched_without_a_name(void)
{
    read_spec(
            "{object-templates: [{complianceType: mustnothave, objectDefinition: {apiVersion: "
            "policy.open-cluster-management.io/v1, kind: ConfigurationPolicy, status: {compliant: "
            "Terminating}}}]}");
    TEST_ASSERT_EQUAL_STRING("", policy.templates[0].defect);
    TEST_ASSERT_TRUE(prb_policy_template_is_search(&policy.templates[0]));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_policy_is_read);
    RUN_TEST(test_what_is_not_said_prunes_and_enforces_nothing);
    RUN_TEST(test_what_nobody_understands_is_not_evaluated);
    RUN_TEST(test_a_template_that_is_not_supported_says_so);
    RUN_TEST(test_policies_may_be_searched_without_a_name);
    return UNITY_END();
}

/* A rule that the API server calls in several ways: what does each of its webhooks look like? */

#include <string.h>
#include <unity.h>

#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "manifest.h"

#define LABEL "example.org/kept"

static const struct prb_registration registrations[] = {
    { .name = NULL }, { .name = "keeper-delete", .timeout_s = 25, .label = LABEL },
    { .name = "keeper-rest", .fail_open = true, .label = LABEL, .without_label = true },
    { .name = "keeper-label", .fail_open = true, .timeout_s = 7, .label = LABEL },
    { .name = "keeper-nothing" }, /* no match is for it */
};

static const struct prb_rule_match matches[] = {
    { .group = "example.org", .resource = "keepers", .operations = PRB_CREATE | PRB_DELETE },
    { .group = "apps",
            .resource = "deployments",
            .operations = PRB_DELETE,
            .namespaced = true,
            .registration = 1 },
    { .group = "", .resource = "namespaces", .operations = PRB_DELETE, .registration = 1 },
    { .group = "apps",
            .resource = "deployments",
            .operations = PRB_DELETE,
            .namespaced = true,
            .registration = 2 },
    { .group = "",
            .resource = "namespaces",
            .subresource = "finalize",
            .operations = PRB_UPDATE,
            .registration = 3 },
};

static const struct prb_rule keeper = { .name = "keeper",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .registrations = registrations,
    .registration_count = sizeof(registrations) / sizeof(registrations[0]) };

/* It has claims only, of which there are none. */
static const struct prb_registration open_only[] = { { .fail_open = true } };
static const struct prb_rule_match claims[] = { { .operations = PRB_CREATE } };
static const struct prb_rule claimed = { .name = "claimed",
    .matches = claims,
    .match_count = 1,
    .registrations = open_only,
    .registration_count = 1 };

static const char golden[] = "apiVersion: admissionregistration.k8s.io/v1\n"
                             "kind: ValidatingWebhookConfiguration\n"
                             "metadata:\n"
                             "  name: probate\n"
                             "webhooks:\n"
                             "- name: keeper.probate.dev\n"
                             "  admissionReviewVersions:\n"
                             "  - v1\n"
                             "  clientConfig:\n"
                             "    url: https://h/validate/keeper\n"
                             "  failurePolicy: Fail\n"
                             "  matchPolicy: Equivalent\n"
                             "  rules:\n"
                             "  - apiGroups:\n"
                             "    - example.org\n"
                             "    apiVersions:\n"
                             "    - \"*\"\n"
                             "    operations:\n"
                             "    - CREATE\n"
                             "    - DELETE\n"
                             "    resources:\n"
                             "    - keepers\n"
                             "    scope: Cluster\n"
                             "  sideEffects: NoneOnDryRun\n"
                             "  timeoutSeconds: 5\n"
                             "- name: keeper-delete.probate.dev\n"
                             "  admissionReviewVersions:\n"
                             "  - v1\n"
                             "  clientConfig:\n"
                             "    url: https://h/validate/keeper\n"
                             "  failurePolicy: Fail\n"
                             "  matchPolicy: Equivalent\n"
                             "  namespaceSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: kubernetes.io/metadata.name\n"
                             "      operator: NotIn\n"
                             "      values:\n"
                             "      - kube-system\n"
                             "      - own\n"
                             "  objectSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: example.org/kept\n"
                             "      operator: Exists\n"
                             "  rules:\n"
                             "  - apiGroups:\n"
                             "    - apps\n"
                             "    apiVersions:\n"
                             "    - \"*\"\n"
                             "    operations:\n"
                             "    - DELETE\n"
                             "    resources:\n"
                             "    - deployments\n"
                             "    scope: Namespaced\n"
                             "  - apiGroups:\n"
                             "    - \"\"\n"
                             "    apiVersions:\n"
                             "    - \"*\"\n"
                             "    operations:\n"
                             "    - DELETE\n"
                             "    resources:\n"
                             "    - namespaces\n"
                             "    scope: Cluster\n"
                             "  sideEffects: NoneOnDryRun\n"
                             "  timeoutSeconds: 25\n"
                             "- name: keeper-rest.probate.dev\n"
                             "  admissionReviewVersions:\n"
                             "  - v1\n"
                             "  clientConfig:\n"
                             "    url: https://h/validate/keeper\n"
                             "  failurePolicy: Ignore\n"
                             "  matchPolicy: Equivalent\n"
                             "  namespaceSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: kubernetes.io/metadata.name\n"
                             "      operator: NotIn\n"
                             "      values:\n"
                             "      - kube-system\n"
                             "      - own\n"
                             "  objectSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: example.org/kept\n"
                             "      operator: DoesNotExist\n"
                             "  rules:\n"
                             "  - apiGroups:\n"
                             "    - apps\n"
                             "    apiVersions:\n"
                             "    - \"*\"\n"
                             "    operations:\n"
                             "    - DELETE\n"
                             "    resources:\n"
                             "    - deployments\n"
                             "    scope: Namespaced\n"
                             "  sideEffects: NoneOnDryRun\n"
                             "  timeoutSeconds: 5\n"
                             "- name: keeper-label.probate.dev\n"
                             "  admissionReviewVersions:\n"
                             "  - v1\n"
                             "  clientConfig:\n"
                             "    url: https://h/validate/keeper\n"
                             "  failurePolicy: Ignore\n"
                             "  matchPolicy: Equivalent\n"
                             "  namespaceSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: kubernetes.io/metadata.name\n"
                             "      operator: NotIn\n"
                             "      values:\n"
                             "      - kube-system\n"
                             "      - own\n"
                             "  objectSelector:\n"
                             "    matchExpressions:\n"
                             "    - key: example.org/kept\n"
                             "      operator: Exists\n"
                             "  rules:\n"
                             "  - apiGroups:\n"
                             "    - \"\"\n"
                             "    apiVersions:\n"
                             "    - \"*\"\n"
                             "    operations:\n"
                             "    - UPDATE\n"
                             "    resources:\n"
                             "    - namespaces/finalize\n"
                             "    scope: Cluster\n"
                             "  sideEffects: NoneOnDryRun\n"
                             "  timeoutSeconds: 7\n";

static const struct prb_rule *left_out;

void setUp(void)
{
    left_out = NULL;
}

void tearDown(void)
{
}

static void note_left_out(const struct prb_rule *rule)
{
    left_out = rule;
}

/* What is printed for one rule. */
static void print(const struct prb_rule *rule, const char *namespace, struct prb_str *out)
{
    prb_auto(prb_json_free) struct json_object *client = json_object_new_object();
    prb_auto(prb_json_free) struct json_object *manifest = NULL;
    struct prb_rule_choice choice = { .rules = &rule, .count = 1 };

    prb_json_set_str(client, "url", "https://h/validate");
    manifest = prb_manifest_webhook(&(struct prb_manifest_webhook){ .name = "probate",
                                            .client = client,
                                            .namespace = namespace,
                                            .choice = &choice },
            note_left_out);
    prb_str_init(out, PRB_JSON_SIZE_MAX);
    prb_yaml_print(manifest, out);
}

static void test_each_registration_is_a_webhook_of_its_own(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    print(&keeper, "own", &text);
    TEST_ASSERT_EQUAL_STRING(golden, prb_str_get(&text));
    TEST_ASSERT_NULL(left_out);
}

static void test_without_a_namespace_none_is_exempted(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    print(&keeper, NULL, &text);
    TEST_ASSERT_NULL(strstr(prb_str_get(&text), "namespaceSelector"));
}

static void test_a_rule_without_a_kind_is_left_out(void)
{
    prb_auto(prb_str_done) struct prb_str text;

    print(&claimed, NULL, &text);
    TEST_ASSERT_EQUAL_PTR(&claimed, left_out);
    TEST_ASSERT_NULL(strstr(prb_str_get(&text), "claimed"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_registration_is_a_webhook_of_its_own);
    RUN_TEST(test_without_a_namespace_none_is_exempted);
    RUN_TEST(test_a_rule_without_a_kind_is_left_out);
    return UNITY_END();
}

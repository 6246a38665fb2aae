/* `probate manifest webhook`: what it registers comes from the tables, and fails closed. */

#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/request.h"
#include "probate/rules/registry.h"

#include "manifest_print.h"
#include "program.h"
#include "support/process.h"
#include "support/temp_dir.h"

static char *dir; /* for certificates */

void setUp(void)
{
    dir = prb_test_temp_dir();
}

void tearDown(void)
{
    manifests_drop();
    prb_test_temp_dir_remove(dir);
}

/* The webhook of this name; a rule that has one gives it its own. */
static const struct json_object *webhook_of(const char *short_name)
{
    const struct json_object *webhooks = prb_json_arr(manifests[0], "webhooks");
    prb_autofree char *name = prb_asprintf("%s.probate.dev", short_name);

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (prb_streq(prb_json_str(webhook, "name"), name))
            return webhook;
    }
    return NULL;
}

/* Is there a rule for exactly this match? */
static bool is_registered(const struct json_object *webhook, const struct prb_rule_match *match)
{
    static const enum prb_operation all[] = { PRB_CREATE, PRB_UPDATE, PRB_DELETE, PRB_CONNECT };
    const struct json_object *rules = prb_json_arr(webhook, "rules");

    for (size_t i = 0; i < prb_json_len(rules); i++) {
        const struct json_object *rule = prb_json_elem(rules, i);
        prb_autofree char *path = prb_asprintf("%s%s%s", match->resource,
                match->subresource ? "/" : "", match->subresource ? match->subresource : "");
        bool same = list_has(rule, "apiGroups", match->group) &&
                    list_has(rule, "resources", path) && list_has(rule, "apiVersions", "*") &&
                    prb_streq(prb_json_str(rule, "scope"),
                            match->namespaced ? "Namespaced" : "Cluster");

        for (size_t o = 0; o < sizeof(all) / sizeof(all[0]); o++)
            same = same && list_has(rule, "operations", prb_operation_name(all[o])) ==
                                   ((match->operations & all[o]) != 0);
        if (same)
            return true;
    }
    return false;
}

static size_t webhook_count(const struct prb_rule *rule)
{
    return rule->registrations ? rule->registration_count : 1;
}

/* Is there a webhook for this registration, with all of its matches and no other? Claims are
 * buckets. */
static bool has_webhook(const struct prb_rule *rule, size_t index)
{
    const char *name = rule->registrations ? rule->registrations[index].name : NULL;
    const struct json_object *webhook = webhook_of(name ? name : rule->name);
    size_t wanted = 0;
    bool all = true;

    for (size_t i = 0; i < rule->match_count; i++) {
        struct prb_rule_match match = rule->matches[i];

        if (match.registration != index)
            continue;
        wanted++;
        if (!match.resource) {
            match.group = "example.org";
            match.resource = "buckets";
        }
        all = all && is_registered(webhook, &match);
    }
    return all && wanted > 0 && prb_json_len(prb_json_arr(webhook, "rules")) == wanted;
}

static void test_every_match_of_every_rule_is_registered(void)
{
    size_t rule_count, webhooks = 1; /* with the self-test */
    const struct prb_rule *const *rules = prb_rules(&rule_count);

    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--claim-resource=buckets.example.org"));
    TEST_ASSERT_EQUAL_size_t(1, manifest_count);
    for (size_t i = 0; i < rule_count; i++) {
        for (size_t w = 0; w < webhook_count(rules[i]); w++)
            TEST_ASSERT_TRUE_MESSAGE(has_webhook(rules[i], w), rules[i]->name);
        webhooks += webhook_count(rules[i]);
    }
    TEST_ASSERT_EQUAL_size_t(webhooks, prb_json_len(prb_json_arr(manifests[0], "webhooks")));
}

static void test_a_webhook_fails_closed_and_has_no_side_effects_on_a_dry_run(void)
{
    const struct json_object *webhook;
    int64_t timeout = 0;

    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook"));
    webhook = webhook_of("policy-prune");
    TEST_ASSERT_EQUAL_STRING("ValidatingWebhookConfiguration", prb_json_str(manifests[0], "kind"));
    TEST_ASSERT_EQUAL_STRING(
            "admissionregistration.k8s.io/v1", prb_json_str(manifests[0], "apiVersion"));
    TEST_ASSERT_EQUAL_STRING("Fail", prb_json_str(webhook, "failurePolicy"));
    TEST_ASSERT_EQUAL_STRING("Equivalent", prb_json_str(webhook, "matchPolicy"));
    TEST_ASSERT_EQUAL_STRING("NoneOnDryRun", prb_json_str(webhook, "sideEffects"));
    TEST_ASSERT_TRUE(list_has(webhook, "admissionReviewVersions", "v1"));
    TEST_ASSERT_EQUAL_size_t(1, prb_json_len(prb_json_arr(webhook, "admissionReviewVersions")));
    TEST_ASSERT_TRUE(prb_json_int(webhook, "timeoutSeconds", &timeout));
    TEST_ASSERT_EQUAL(5, timeout);
    TEST_ASSERT_FALSE(prb_json_has(webhook, "namespaceSelector"));
}

static void add_expressions(
        const struct json_object *webhook, const char *selector, struct prb_str *out)
{
    const struct json_object *list =
            prb_json_arr(prb_json_obj(webhook, selector), "matchExpressions");

    if (prb_json_len(list) > 0)
        prb_str_addf(out, ", %s", selector);
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *expression = prb_json_elem(list, i);

        prb_str_addf(out, " %s %s", prb_json_str(expression, "key"),
                prb_json_str(expression, "operator"));
    }
}

/* A webhook in one line: "Fail 25s 2 rules, objectSelector probate.dev/protected Exists". */
static char *summary(const struct json_object *webhook)
{
    prb_auto(prb_str_done) struct prb_str text;
    int64_t timeout = 0;

    prb_str_init(&text, 1024);
    (void)prb_json_int(webhook, "timeoutSeconds", &timeout);
    prb_str_addf(&text, "%s %ds %zu rules", prb_json_str(webhook, "failurePolicy"), (int)timeout,
            prb_json_len(prb_json_arr(webhook, "rules")));
    add_expressions(webhook, "namespaceSelector", &text);
    add_expressions(webhook, "objectSelector", &text);
    if (prb_json_has(webhook, "matchConditions"))
        prb_str_add(&text, ", conditions");
    return prb_str_take(&text);
}

#define EXEMPTS ", namespaceSelector kubernetes.io/metadata.name NotIn"
#define URL "https://h/validate/critical-service"

/* Whatever is down, nothing but what is labelled, and CriticalServices themselves, is held up. */
static void test_what_a_critical_service_protects_is_registered_in_six_ways(void)
{
    static const struct {
        const char *name, *summary, *url;
    } cases[] = {
        { "critical-service", "Fail 25s 1 rules", URL },
        { "critical-service-delete", "Fail 25s 1 rules" EXEMPTS " probate.dev/protected Exists",
                URL "/labelled" },
        { "critical-service-namespace",
                "Fail 25s 1 rules" EXEMPTS ", objectSelector probate.dev/protected Exists", URL },
        { "critical-service-unlabelled",
                "Ignore 5s 1 rules" EXEMPTS " probate.dev/protected DoesNotExist", URL },
        { "critical-service-unlabelled-namespace",
                "Ignore 5s 1 rules" EXEMPTS ", objectSelector probate.dev/protected DoesNotExist",
                URL },
        { "critical-service-label",
                "Ignore 25s 3 rules" EXEMPTS
                ", objectSelector probate.dev/protected Exists, conditions",
                URL },
    };

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("webhook", "--rules=critical-service", "--url=https://h", "--namespace=own"));
    TEST_ASSERT_EQUAL_size_t(7, prb_json_len(prb_json_arr(manifests[0], "webhooks")));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct json_object *webhook = webhook_of(cases[i].name);
        prb_autofree char *got = summary(webhook);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].summary, got, cases[i].name);
        TEST_ASSERT_EQUAL_STRING(
                cases[i].url, prb_json_str(prb_json_obj(webhook, "clientConfig"), "url"));
    }
}

/* The expression is that of the API server's own test of it: docs and status go by it. */
static void test_only_an_update_that_takes_the_label_off_is_asked_about(void)
{
    const struct json_object *conditions;

    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--rules=critical-service"));
    conditions = prb_json_arr(webhook_of("critical-service-label"), "matchConditions");
    TEST_ASSERT_EQUAL_size_t(1, prb_json_len(conditions));
    TEST_ASSERT_EQUAL_STRING("has(oldObject.metadata.labels) && \"probate.dev/protected\" in "
                             "oldObject.metadata.labels && !(has(object.metadata.labels) && "
                             "\"probate.dev/protected\" in object.metadata.labels)",
            prb_json_str(prb_json_elem(conditions, 0), "expression"));
    TEST_ASSERT_EQUAL_INT(
            0, PRINT("webhook", "--rules=critical-service", "--match-conditions=false"));
    TEST_ASSERT_FALSE(prb_json_has(webhook_of("critical-service-label"), "matchConditions"));
}

/* It may fail closed, and reaches into Probate's own namespace, where nothing else is judged. */
static void test_the_self_test_is_always_registered_for_what_is_labelled_so(void)
{
    prb_autofree char *got = NULL;

    TEST_ASSERT_EQUAL_INT(
            0, PRINT("webhook", "--rules=policy-prune", "--url=https://h", "--namespace=own"));
    got = summary(webhook_of("selftest"));
    TEST_ASSERT_EQUAL_STRING("Fail 5s 1 rules, objectSelector probate.dev/selftest Exists", got);
    TEST_ASSERT_TRUE(has_webhook(&prb_rule_selftest, 0));
}

static void test_claims_are_registered_only_where_they_are_named(void)
{
    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook"));
    TEST_ASSERT_NULL(webhook_of("claim-delete-policy"));
    TEST_ASSERT_NOT_NULL(webhook_of("policy-prune"));
    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--claim-resource", "a.b.org,c.v1.d.org"));
    TEST_ASSERT_EQUAL_size_t(
            2, prb_json_len(prb_json_arr(webhook_of("claim-delete-policy"), "rules")));
}

static void test_rules_that_are_switched_off_are_not_registered(void)
{
    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--rules=policy-prune", "--name=other"));
    TEST_ASSERT_EQUAL_size_t(2, prb_json_len(prb_json_arr(manifests[0], "webhooks")));
    TEST_ASSERT_NOT_NULL(webhook_of("policy-prune"));
    TEST_ASSERT_EQUAL_STRING("other", prb_json_str(prb_json_obj(manifests[0], "metadata"), "name"));
}

static void test_the_server_is_reached_by_url_or_by_service(void)
{
    static const struct {
        const char *flag, *value, *client;
    } cases[] = {
        { "--name", "probate",
                "{\"service\":{\"name\":\"probate\",\"namespace\":\"probate-system\","
                "\"path\":\"/validate/policy-prune\",\"port\":443}}" },
        { "--service", "ns/svc",
                "{\"service\":{\"name\":\"svc\",\"namespace\":\"ns\","
                "\"path\":\"/validate/policy-prune\",\"port\":443}}" },
        { "--service", "ns/svc:8443",
                "{\"service\":{\"name\":\"svc\",\"namespace\":\"ns\","
                "\"path\":\"/validate/policy-prune\",\"port\":8443}}" },
        { "--url", "https://127.0.0.1:9443",
                "{\"url\":\"https://127.0.0.1:9443/validate/policy-prune\"}" },
        { "--url", "https://h/", "{\"url\":\"https://h/validate/policy-prune\"}" },
        { "--url", "https://[::1]:1/a/b", "{\"url\":\"https://[::1]:1/a/b/policy-prune\"}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *client = NULL;

        TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", cases[i].flag, cases[i].value));
        client = prb_json_text(prb_json_obj(webhook_of("policy-prune"), "clientConfig"), true);
        TEST_ASSERT_EQUAL_STRING(cases[i].client, client);
    }
}

static void test_the_ca_file_becomes_the_bundle(void)
{
    prb_autofree char *path = prb_asprintf("%s/ca.crt", dir);
    const char *certs[] = { program_path, "certs", "--out", dir, "--name", "localhost", NULL };
    struct prb_test_command command = { .argv = certs };
    const char *bundle;

    TEST_ASSERT_EQUAL_INT(0, prb_test_run(&command, NULL, 0));
    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--ca-file", path));
    bundle = prb_json_str(prb_json_obj(webhook_of("policy-prune"), "clientConfig"), "caBundle");
    TEST_ASSERT_NOT_NULL(bundle);
    /* "-----BEGIN CERTIFICATE-----" in base64 */
    TEST_ASSERT_TRUE_MESSAGE(
            prb_starts_with(bundle, "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t"), bundle);
    TEST_ASSERT_NULL(strchr(bundle, '\n'));
}

static void test_the_own_namespace_and_kube_system_are_exempted_when_named(void)
{
    const struct json_object *selector, *expression;

    TEST_ASSERT_EQUAL_INT(0, PRINT("webhook", "--namespace", "guard"));
    selector = prb_json_obj(webhook_of("policy-prune"), "namespaceSelector");
    expression = prb_json_elem(prb_json_arr(selector, "matchExpressions"), 0);
    TEST_ASSERT_EQUAL_STRING("kubernetes.io/metadata.name", prb_json_str(expression, "key"));
    TEST_ASSERT_EQUAL_STRING("NotIn", prb_json_str(expression, "operator"));
    TEST_ASSERT_TRUE(list_has(expression, "values", "kube-system"));
    TEST_ASSERT_TRUE(list_has(expression, "values", "guard"));
}

static void test_wrong_usage_is_exit_2_and_says_what_is_right(void)
{
    prb_autofree char *key = prb_asprintf("%s/tls.key", dir);
    prb_autofree char *text = prb_asprintf("%s/text", dir);
    const char *certs[] = { program_path, "certs", "--out", dir, "--name", "localhost", NULL };
    struct prb_test_command command = { .argv = certs };
    const struct {
        const char *argv[6];
        const char *text;
    } cases[] = {
        { { "manifest" }, "say what to print: one of webhook, rbac, agent-rbac, hub-rbac" },
        { { "manifest", "webhok" }, "did you mean webhook?" },
        { { "manifest", "zebra" }, "\"zebra\" is none of webhook, rbac, agent-rbac, hub-rbac" },
        { { "manifest", "webhook", "rbac" }, "unexpected argument \"rbac\"" },
        { { "manifest", "webhook", "--url=https://h", "--service=a/b" }, "exclude each other" },
        { { "manifest", "webhook", "--url=http://h" }, "--url: \"http://h\" is not of the form" },
        { { "manifest", "webhook", "--url=https://h/?a=b" }, "is not of the form https://HOST" },
        { { "manifest", "webhook", "--url=https://u:p@h/" }, "is not of the form https://HOST" },
        { { "manifest", "webhook", "--url=https:///x" }, "names no host" },
        { { "manifest", "webhook", "--service=svc" }, "is not of the form NAMESPACE/NAME[:PORT]" },
        { { "manifest", "webhook", "--service=a/b:0" }, "is not of the form NAMESPACE/NAME" },
        { { "manifest", "webhook", "--service=a/b/c" }, "is not of the form NAMESPACE/NAME" },
        { { "manifest", "webhook", "--service=A/b" }, "is not of the form NAMESPACE/NAME" },
        { { "manifest", "webhook", "--ca-file", "/nowhere/ca.crt" }, "--ca-file: /nowhere/ca.crt" },
        { { "manifest", "webhook", "--ca-file", key }, "has a private key in it" },
        { { "manifest", "webhook", "--ca-file", text }, "has no certificate (PEM) in it" },
        { { "manifest", "webhook", "--rules=policy-prnue" }, "did you mean policy-prune?" },
        { { "manifest", "rbac", "--criteria-resource=Secret" },
                "--criteria-resource: \"Secret\" is not of the form PLURAL.GROUP" },
        { { "manifest", "rbac", "--criteria-resource=secrets.v1" }, "is not of the form" },
        { { "manifest", "rbac", "--criteria-resource=.example.org" }, "is not of the form" },
        { { "manifest", "rbac", "--controllers=deletion-wach" }, "did you mean deletion-watch?" },
    };
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_test_run(&command, NULL, 0));
    TEST_ASSERT_EQUAL_INT(0, prb_file_write(text, "hello", 5, 0600, &err));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *output = NULL;

        TEST_ASSERT_EQUAL_INT_MESSAGE(2, program_run(cases[i].argv, NULL, &output), cases[i].text);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(output, cases[i].text), output);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_every_match_of_every_rule_is_registered);
    RUN_TEST(test_a_webhook_fails_closed_and_has_no_side_effects_on_a_dry_run);
    RUN_TEST(test_what_a_critical_service_protects_is_registered_in_six_ways);
    RUN_TEST(test_only_an_update_that_takes_the_label_off_is_asked_about);
    RUN_TEST(test_the_self_test_is_always_registered_for_what_is_labelled_so);
    RUN_TEST(test_claims_are_registered_only_where_they_are_named);
    RUN_TEST(test_rules_that_are_switched_off_are_not_registered);
    RUN_TEST(test_the_server_is_reached_by_url_or_by_service);
    RUN_TEST(test_the_ca_file_becomes_the_bundle);
    RUN_TEST(test_the_own_namespace_and_kube_system_are_exempted_when_named);
    RUN_TEST(test_wrong_usage_is_exit_2_and_says_what_is_right);
    return UNITY_END();
}

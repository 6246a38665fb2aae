/* For which requests does the API server call Probate, and how? */

#include "probate/base/mem.h"

#include "manifest.h"

/* Every answer comes from memory or one quick question; who waits longer waits in vain. */
#define TIMEOUT_S 5

#define NAME_LABEL "kubernetes.io/metadata.name"

static struct json_object *list_of(const char *text)
{
    struct json_object *list = json_object_new_array();

    prb_json_push(list, json_object_new_string(text));
    return list;
}

static struct json_object *operation_list(unsigned operations)
{
    static const enum prb_operation known[] = { PRB_CREATE, PRB_UPDATE, PRB_DELETE, PRB_CONNECT };
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (operations & known[i])
            prb_json_push(list, json_object_new_string(prb_operation_name(known[i])));
    }
    return list;
}

/* In every version: the rules look at members that all of them have. */
static void add_rule(struct json_object *rules, const struct prb_rule_match *match,
        const char *group, const char *resource)
{
    prb_autofree char *path = prb_asprintf("%s%s%s", resource, match->subresource ? "/" : "",
            match->subresource ? match->subresource : "");
    struct json_object *rule = json_object_new_object();

    prb_json_set(rule, "apiGroups", list_of(group));
    prb_json_set(rule, "apiVersions", list_of("*"));
    prb_json_set(rule, "operations", operation_list(match->operations));
    prb_json_set(rule, "resources", list_of(path));
    prb_json_set_str(rule, "scope", match->namespaced ? "Namespaced" : "Cluster");
    prb_json_push(rules, rule);
}

/* A match that names no resource is for claims. */
static struct json_object *make_rules(
        const struct prb_rule *rule, const struct prb_rule_choice *choice)
{
    struct json_object *rules = json_object_new_array();

    for (size_t i = 0; i < rule->match_count; i++) {
        const struct prb_rule_match *match = &rule->matches[i];

        if (match->resource)
            add_rule(rules, match, match->group, match->resource);
        for (size_t c = 0; !match->resource && c < choice->claim_count; c++)
            add_rule(rules, match, choice->claims[c].group, choice->claims[c].resource);
    }
    return rules;
}

static bool is_namespaced(const struct prb_rule *rule)
{
    for (size_t i = 0; i < rule->match_count; i++) {
        if (rule->matches[i].namespaced)
            return true;
    }
    return false;
}

/* What keeps the cluster and Probate itself alive must come up while Probate is down. */
static struct json_object *make_namespace_selector(const char *namespace)
{
    struct json_object *selector = json_object_new_object();
    struct json_object *expressions = json_object_new_array();
    struct json_object *expression = json_object_new_object();
    struct json_object *values = list_of("kube-system");

    prb_json_push(values, json_object_new_string(namespace));
    prb_json_set_str(expression, "key", NAME_LABEL);
    prb_json_set_str(expression, "operator", "NotIn");
    prb_json_set(expression, "values", values);
    prb_json_push(expressions, expression);
    prb_json_set(selector, "matchExpressions", expressions);
    return selector;
}

/* A path of its own: only this rule judges such a call, and its name is in what the user is told.
 */
static struct json_object *make_client(
        const struct json_object *client, const struct prb_rule *rule)
{
    struct json_object *copy = prb_json_copy(client);
    struct json_object *service = prb_json_obj(copy, "service");
    struct json_object *where = service ? service : copy;
    const char *key = service ? "path" : "url";
    prb_autofree char *path = prb_asprintf("%s/%s", prb_json_str(where, key), rule->name);

    prb_json_set_str(where, key, path);
    return copy;
}

static struct json_object *make_webhook(const struct prb_manifest_webhook *options,
        const struct prb_rule *rule, struct json_object *rules_taken)
{
    prb_autofree char *name = prb_asprintf("%s.probate.dev", rule->name);
    struct json_object *webhook = json_object_new_object();

    prb_json_set_str(webhook, "name", name);
    prb_json_set(webhook, "admissionReviewVersions", list_of("v1"));
    prb_json_set(webhook, "clientConfig", make_client(options->client, rule));
    prb_json_set_str(webhook, "failurePolicy", "Fail");
    prb_json_set_str(webhook, "matchPolicy", "Equivalent");
    if (options->namespace && is_namespaced(rule))
        prb_json_set(webhook, "namespaceSelector", make_namespace_selector(options->namespace));
    prb_json_set(webhook, "rules", rules_taken);
    prb_json_set_str(webhook, "sideEffects", "NoneOnDryRun");
    prb_json_set_int(webhook, "timeoutSeconds", TIMEOUT_S);
    return webhook;
}

struct json_object *prb_manifest_webhook(
        const struct prb_manifest_webhook *options, void (*left_out)(const struct prb_rule *rule))
{
    struct json_object *manifest = json_object_new_object();
    struct json_object *webhooks = json_object_new_array();

    prb_json_set_str(manifest, "apiVersion", "admissionregistration.k8s.io/v1");
    prb_json_set_str(manifest, "kind", "ValidatingWebhookConfiguration");
    prb_json_set_str(prb_json_ensure_obj(manifest, "metadata"), "name", options->name);
    for (size_t i = 0; i < options->choice->count; i++) {
        const struct prb_rule *rule = options->choice->rules[i];
        struct json_object *rules = make_rules(rule, options->choice);

        if (prb_json_len(rules) > 0) {
            prb_json_push(webhooks, make_webhook(options, rule, rules));
            continue;
        }
        prb_json_free(rules);
        left_out(rule);
    }
    prb_json_set(manifest, "webhooks", webhooks);
    return manifest;
}

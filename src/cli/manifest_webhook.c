/* For which requests does the API server call Probate, and how? */

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "manifest.h"

/* Every answer comes from memory or one quick question; who waits longer waits in vain. */
#define TIMEOUT_S 5

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

/* What one webhook is for. A match that names no resource is for claims. */
static struct json_object *make_rules(
        const struct prb_rule *rule, size_t registration, const struct prb_rule_choice *choice)
{
    struct json_object *rules = json_object_new_array();

    for (size_t i = 0; i < rule->match_count; i++) {
        const struct prb_rule_match *match = &rule->matches[i];

        if (match->registration != registration)
            continue;
        if (match->resource)
            add_rule(rules, match, match->group, match->resource);
        for (size_t c = 0; !match->resource && c < choice->claim_count; c++)
            add_rule(rules, match, choice->claims[c].group, choice->claims[c].resource);
    }
    return rules;
}

/* Namespaces count as in themselves. */
static bool is_in_a_namespace(const struct prb_rule_match *match)
{
    return match->namespaced ||
           (prb_streq(match->group, "") && prb_streq(match->resource, "namespaces"));
}

static bool is_namespaced(const struct prb_rule *rule, size_t registration)
{
    for (size_t i = 0; i < rule->match_count; i++) {
        const struct prb_rule_match *match = &rule->matches[i];

        if (match->registration == registration && is_in_a_namespace(match))
            return true;
    }
    return false;
}

/* { key, operator, values }; `values_taken` may be NULL. */
static void add_expression(struct json_object *expressions, const char *key, const char *operator,
        struct json_object * values_taken)
{
    struct json_object *expression = json_object_new_object();

    prb_json_set_str(expression, "key", key);
    prb_json_set_str(expression, "operator", operator);
    if (values_taken)
        prb_json_set(expression, "values", values_taken);
    prb_json_push(expressions, expression);
}

/* { matchExpressions: ... } in `member`, unless there are none. */
static void set_selector(
        struct json_object *webhook, const char *member, struct json_object *expressions_taken)
{
    struct json_object *selector;

    if (prb_json_len(expressions_taken) == 0) {
        prb_json_free(expressions_taken);
        return;
    }
    selector = json_object_new_object();
    prb_json_set(selector, "matchExpressions", expressions_taken);
    prb_json_set(webhook, member, selector);
}

static void add_label(struct json_object *expressions, const struct prb_registration *registration,
        const char *label)
{
    if (label)
        add_expression(
                expressions, label, registration->without_label ? "DoesNotExist" : "Exists", NULL);
}

/* What keeps the cluster and Probate itself alive must come up while Probate is down. */
static void add_exemption(struct json_object *expressions, const char *namespace)
{
    struct json_object *values = list_of("kube-system");

    prb_json_push(values, json_object_new_string(namespace));
    add_expression(expressions, PRB_MANIFEST_NAME_LABEL, "NotIn", values);
}

/* A path of its own: only this rule judges such a call, and its name is in what the user is told.
 */
static struct json_object *make_client(const struct json_object *client,
        const struct prb_rule *rule, const struct prb_registration *registration)
{
    struct json_object *copy = prb_json_copy(client);
    struct json_object *service = prb_json_obj(copy, "service");
    struct json_object *where = service ? service : copy;
    const char *key = service ? "path" : "url";
    prb_autofree char *path = prb_asprintf("%s/%s%s%s", prb_json_str(where, key), rule->name,
            registration->route ? "/" : "", registration->route ? registration->route : "");

    prb_json_set_str(where, key, path);
    return copy;
}

static const struct prb_registration *find_registration(const struct prb_rule *rule, size_t index)
{
    static const struct prb_registration usual = { 0 };

    return rule->registrations ? &rule->registrations[index] : &usual;
}

void prb_manifest_set_selectors(struct json_object *webhook,
        const struct prb_manifest_webhook *options, const struct prb_rule *rule, size_t index)
{
    const struct prb_registration *registration = find_registration(rule, index);
    struct json_object *namespaces = json_object_new_array();
    struct json_object *objects = json_object_new_array();

    if (options->namespace && is_namespaced(rule, index) && !registration->own_namespace)
        add_exemption(namespaces, options->namespace);
    add_label(namespaces, registration, registration->namespace_label);
    add_label(objects, registration, registration->label);
    set_selector(webhook, "namespaceSelector", namespaces);
    set_selector(webhook, "objectSelector", objects);
}

static void set_condition(struct json_object *webhook, const struct prb_registration *registration)
{
    struct json_object *conditions = json_object_new_array();
    struct json_object *condition = json_object_new_object();

    prb_json_set_str(condition, "name", registration->name);
    prb_json_set_str(condition, "expression", registration->condition);
    prb_json_push(conditions, condition);
    prb_json_set(webhook, "matchConditions", conditions);
}

static struct json_object *make_webhook(const struct prb_manifest_webhook *options,
        const struct prb_rule *rule, size_t index, struct json_object *rules_taken)
{
    const struct prb_registration *registration = find_registration(rule, index);
    prb_autofree char *name =
            prb_asprintf("%s.probate.dev", registration->name ? registration->name : rule->name);
    struct json_object *webhook = json_object_new_object();

    prb_json_set_str(webhook, "name", name);
    prb_json_set(webhook, "admissionReviewVersions", list_of("v1"));
    prb_json_set(webhook, "clientConfig", make_client(options->client, rule, registration));
    prb_json_set_str(webhook, "failurePolicy",
            registration->fail_open || registration->condition ? "Ignore" : "Fail");
    if (registration->condition && options->conditions)
        set_condition(webhook, registration);
    prb_json_set_str(webhook, "matchPolicy", "Equivalent");
    prb_manifest_set_selectors(webhook, options, rule, index);
    prb_json_set(webhook, "rules", rules_taken);
    prb_json_set_str(webhook, "sideEffects", "NoneOnDryRun");
    prb_json_set_int(webhook, "timeoutSeconds",
            registration->timeout_s ? registration->timeout_s : TIMEOUT_S);
    return webhook;
}

/* False: there is nothing that it would be called for. */
static bool add_webhooks(const struct prb_manifest_webhook *options, const struct prb_rule *rule,
        struct json_object *webhooks)
{
    size_t count = rule->registrations ? rule->registration_count : 1;
    bool any = false;

    for (size_t i = 0; i < count; i++) {
        struct json_object *rules = make_rules(rule, i, options->choice);

        if (prb_json_len(rules) == 0) {
            prb_json_free(rules);
            continue;
        }
        prb_json_push(webhooks, make_webhook(options, rule, i, rules));
        any = true;
    }
    return any;
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
        if (!add_webhooks(options, options->choice->rules[i], webhooks))
            left_out(options->choice->rules[i]);
    }
    prb_json_set(manifest, "webhooks", webhooks);
    return manifest;
}

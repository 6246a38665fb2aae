/*
 * Would the API server refuse to delete a provider while Probate does not answer, and to take the
 * label off its Namespace?
 *
 * The first it does when some ValidatingWebhookConfiguration has the webhooks for what is labelled,
 * that fail closed, are for DELETE of Deployments and of Namespaces, and no selector leaves this
 * provider out. The second when the webhook for the label fails closed too, which it may only where
 * the API server keeps its condition. Other conditions in CEL are not looked at: nobody but who
 * runs the cluster puts any there.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/webhook.h"
#include "probate/model/selector.h"

#include "critical_service_internal.h"

const struct prb_gvr prb_crit_webhooks = {
    .group = "admissionregistration.k8s.io",
    .version = "v1",
    .resource = "validatingwebhookconfigurations",
};

/* Why a webhook does not protect. Of several webhooks the one that comes nearest is told of. */
enum gap {
    GAP_ABSENT,
    GAP_IGNORES,
    GAP_RULES,
    GAP_SELECTORS,
    GAP_NONE,
};

/* A webhook that must be there. */
struct part {
    const char *name;
    const char *operation, *what;
    const struct prb_gvr *gvr;
    const char *scope;
    const char *const *subresources; /* that it must be for beside the object; ends with NULL */
    bool may_ignore;                 /* it is in force while Probate answers */
};

static const char *const none[] = { NULL };
static const char *const with_labels[] = { "namespaces/status", "namespaces/finalize", NULL };

static const struct part parts[] = {
    { .name = PRB_CRIT_WEBHOOK,
            .operation = "DELETE",
            .what = "DELETE of deployments.apps",
            .gvr = &prb_deployments,
            .scope = "Namespaced",
            .subresources = none },
    { .name = PRB_CRIT_NAMESPACE_WEBHOOK,
            .operation = "DELETE",
            .what = "DELETE of namespaces",
            .gvr = &prb_namespaces,
            .scope = "Cluster",
            .subresources = none },
    { .name = PRB_CRIT_LABEL_WEBHOOK,
            .operation = "UPDATE",
            .what = "UPDATE of namespaces, namespaces/status and namespaces/finalize",
            .gvr = &prb_namespaces,
            .scope = "Cluster",
            .subresources = with_labels,
            .may_ignore = true },
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))

struct search {
    const struct part *part;
    const struct prb_object *provider;  /* NULL: not there */
    const struct prb_object *namespace; /* as it is with the label on; NULL: not there */
    enum gap nearest;
    bool closed; /* some such webhook fails closed for what it is meant for */
};

static bool has_text(const struct json_object *list, const char *text)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *item = prb_json_string(prb_json_elem(list, i));

        if (prb_streq(item, text) || prb_streq(item, "*"))
            return true;
    }
    return false;
}

/* "*" and absent are any scope. */
static bool has_scope(const struct json_object *rule, const char *scope)
{
    const char *said = prb_json_str(rule, "scope");

    return !said || prb_streq(said, "*") || prb_streq(said, scope);
}

/* "*" is no subresource. */
static bool has_resource(const struct json_object *rule, const char *resource)
{
    const struct json_object *resources = prb_json_arr(rule, "resources");

    for (size_t i = 0; i < prb_json_len(resources); i++) {
        const char *item = prb_json_string(prb_json_elem(resources, i));

        if (prb_streq(item, resource) || prb_streq(item, "*/*") ||
                (prb_streq(item, "*") && !strchr(resource, '/')))
            return true;
    }
    return false;
}

static bool covers(const struct json_object *webhook, const struct part *part, const char *resource)
{
    const struct json_object *rules = prb_json_arr(webhook, "rules");

    for (size_t i = 0; i < prb_json_len(rules); i++) {
        const struct json_object *rule = prb_json_elem(rules, i);

        if (has_text(prb_json_arr(rule, "operations"), part->operation) &&
                has_text(prb_json_arr(rule, "apiGroups"), part->gvr->group) &&
                has_resource(rule, resource) &&
                has_text(prb_json_arr(rule, "apiVersions"), part->gvr->version) &&
                has_scope(rule, part->scope))
            return true;
    }
    return false;
}

static bool covers_all(const struct json_object *webhook, const struct part *part)
{
    for (size_t i = 0; part->subresources[i]; i++) {
        if (!covers(webhook, part, part->subresources[i]))
            return false;
    }
    return covers(webhook, part, part->gvr->resource);
}

/* What cannot be read as a selector selects nothing. */
static bool selects(
        const struct json_object *webhook, const char *member, const struct prb_object *object)
{
    prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
    struct prb_error err;

    if (!object)
        return true;
    return prb_selector_from_json(prb_json_find(webhook, member), &selector, &err) == 0 &&
           prb_selector_matches(selector, object);
}

/* Labels of a Namespace are what its own deletion is selected by, and that of all in it. */
static bool selects_all(const struct json_object *webhook, const struct search *search)
{
    const struct prb_object *object =
            search->part->gvr == &prb_deployments ? search->provider : search->namespace;

    return selects(webhook, "namespaceSelector", search->namespace) &&
           selects(webhook, "objectSelector", object);
}

static bool fails_closed(const struct json_object *webhook)
{
    const char *policy = prb_json_str(webhook, "failurePolicy");

    return !policy || prb_streq(policy, "Fail");
}

static enum gap gap_of(const struct json_object *webhook, const struct search *search)
{
    if (!search->part->may_ignore && !fails_closed(webhook))
        return GAP_IGNORES;
    if (!covers_all(webhook, search->part))
        return GAP_RULES;
    return selects_all(webhook, search) ? GAP_NONE : GAP_SELECTORS;
}

/* A condition of somebody else leaves something out. */
static bool is_for_label(const struct json_object *webhook)
{
    return prb_json_len(prb_json_arr(webhook, "matchConditions")) == 0 ||
           prb_webhook_has_condition(webhook, PRB_LABEL_TAKEN_OFF);
}

static void look_at(const struct json_object *webhook, struct search *search)
{
    enum gap gap = gap_of(webhook, search);

    if (gap > search->nearest)
        search->nearest = gap;
    if (gap == GAP_NONE && fails_closed(webhook) && is_for_label(webhook))
        search->closed = true;
}

static bool look_at_configuration(void *ctx, const struct prb_object *configuration)
{
    struct search *search = ctx;
    const struct json_object *webhooks = prb_json_arr(prb_object_tree(configuration), "webhooks");

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (prb_streq(prb_json_str(webhook, "name"), search->part->name))
            look_at(webhook, search);
    }
    return true;
}

/* The Namespace with the label on, which it gets anyway: name and labels are all that is selected
 * by. */
static struct prb_object *labelled(const struct prb_object *object)
{
    struct json_object *tree = json_object_new_object();
    struct json_object *metadata = prb_json_ensure_obj(tree, "metadata");
    const struct json_object *labels = prb_json_obj(prb_object_metadata(object), "labels");
    struct prb_object *made = NULL;
    struct prb_error err;

    prb_json_set_str(metadata, "name", prb_object_name(object));
    if (labels)
        prb_json_set(metadata, "labels", prb_json_copy(labels));
    prb_json_set_str(prb_json_ensure_obj(metadata, "labels"), PRB_LABEL_PROTECTED, "true");
    (void)prb_object_new(tree, &made, &err);
    return made;
}

static char *text_of(enum gap gap, const struct part *part, const struct prb_object *provider)
{
    switch (gap) {
    case GAP_ABSENT:
        return prb_asprintf("no ValidatingWebhookConfiguration has the webhook %s", part->name);
    case GAP_IGNORES:
        return prb_asprintf("failurePolicy of the webhook %s is not Fail", part->name);
    case GAP_RULES:
        return prb_asprintf("the webhook %s is not for %s", part->name, part->what);
    case GAP_SELECTORS:
        return prb_asprintf("the selectors of the webhook %s leave out deployments.apps %s/%s or "
                            "its namespace",
                part->name, prb_object_namespace(provider), prb_object_name(provider));
    case GAP_NONE:
        break;
    }
    return NULL;
}

char *prb_crit_webhook_gap(const struct prb_view *view, const struct prb_object *provider,
        const struct prb_object *namespace, bool *ret_guard_open)
{
    prb_auto(prb_object_unref) struct prb_object *then = namespace ? labelled(namespace) : NULL;

    *ret_guard_open = true;
    for (size_t i = 0; i < PARTS; i++) {
        struct search search = { .part = &parts[i], .provider = provider, .namespace = then };

        prb_view_each(view, &prb_crit_webhooks, NULL, look_at_configuration, &search);
        if (search.nearest != GAP_NONE)
            return text_of(search.nearest, &parts[i], provider);
        *ret_guard_open = !search.closed;
    }
    return NULL;
}

/* Whether the webhooks for Deployments leave out a Namespace. */
struct exemption {
    const struct prb_object *namespace; /* as it is with the label on */
    bool left_out, selected;
};

static bool look_for_exemption(void *ctx, const struct prb_object *configuration)
{
    struct exemption *exemption = ctx;
    const struct json_object *webhooks = prb_json_arr(prb_object_tree(configuration), "webhooks");

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);

        if (!prb_streq(prb_json_str(webhook, "name"), PRB_CRIT_WEBHOOK))
            continue;
        if (selects(webhook, "namespaceSelector", exemption->namespace))
            exemption->selected = true;
        else
            exemption->left_out = true;
    }
    return !exemption->selected;
}

bool prb_crit_is_exempt(const struct prb_critical_settings *settings, const struct prb_view *view,
        const struct prb_object *namespace)
{
    prb_auto(prb_object_unref) struct prb_object *then = labelled(namespace);
    struct exemption exemption = { .namespace = then };

    for (size_t i = 0; settings && i < settings->exempt_count; i++) {
        if (prb_streq(settings->exempt_namespaces[i], prb_object_name(namespace)))
            return true;
    }
    prb_view_each(view, &prb_crit_webhooks, NULL, look_for_exemption, &exemption);
    return exemption.left_out && !exemption.selected;
}

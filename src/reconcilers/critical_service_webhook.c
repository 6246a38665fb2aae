/*
 * Would the API server refuse to delete a provider while Probate does not answer?
 *
 * It does when some ValidatingWebhookConfiguration has the webhook for labelled objects, that fails
 * closed, is for DELETE of deployments and namespaces, and no selector leaves this provider out.
 * Conditions in CEL are not looked at: nobody but who runs the cluster puts any there.
 */

#include "probate/base/mem.h"
#include "probate/base/str.h"
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

struct search {
    struct prb_object *provider;  /* owned, as it is with the label on */
    struct prb_object *namespace; /* owned, likewise; NULL: not there */
    enum gap nearest;
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

static bool covers(const struct json_object *webhook, const struct prb_gvr *gvr, const char *scope)
{
    const struct json_object *rules = prb_json_arr(webhook, "rules");

    for (size_t i = 0; i < prb_json_len(rules); i++) {
        const struct json_object *rule = prb_json_elem(rules, i);
        const struct json_object *resources = prb_json_arr(rule, "resources");

        if (has_text(prb_json_arr(rule, "operations"), "DELETE") &&
                has_text(prb_json_arr(rule, "apiGroups"), gvr->group) &&
                (has_text(resources, gvr->resource) || has_text(resources, "*/*")) &&
                has_text(prb_json_arr(rule, "apiVersions"), gvr->version) && has_scope(rule, scope))
            return true;
    }
    return false;
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
    return selects(webhook, "namespaceSelector", search->namespace) &&
           selects(webhook, "objectSelector", search->namespace) &&
           selects(webhook, "objectSelector", search->provider);
}

static enum gap gap_of(const struct json_object *webhook, const struct search *search)
{
    const char *policy = prb_json_str(webhook, "failurePolicy");

    if (policy && !prb_streq(policy, "Fail"))
        return GAP_IGNORES;
    if (!covers(webhook, &prb_deployments, "Namespaced") ||
            !covers(webhook, &prb_namespaces, "Cluster"))
        return GAP_RULES;
    return selects_all(webhook, search) ? GAP_NONE : GAP_SELECTORS;
}

static bool look_at_configuration(void *ctx, const struct prb_object *configuration)
{
    struct search *search = ctx;
    const struct json_object *webhooks = prb_json_arr(prb_object_tree(configuration), "webhooks");

    for (size_t i = 0; i < prb_json_len(webhooks); i++) {
        const struct json_object *webhook = prb_json_elem(webhooks, i);
        enum gap gap;

        if (!prb_streq(prb_json_str(webhook, "name"), PRB_CRIT_WEBHOOK))
            continue;
        gap = gap_of(webhook, search);
        if (gap > search->nearest)
            search->nearest = gap;
    }
    return search->nearest != GAP_NONE;
}

/* The object with the label on, which it gets anyway: name and labels are all that is selected by.
 */
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

static char *text_of(enum gap gap, const struct prb_object *provider)
{
    const char *what = PRB_CRIT_WEBHOOK;

    switch (gap) {
    case GAP_ABSENT:
        return prb_asprintf("no ValidatingWebhookConfiguration has the webhook %s", what);
    case GAP_IGNORES:
        return prb_asprintf("failurePolicy of the webhook %s is not Fail", what);
    case GAP_RULES:
        return prb_asprintf(
                "the webhook %s is not for DELETE of deployments.apps and namespaces", what);
    case GAP_SELECTORS:
        return prb_asprintf("the selectors of the webhook %s leave out deployments.apps %s/%s or "
                            "its namespace",
                what, prb_object_namespace(provider), prb_object_name(provider));
    case GAP_NONE:
        break;
    }
    return NULL;
}

char *prb_crit_webhook_gap(const struct prb_view *view, const struct prb_object *provider,
        const struct prb_object *namespace)
{
    prb_auto(prb_object_unref) struct prb_object *provider_then = labelled(provider);
    prb_auto(prb_object_unref) struct prb_object *namespace_then =
            namespace ? labelled(namespace) : NULL;
    struct search search = { .provider = provider_then, .namespace = namespace_then };

    prb_view_each(view, &prb_crit_webhooks, NULL, look_at_configuration, &search);
    return text_of(search.nearest, provider);
}

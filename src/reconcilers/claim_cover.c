/*
 * Is Probate asked about claims of this kind?
 *
 * Its rule on compositeDeletePolicy is for kinds that are known when webhooks are registered. A
 * definition that comes later offers claims that nobody checks, and nobody notices.
 */

#include "probate/base/str.h"

#include "claim_internal.h"

const struct prb_gvr prb_claim_webhooks = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

#define WEBHOOK "claim-delete-policy.probate.dev"

static bool has_text(const struct json_object *list, const char *text)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        const char *item = prb_json_string(prb_json_elem(list, i));

        if (prb_streq(item, text) || prb_streq(item, "*"))
            return true;
    }
    return false;
}

/* Looks for a registration of a kind. */
struct search {
    const char *group, *plural;
    bool creations, updates; /* each may have a rule of its own */
};

static void look_at_rule(const struct json_object *rule, struct search *search)
{
    const struct json_object *operations = prb_json_arr(rule, "operations");
    const struct json_object *resources = prb_json_arr(rule, "resources");

    if (!has_text(prb_json_arr(rule, "apiGroups"), search->group) ||
            !(has_text(resources, search->plural) || has_text(resources, "*/*")))
        return;
    search->creations = search->creations || has_text(operations, "CREATE");
    search->updates = search->updates || has_text(operations, "UPDATE");
}

static void look_at_webhook(const struct json_object *webhook, struct search *search)
{
    const struct json_object *rules = prb_json_arr(webhook, "rules");

    if (!prb_streq(prb_json_str(webhook, "name"), WEBHOOK))
        return;
    for (size_t i = 0; i < prb_json_len(rules); i++)
        look_at_rule(prb_json_elem(rules, i), search);
}

static bool look_at_configuration(void *ctx, const struct prb_object *configuration)
{
    const struct json_object *webhooks = prb_json_arr(prb_object_tree(configuration), "webhooks");
    struct search *search = ctx;

    for (size_t i = 0; i < prb_json_len(webhooks); i++)
        look_at_webhook(prb_json_elem(webhooks, i), search);
    return !(search->creations && search->updates);
}

void prb_claim_cover(const struct prb_view *view, const struct prb_ref *key,
        const struct prb_object *definition, struct prb_changes *out)
{
    const struct json_object *spec = prb_object_spec(definition);
    struct search search = { .group = prb_json_str(spec, "group"),
        .plural = prb_json_str(prb_json_obj(spec, "claimNames"), "plural") };

    if (!search.group || !search.plural || !prb_view_knows(view, &prb_claim_webhooks))
        return;
    prb_view_each(view, &prb_claim_webhooks, NULL, look_at_configuration, &search);
    if (search.creations && search.updates)
        return;
    prb_changes_wait(out,
            "no registration of the webhook " WEBHOOK " covers %s.%s: what these claims say in "
            "spec.compositeDeletePolicy is not checked. Register it with --claim-resource=%s.%s",
            search.plural, search.group, search.plural, search.group);
    prb_changes_event(out, key, definition, true, "ClaimsNotCovered", "%s", out->waits_for);
}

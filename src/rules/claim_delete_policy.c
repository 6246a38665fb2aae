/*
 * A claim says how its composite is deleted in a way that exists.
 *
 * Looks at:  spec.compositeDeletePolicy of both objects, CompositeResourceDefinitions
 * Refuses:   CREATE, or UPDATE that sets it, with anything but Background or Foreground (422)
 * Why:       the claim would be deleted in another way than its author believes
 */

#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "setting.h"

#define FIELD "compositeDeletePolicy"

static const struct prb_gvr definitions = { "apiextensions.crossplane.io", "v1",
    "compositeresourcedefinitions" };

static const char *const policies[] = { "Background", "Foreground" };

static const struct prb_choice choice = {
    .field = "spec." FIELD,
    .values = policies,
    .count = sizeof(policies) / sizeof(policies[0]),
};

/* Kinds are the same in every version. */
static bool is_kind(const struct prb_request *request, const char *group, const char *resource)
{
    return prb_streq(request->gvr.group, group) && prb_streq(request->gvr.resource, resource);
}

static bool is_named(const struct prb_rule_settings *settings, const struct prb_request *request)
{
    for (size_t i = 0; i < settings->claim_count; i++) {
        if (is_kind(request, settings->claims[i].group, settings->claims[i].resource))
            return true;
    }
    return false;
}

struct offer {
    const struct prb_request *request;
    bool found;
};

static bool look_at_definition(void *ctx, const struct prb_object *definition)
{
    const struct json_object *spec = prb_object_spec(definition);
    struct offer *offer = ctx;

    offer->found = is_kind(offer->request, prb_json_str(spec, "group"),
            prb_json_str(prb_json_obj(spec, "claimNames"), "plural"));
    return !offer->found;
}

static bool covers(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view)
{
    struct offer offer = { .request = request };

    if (is_named(settings, request))
        return true;

    /* Whoever has this member is a claim for all we know. */
    if (!prb_view_knows(view, &definitions))
        return prb_setting(request, FIELD) != NULL;
    prb_view_each(view, &definitions, NULL, look_at_definition, &offer);
    return offer.found;
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct json_object *policy = prb_setting(request, FIELD);
    bool changed = prb_setting_changed(request, FIELD);

    (void)settings;
    (void)view;
    (void)answers;
    if (!prb_streq(prb_json_string(policy), "Orphan")) {
        prb_choice_check(&choice, policy, changed, out);
        return;
    }
    prb_setting_refuse(out, changed, choice.field,
            "\"Orphan\" is not supported: the composite would stay behind and go on being "
            "reconciled without its claim. Use Background or Foreground, or leave it out; to keep "
            "what the claim created, set deletionPolicy: Orphan on the composed resources");
}

static const struct prb_rule_match matches[] = {
    { .operations = PRB_CREATE | PRB_UPDATE, .namespaced = true },
};

static const char *const reads[] = { "metadata.deletionTimestamp", "spec." FIELD, NULL };

/* Their schemas are most of them. The same members as the controller of claims keeps, so that both
 * read the collection once. */
static const char *const keeps[] = { "spec.group", "spec.names", "spec.claimNames",
    "spec.defaultCompositeDeletePolicy", NULL };

static const struct prb_watch_spec watches[] = {
    { .group = definitions.group,
            .version = definitions.version,
            .resource = definitions.resource,
            .whole = true,
            .keeps = keeps },
};

static const struct prb_right rights[] = {
    { definitions.group, definitions.resource, "list,watch" },
};

const struct prb_rule prb_rule_claim_delete_policy = {
    .name = "claim-delete-policy",
    .summary = "a claim is deleted with its composite in the Background or in the Foreground, and "
               "in no other way",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .reads = reads,
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .rights = rights,
    .right_count = sizeof(rights) / sizeof(rights[0]),
    .covers = covers,
    .judge = judge,
};

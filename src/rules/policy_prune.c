/*
 * A ConfigurationPolicy prunes in a way that exists, and only where it enforces.
 *
 * Looks at:  spec.pruneObjectBehavior and spec.remediationAction of both objects
 * Refuses:   CREATE, or UPDATE that sets it, with an unknown pruneObjectBehavior (422)
 * Warns:     of pruning that has no effect, because the policy only informs
 * Why:       a misspelt behaviour prunes nothing, and nobody notices before the policy is gone
 */

#include <strings.h>

#include "probate/base/str.h"
#include "probate/rules/registry.h"

#include "setting.h"

#define FIELD "pruneObjectBehavior"
#define ACTION "remediationAction"

static const char *const behaviours[] = { "DeleteAll", "DeleteIfCreated", "None" };

static const struct prb_choice choice = {
    .field = "spec." FIELD,
    .values = behaviours,
    .count = sizeof(behaviours) / sizeof(behaviours[0]),
};

static bool prunes(const struct json_object *behaviour)
{
    const char *word = prb_json_string(behaviour);

    return prb_streq(word, "DeleteAll") || prb_streq(word, "DeleteIfCreated");
}

/* The CRD makes "inform" of an absent one. */
static bool informs(const struct json_object *action)
{
    const char *word = prb_json_string(action);

    return json_object_is_type(action, json_type_null) || (word && strcasecmp(word, "inform") == 0);
}

static void judge(const struct prb_rule_settings *settings, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    const struct json_object *behaviour = prb_setting(request, FIELD);
    bool changed = prb_setting_changed(request, FIELD);

    (void)settings;
    (void)view;
    (void)answers;
    prb_choice_check(&choice, behaviour, changed, out);
    if (!changed && !prb_setting_changed(request, ACTION))
        return;
    if (prunes(behaviour) && informs(prb_setting(request, ACTION)))
        prb_caution(out,
                "spec." FIELD ": %s has no effect while spec." ACTION
                " is inform: nothing is pruned unless the policy enforces",
                prb_json_string(behaviour));
}

static const struct prb_rule_match matches[] = {
    {
            .group = "policy.open-cluster-management.io",
            .resource = "configurationpolicies",
            .operations = PRB_CREATE | PRB_UPDATE,
            .namespaced = true,
    },
};

static const char *const reads[] = { "metadata.deletionTimestamp", "spec." FIELD, "spec." ACTION,
    NULL };

const struct prb_rule prb_rule_policy_prune = {
    .name = "policy-prune",
    .summary = "a ConfigurationPolicy names a way of pruning that exists, and one that has effect",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .reads = reads,
    .judge = judge,
};

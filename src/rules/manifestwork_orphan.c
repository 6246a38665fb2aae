/*
 * The orphan settings of a ManifestWork are in order, and frozen once it is being deleted.
 *
 * Looks at:  oldObject.metadata.deletionTimestamp; object.metadata.finalizers; spec.deleteOption
 *            and spec.manifestConfigs of both objects; apiVersion, kind, name and namespace of the
 *            manifests
 * Refuses:   UPDATE of a work that is being deleted which changes the policy, the set of rules or
 *            what is ReadOnly (403), unless the agent's finalizer is gone afterwards; settings that
 *            are not in order, where this request brought them in (422)
 * Warns:     of rules that have no effect, that name no manifest, or are spelt in the old way
 * Why:       the agent already deletes by the settings there were; a late change would keep a part
 *            of the resources and lose the others
 */

#include "probate/base/mem.h"
#include "probate/model/delete_option.h"
#include "probate/model/read_only.h"
#include "probate/rules/registry.h"

#include "manifest_match.h"
#include "orphan_text.h"
#include "orphan_valid.h"
#include "setting.h"
#include "shown.h"

/* Five rules and five strategies on each side of a change, unless all their names are of the
 * longest. */
#define CHANGES_MAX 2048

/* The agent's, which acts by the settings as long as it is there. */
#define FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"

/* Five rules in a warning that has to go on after them. */
#define NAMES_MAX 640

/* Settings before and after; a work that is new had none. */
struct settings {
    struct prb_delete_option old, now;
    bool policy_changed, rules_changed;
};

static void settings_read(const struct prb_request *request, struct settings *ret)
{
    prb_delete_option_read(request->old, &ret->old);
    prb_delete_option_read(request->object, &ret->now);
    prb_delete_option_compare(&ret->old, &ret->now);
    ret->policy_changed = !prb_delete_option_same_policy(&ret->old, &ret->now);
    ret->rules_changed = !prb_delete_option_same_rules(&ret->old, &ret->now);
}

static void settings_donep(struct settings *settings)
{
    prb_delete_option_done(&settings->old);
    prb_delete_option_done(&settings->now);
}

/* ---- a work that is being deleted ---- */

static const struct json_object *configs_of(const struct prb_object *work)
{
    return prb_json_find(work ? prb_object_spec(work) : NULL, "manifestConfigs");
}

/* Say what else is ReadOnly afterwards, or is so no longer. */
static void add_strategies(struct prb_str *changes, const struct prb_request *request)
{
    prb_auto(prb_read_only_done) struct prb_read_only old = { .count = 0 }, now = { .count = 0 };

    if (prb_json_equal(configs_of(request->old), configs_of(request->object)))
        return;
    prb_read_only_read(request->old, &old);
    prb_read_only_read(request->object, &now);
    if (!prb_read_only_same(&old, &now))
        prb_orphan_add_strategies(changes, &old, &now);
}

/*
 * Has no agent anything to do with it afterwards? One that does not know a setting removes its
 * finalizer with a PUT that drops the setting: refused, neither the work nor its cluster could go.
 * To take some other finalizer off is not enough: the agent would still act by what is left.
 */
static bool is_let_go(const struct prb_request *request)
{
    return request->object && !prb_object_has_finalizer(request->object, FINALIZER);
}

static void judge_frozen(
        const struct prb_request *request, const struct settings *settings, struct prb_verdict *out)
{
    prb_auto(prb_str_done) struct prb_str changes;
    char subject[PRB_SUBJECT_SIZE];

    prb_str_init(&changes, CHANGES_MAX);
    if (settings->policy_changed || settings->rules_changed)
        prb_orphan_add_changes(&changes, &settings->old, &settings->now);
    add_strategies(&changes, request);
    if (changes.len == 0)
        return;
    prb_forbid(out,
            "%s is being deleted, so its orphan settings cannot change any more: the agent already "
            "deletes by those it had. This request %s%s. Leave spec.deleteOption as it is, and "
            "what spec.manifestConfigs makes ReadOnly; both take effect only when set before the "
            "deletion. To keep what is still there, save it on the managed cluster and apply it "
            "again when the work is gone",
            prb_shown_subject(request, subject), prb_str_get(&changes), changes.cut ? "..." : "");
}

/* ---- a work that is not ---- */

/* Does this request say something new with the rule, so that it may hear of it? */
static bool is_news(const struct settings *settings, const struct prb_orphan_rule *rule)
{
    return !rule->mistyped && !rule->repeated && (settings->policy_changed || !rule->shared);
}

static const struct json_object *tree_of(const struct prb_object *work)
{
    return work ? prb_object_tree(work) : NULL;
}

/* Null is no map either. */
static bool has_odd_spec(const struct prb_object *work)
{
    return prb_json_has(tree_of(work), "spec") &&
           !json_object_is_type(prb_json_find(tree_of(work), "spec"), json_type_object);
}

/* An API server has a schema for that; `review` and the hub in memory have not. */
static void check_spec(const struct prb_request *request, struct prb_verdict *out)
{
    bool is_stored = has_odd_spec(request->old) &&
                     prb_json_equal(prb_json_find(tree_of(request->object), "spec"),
                             prb_json_find(tree_of(request->old), "spec"));

    if (has_odd_spec(request->object))
        prb_setting_refuse(
                out, !is_stored, "spec", "must be a map with workload, deleteOption and the rest");
}

static void warn_of_idle_rules(const struct settings *settings, struct prb_verdict *out)
{
    if (settings->now.rule_count == 0 || !(settings->policy_changed || settings->rules_changed))
        return;
    if (settings->now.orphaning == PRB_ORPHAN_NOTHING)
        prb_caution(out, "spec.deleteOption: the orphaning rules have no effect and nothing is "
                         "kept, unless propagationPolicy is SelectivelyOrphan");
    if (settings->now.orphaning == PRB_ORPHAN_ALL)
        prb_caution(out, "spec.deleteOption: the orphaning rules have no effect, propagationPolicy "
                         "Orphan keeps everything");
}

static void warn_of_spelling(const struct settings *settings, struct prb_verdict *out)
{
    if (settings->now.other_spelling)
        prb_caution(out,
                "spec.deleteOption: orphaning rules are spelt selectivelyOrphans.orphaningRules "
                "with group, resource, namespace and name; a hub may drop any other spelling");
}

static void warn_of_strangers(const struct prb_request *request, const struct settings *settings,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    prb_auto(prb_str_done) struct prb_str names;
    prb_autofree const struct prb_orphan_rule **strangers =
            prb_calloc(settings->now.rule_count + 1, sizeof(struct prb_orphan_rule *));
    struct prb_manifests manifests;
    size_t count = 0;

    prb_str_init(&names, NAMES_MAX);
    prb_manifests_init(&manifests, request->object);
    for (size_t i = 0; i < settings->now.rule_count; i++) {
        const struct prb_orphan_rule *rule = &settings->now.rules[i];

        if (is_news(settings, rule) && prb_manifests_lack(&manifests, rule, answers))
            strangers[count++] = rule;
    }
    for (size_t i = 0; i < count && prb_names_next(&names, i, count); i++)
        prb_orphan_add_rule(&names, strangers[i]);
    if (count > 0)
        prb_caution(out,
                "spec.deleteOption: orphaning rule%s %s%s name%s no manifest of this work; check "
                "group, resource (the plural), namespace and name",
                count == 1 ? "" : "s", prb_str_get(&names), names.cut ? "..." : "",
                count == 1 ? "s" : "");
}

static void ask(const struct prb_rule_settings *unused, const struct prb_request *request,
        const struct prb_view *view, struct prb_questions *out)
{
    prb_auto(settings_done) struct settings settings;
    struct prb_manifests manifests;

    (void)unused;
    (void)view;
    settings_read(request, &settings);
    if (prb_request_is_deleting(request) || settings.now.orphaning != PRB_ORPHAN_SELECTED)
        return;
    prb_manifests_init(&manifests, request->object);
    for (size_t i = 0; i < settings.now.rule_count; i++) {
        if (is_news(&settings, &settings.now.rules[i]))
            prb_manifests_ask(&manifests, &settings.now.rules[i], out);
    }
}

static void judge(const struct prb_rule_settings *unused, const struct prb_request *request,
        const struct prb_view *view, const struct prb_questions *answers, struct prb_verdict *out)
{
    prb_auto(settings_done) struct settings settings;

    (void)unused;
    (void)view;
    settings_read(request, &settings);
    if (prb_request_is_deleting(request)) {
        if (!is_let_go(request))
            judge_frozen(request, &settings, out);
        return;
    }
    check_spec(request, out);
    prb_orphan_check(&settings.old, &settings.now, out);
    warn_of_spelling(&settings, out);
    warn_of_idle_rules(&settings, out);
    if (prb_verdict_allows(out) && settings.now.orphaning == PRB_ORPHAN_SELECTED)
        warn_of_strangers(request, &settings, answers, out);
}

static const struct prb_rule_match matches[] = {
    {
            .group = "work.open-cluster-management.io",
            .resource = "manifestworks",
            .operations = PRB_CREATE | PRB_UPDATE,
            .namespaced = true,
    },
};

static const char *const reads[] = { "metadata.name", "metadata.generateName",
    "metadata.deletionTimestamp", "metadata.finalizers", "spec.deleteOption",
    "spec.manifestConfigs.resourceIdentifier", "spec.manifestConfigs.updateStrategy",
    "spec.workload.manifests.apiVersion", "spec.workload.manifests.kind",
    "spec.workload.manifests.metadata.name", "spec.workload.manifests.metadata.namespace", NULL };

const struct prb_rule prb_rule_manifestwork_orphan = {
    .name = "manifestwork-orphan",
    .summary = "the orphan settings of a ManifestWork are in order, and frozen once it is being "
               "deleted",
    .matches = matches,
    .match_count = sizeof(matches) / sizeof(matches[0]),
    .reads = reads,
    .ask = ask,
    .judge = judge,
};

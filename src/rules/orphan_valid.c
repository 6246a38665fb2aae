/* Are the orphan settings of a work in order? */

#include "orphan_valid.h"

#include <stdio.h>

#include "probate/base/mem.h"

#include "setting.h"
#include "shown.h"

#define OPTION "spec.deleteOption."

/* The name of the longest list, an index and the name of a field. */
#define FIELD_SIZE 128

static const char *const policies[] = { "Foreground", "Orphan", "SelectivelyOrphan" };

static const struct prb_choice choice = {
    .field = OPTION "propagationPolicy",
    .values = policies,
    .count = sizeof(policies) / sizeof(policies[0]),
};

static void check_misfits(const struct prb_delete_option *old, const struct prb_delete_option *now,
        struct prb_verdict *out)
{
    for (size_t i = 0; i < now->misfit_count; i++) {
        const struct prb_misfit *misfit = &now->misfits[i];
        char shown[PRB_SHOWN_SIZE], text[2 * PRB_SHOWN_SIZE];

        (void)snprintf(text, sizeof(text), "must be %s, not %s", misfit->wanted,
                prb_shown(misfit->value, shown));
        prb_setting_refuse(out, !prb_delete_option_has_misfit(old, misfit), misfit->field, text);
    }
}

/* ---- rules ---- */

struct rule_check {
    const char *name;
    unsigned field;
    bool required;
};

static const struct rule_check checks[] = {
    { "group", PRB_RULE_GROUP, false },
    { "resource", PRB_RULE_RESOURCE, true },
    { "namespace", PRB_RULE_NAMESPACE, false },
    { "name", PRB_RULE_NAME, true },
};

static bool is_missing(const struct prb_orphan_rule *rule, const struct rule_check *check)
{
    const char *value = check->field == PRB_RULE_NAME ? rule->name : rule->resource;

    return check->required && value[0] == '\0';
}

static bool is_in_order(const struct prb_orphan_rule *rule)
{
    return !rule->mistyped && rule->resource[0] && rule->name[0];
}

static void refuse_field(const struct prb_orphan_rule *rule, const struct rule_check *check,
        bool changed, struct prb_verdict *out)
{
    char field[FIELD_SIZE];

    (void)snprintf(field, sizeof(field), OPTION "%s[%zu].%s", rule->list, rule->index, check->name);
    if (rule->mistyped & check->field)
        prb_setting_refuse(out, changed, field, "must be a string");
    else if (is_missing(rule, check))
        prb_setting_refuse(out, changed, field,
                check->field == PRB_RULE_NAME
                        ? "is required: the name of the one resource to keep"
                        : "is required: the plural of the kind to keep, such as configmaps");
}

static void refuse_rule(const struct prb_orphan_rule *rule, bool changed, struct prb_verdict *out)
{
    char field[FIELD_SIZE];

    if (rule->mistyped & PRB_RULE_ITSELF) {
        (void)snprintf(field, sizeof(field), OPTION "%s[%zu]", rule->list, rule->index);
        prb_setting_refuse(
                out, changed, field, "must be a map with group, resource, namespace and name");
        return;
    }
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++)
        refuse_field(rule, &checks[i], changed, out);
}

/*
 * The rules that are not in order: those this request brought in, or the others. The first few are
 * named one by one, the rest counted. Choosing SelectivelyOrphan brings every rule in.
 */
static void check_rules(
        const struct prb_delete_option *option, bool chosen, bool changed, struct prb_verdict *out)
{
    const struct prb_orphan_rule *last = NULL;
    char text[PRB_SHOWN_SIZE], field[FIELD_SIZE];
    size_t count = 0;

    for (size_t i = 0; i < option->rule_count; i++) {
        const struct prb_orphan_rule *rule = &option->rules[i];

        if (is_in_order(rule) || rule->repeated || (chosen || !rule->shared) != changed)
            continue;
        last = rule;
        if (count++ < PRB_NAMES_MAX)
            refuse_rule(rule, changed, out);
    }
    if (count <= PRB_NAMES_MAX)
        return;
    (void)snprintf(field, sizeof(field), OPTION "%s", last->list);
    (void)snprintf(text, sizeof(text), "%zu more rules are not in order", count - PRB_NAMES_MAX);
    prb_setting_refuse(out, changed, field, text);
}

/* ---- the selection as a whole ---- */

static bool selects_something(const struct prb_delete_option *option)
{
    for (size_t i = 0; i < option->rule_count; i++) {
        if (is_in_order(&option->rules[i]))
            return option->orphaning == PRB_ORPHAN_SELECTED;
    }
    return false;
}

/*
 * Did this request leave nothing that is selected? On a real hub the misspelt rules are dropped on
 * the way, and nothing would be spared. Nor is anything by rules that are not in order.
 */
static bool has_lost_selection(
        const struct prb_delete_option *old, const struct prb_delete_option *now)
{
    if (now->rule_count > 0)
        return selects_something(old);
    return !prb_delete_option_same_policy(old, now) || !prb_delete_option_same_rules(old, now);
}

static void check_selection(const struct prb_delete_option *old,
        const struct prb_delete_option *now, struct prb_verdict *out)
{
    bool changed = has_lost_selection(old, now);

    /* What was just refused says it already, and of stored rules each was warned of. */
    if (now->orphaning != PRB_ORPHAN_SELECTED || selects_something(now) ||
            !prb_verdict_allows(out) || (now->rule_count > 0 && !changed))
        return;
    prb_setting_refuse(out, changed, OPTION "selectivelyOrphans.orphaningRules",
            "propagationPolicy SelectivelyOrphan needs at least one rule, or it spares nothing. "
            "List what to keep as selectivelyOrphans: {orphaningRules: [{group, resource, "
            "namespace, name}]}; the hub drops rules that are spelt otherwise");
}

void prb_orphan_check(const struct prb_delete_option *old, const struct prb_delete_option *now,
        struct prb_verdict *out)
{
    bool policy_changed = !prb_delete_option_same_policy(old, now);
    bool chosen = policy_changed && now->orphaning == PRB_ORPHAN_SELECTED;

    check_misfits(old, now, out);
    prb_choice_check(&choice, now->policy, policy_changed, out);
    check_rules(now, chosen, true, out);
    check_rules(now, chosen, false, out);
    check_selection(old, now, out);
}

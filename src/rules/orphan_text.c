/* How are orphan settings, and changes of them, put into words? */

#include "orphan_text.h"

#include "shown.h"

void prb_orphan_add_policy(struct prb_str *text, const struct prb_delete_option *option)
{
    char shown[PRB_SHOWN_SIZE];

    if (option->policy)
        prb_str_add(text, prb_shown(option->policy, shown));
    else
        prb_str_add(text, "Foreground (the default)");
}

void prb_orphan_add_rule(struct prb_str *text, const struct prb_orphan_rule *rule)
{
    char shown[PRB_SHOWN_SIZE];

    if (rule->odd) {
        prb_str_add(text, prb_shown_name(rule->odd, shown));
        return;
    }
    prb_str_add(text, rule->resource[0] ? prb_shown_name(rule->resource, shown) : "?");
    if (rule->group[0])
        prb_str_addf(text, ".%s", prb_shown_name(rule->group, shown));
    prb_str_addc(text, ' ');
    if (rule->namespace[0])
        prb_str_addf(text, "%s/", prb_shown_name(rule->namespace, shown));
    prb_str_add(text, rule->name[0] ? prb_shown_name(rule->name, shown) : "?");
}

static void add_read_only(struct prb_str *text, const struct prb_read_only_rule *rule)
{
    const struct prb_orphan_rule named = { .group = rule->group,
        .resource = rule->resource,
        .namespace = rule->namespace,
        .name = rule->name };

    prb_orphan_add_rule(text, &named);
}

/* Between two parts of the text. */
static void separate(struct prb_str *text, size_t begin)
{
    if (text->len > begin)
        prb_str_add(text, "; ");
}

static bool is_only_here(const struct prb_orphan_rule *rule)
{
    return !rule->shared && !rule->repeated;
}

/* "adds orphaning rules A, B": those that the other has not. */
static void add_rules(struct prb_str *text, size_t begin, const char *verb,
        const struct prb_delete_option *option)
{
    size_t count = 0, index = 0;

    for (size_t i = 0; i < option->rule_count; i++)
        count += is_only_here(&option->rules[i]);
    if (count == 0)
        return;
    separate(text, begin);
    prb_str_addf(text, "%s orphaning rule%s ", verb, count == 1 ? "" : "s");
    for (size_t i = 0; i < option->rule_count; i++) {
        if (!is_only_here(&option->rules[i]))
            continue;
        if (!prb_names_next(text, index++, count))
            return;
        prb_orphan_add_rule(text, &option->rules[i]);
    }
}

/* Containers of the wrong type that the other has not. */
static void add_misfits(struct prb_str *text, size_t begin, const struct prb_delete_option *option,
        const struct prb_delete_option *other)
{
    for (size_t i = 0; i < option->misfit_count; i++) {
        if (prb_delete_option_has_misfit(other, &option->misfits[i]))
            continue;
        separate(text, begin);
        prb_str_addf(text, "changes %s", option->misfits[i].field);
    }
}

void prb_orphan_add_changes(struct prb_str *text, const struct prb_delete_option *old,
        const struct prb_delete_option *now)
{
    size_t begin = text->len;

    if (!prb_delete_option_same_policy(old, now)) {
        prb_str_add(text, "changes propagationPolicy from ");
        prb_orphan_add_policy(text, old);
        prb_str_add(text, " to ");
        prb_orphan_add_policy(text, now);
    }
    add_rules(text, begin, "adds", now);
    add_rules(text, begin, "removes", old);
    add_misfits(text, begin, now, old);
    add_misfits(text, begin, old, now);
}

/* Is it ReadOnly here and not there? */
static bool is_new(const struct prb_read_only_rule *rule)
{
    return rule->read_only && !rule->shared;
}

/* "makes A, B ReadOnly": those that the other has not. */
static size_t add_strategies(
        struct prb_str *text, const struct prb_read_only *list, const char *rest)
{
    size_t count = 0, index = 0;

    for (size_t i = 0; i < list->count; i++)
        count += is_new(&list->rules[i]);
    if (count == 0)
        return 0;
    separate(text, 0);
    prb_str_add(text, "makes ");
    for (size_t i = 0; i < list->count; i++) {
        if (!is_new(&list->rules[i]))
            continue;
        if (!prb_names_next(text, index++, count))
            break;
        add_read_only(text, &list->rules[i]);
    }
    prb_str_add(text, rest);
    return count;
}

void prb_orphan_add_strategies(
        struct prb_str *text, const struct prb_read_only *old, const struct prb_read_only *now)
{
    size_t count = add_strategies(text, now, " ReadOnly");

    count += add_strategies(text, old, " no longer ReadOnly");
    if (count > 0)
        return;
    separate(text, 0);
    prb_str_add(text, "changes what spec.manifestConfigs takes out of ReadOnly");
}

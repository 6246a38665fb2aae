/* Which resources does a work make ReadOnly, and do two works make the same ones so? */

#include "probate/model/read_only.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "manifest_internal.h"

/* ---- orders ---- */

static int compare_kinds(const struct prb_read_only_rule *a, const struct prb_read_only_rule *b)
{
    int order = strcmp(a->group, b->group);

    return order != 0 ? order : strcmp(a->resource, b->resource);
}

static int compare_names(const struct prb_read_only_rule *a, const struct prb_read_only_rule *b)
{
    int order = strcmp(a->namespace, b->namespace);

    return order != 0 ? order : strcmp(a->name, b->name);
}

static int compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* The rules for one identifier side by side, the first of them first. */
static int by_identifier(const void *left, const void *right)
{
    const struct prb_read_only_rule *a = left, *b = right;
    int order = compare_kinds(a, b);

    if (order == 0)
        order = compare_names(a, b);
    return order != 0 ? order : compare_numbers(a->index, b->index);
}

/* The rules for one resource side by side, in the order of the text. */
static int by_place(const void *left, const void *right)
{
    const struct prb_read_only_rule *a = left, *b = right;
    int order = compare_kinds(a, b);

    return order != 0 ? order : compare_numbers(a->index, b->index);
}

/* In the order in which they are compared: within a run the order has no effect. */
static int by_meaning(const void *left, const void *right)
{
    const struct prb_read_only_rule *a = left, *b = right;
    int order = compare_kinds(a, b);

    if (order == 0)
        order = compare_numbers(a->run, b->run);
    return order != 0 ? order : compare_names(a, b);
}

static void sort(struct prb_read_only *list, int (*order)(const void *, const void *))
{
    if (list->count > 1)
        qsort(list->rules, list->count, sizeof(*list->rules), order);
}

/* ---- what has no effect ---- */

/* A later rule for the same identifier never counts. */
static void drop_repeated(struct prb_read_only *list)
{
    size_t kept = 0;

    sort(list, by_identifier);
    for (size_t i = 0; i < list->count; i++) {
        const struct prb_read_only_rule *rule = &list->rules[i];

        if (kept == 0 || compare_kinds(&list->rules[kept - 1], rule) != 0 ||
                compare_names(&list->rules[kept - 1], rule) != 0)
            list->rules[kept++] = *rule;
    }
    list->count = kept;
}

static bool is_literal(const char *pattern)
{
    return !strchr(pattern, '*');
}

/* May one text match both? Where both are patterns it may. */
static bool may_meet(const char *a, const char *b)
{
    if (is_literal(a))
        return prb_manifest_pattern_matches(b, a);
    return !is_literal(b) || prb_manifest_pattern_matches(a, b);
}

/* Does a rule with another strategy take anything out of a ReadOnly one that follows? */
static bool takes_out(const struct prb_read_only *list, size_t index)
{
    const struct prb_read_only_rule *rule = &list->rules[index];

    for (size_t i = index + 1; i < list->count; i++) {
        const struct prb_read_only_rule *other = &list->rules[i];

        if (compare_kinds(rule, other) != 0)
            return false;
        if (other->read_only && may_meet(rule->namespace, other->namespace) &&
                may_meet(rule->name, other->name))
            return true;
    }
    return false;
}

static void drop_idle(struct prb_read_only *list)
{
    size_t kept = 0;

    sort(list, by_place);
    for (size_t i = 0; i < list->count; i++) {
        if (list->rules[i].read_only || takes_out(list, i))
            list->rules[kept++] = list->rules[i];
    }
    list->count = kept;
}

static void count_runs(struct prb_read_only *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct prb_read_only_rule *rule = &list->rules[i];
        const struct prb_read_only_rule *before = i > 0 ? rule - 1 : NULL;

        rule->run = 0;
        if (before && compare_kinds(before, rule) == 0)
            rule->run = before->run + (before->read_only != rule->read_only);
    }
}

/* ---- the whole ---- */

void prb_read_only_read(const struct prb_object *work, struct prb_read_only *ret)
{
    struct prb_manifest_work source = { .count = 0 };

    prb_manifest_configs_read(
            prb_json_arr(work ? prb_object_spec(work) : NULL, "manifestConfigs"), &source);
    *ret = (struct prb_read_only){ .count = source.config_count,
        .rules = prb_calloc(source.config_count + 1, sizeof(*ret->rules)) };
    for (size_t i = 0; i < source.config_count; i++) {
        const struct prb_manifest_config *config = &source.configs[i];

        ret->rules[i] = (struct prb_read_only_rule){ .group = config->group,
            .resource = config->resource,
            .namespace = config->namespace,
            .name = config->name,
            .read_only = config->strategy == PRB_READ_ONLY,
            .index = i };
    }
    free(source.configs);
    drop_repeated(ret);
    drop_idle(ret);
    count_runs(ret);
    sort(ret, by_meaning);
}

void prb_read_only_done(struct prb_read_only *list)
{
    free(list->rules);
    *list = (struct prb_read_only){ .count = 0 };
}

/* By identifier, wherever they are: what one text makes ReadOnly and the other as well. */
static void mark_shared(struct prb_read_only *a, struct prb_read_only *b)
{
    size_t left = 0, right = 0;

    sort(a, by_identifier);
    sort(b, by_identifier);
    while (left < a->count && right < b->count) {
        struct prb_read_only_rule *one = &a->rules[left], *other = &b->rules[right];
        int order = compare_kinds(one, other);

        if (order == 0)
            order = compare_names(one, other);
        one->shared |= order == 0 && one->read_only == other->read_only;
        other->shared |= one->shared && order == 0;
        left += order <= 0 ? 1 : 0;
        right += order >= 0 ? 1 : 0;
    }
}

bool prb_read_only_same(struct prb_read_only *a, struct prb_read_only *b)
{
    bool same = a->count == b->count;

    for (size_t i = 0; same && i < a->count; i++)
        same = by_meaning(&a->rules[i], &b->rules[i]) == 0 &&
               a->rules[i].read_only == b->rules[i].read_only;
    mark_shared(a, b);
    return same;
}

/* Do two works orphan the same, and if not, which rules does only one of them have? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/delete_option.h"

#include "text.h"

static int compare(const struct prb_orphan_rule *a, const struct prb_orphan_rule *b)
{
    int order = strcmp(or_empty(a->odd), or_empty(b->odd));

    if (order != 0)
        return order;
    if ((order = strcmp(a->name, b->name)) != 0)
        return order;
    if ((order = strcmp(a->resource, b->resource)) != 0)
        return order;
    if ((order = strcmp(a->group, b->group)) != 0)
        return order;
    return strcmp(a->namespace, b->namespace);
}

/* For qsort: equal rules in the order of the text, so that the first of them is the original. */
static int compare_at(const void *left, const void *right)
{
    const struct prb_orphan_rule *const *a = left, *const *b = right;
    int order = compare(*a, *b);

    return order != 0 ? order : (*a > *b) - (*a < *b);
}

/* Pointers to the rules, sorted, with repetitions marked; the caller frees the array. */
static struct prb_orphan_rule **sorted(struct prb_delete_option *option)
{
    struct prb_orphan_rule **rules =
            prb_calloc(option->rule_count + 1, sizeof(struct prb_orphan_rule *));

    for (size_t i = 0; i < option->rule_count; i++)
        rules[i] = &option->rules[i];
    qsort(rules, option->rule_count, sizeof(struct prb_orphan_rule *), compare_at);
    for (size_t i = 0; i < option->rule_count; i++) {
        rules[i]->repeated = i > 0 && compare(rules[i - 1], rules[i]) == 0;
        rules[i]->shared = false;
    }
    return rules;
}

void prb_delete_option_compare(struct prb_delete_option *a, struct prb_delete_option *b)
{
    prb_autofree struct prb_orphan_rule **left = sorted(a);
    prb_autofree struct prb_orphan_rule **right = sorted(b);
    size_t l = 0, r = 0;

    while (l < a->rule_count && r < b->rule_count) {
        int order = compare(left[l], right[r]);

        if (order == 0) {
            /* Repetitions of either side meet the same partner before it is passed. */
            left[l]->shared = right[r]->shared = true;
            if (l + 1 < a->rule_count && compare(left[l], left[l + 1]) == 0)
                l++;
            else
                r++;
            continue;
        }
        if (order < 0)
            l++;
        else
            r++;
    }
}

bool prb_delete_option_same_policy(
        const struct prb_delete_option *a, const struct prb_delete_option *b)
{
    if (a->orphaning != b->orphaning)
        return false;
    return a->orphaning != PRB_ORPHAN_UNKNOWN || prb_json_equal(a->policy, b->policy);
}

static bool all_shared(const struct prb_delete_option *option)
{
    for (size_t i = 0; i < option->rule_count; i++) {
        if (!option->rules[i].shared)
            return false;
    }
    return true;
}

bool prb_delete_option_has_misfit(
        const struct prb_delete_option *option, const struct prb_misfit *misfit)
{
    for (size_t i = 0; i < option->misfit_count; i++) {
        const struct prb_misfit *own = &option->misfits[i];

        if (prb_streq(own->field, misfit->field) && prb_json_equal(own->value, misfit->value))
            return true;
    }
    return false;
}

static bool misfits_within(const struct prb_delete_option *a, const struct prb_delete_option *b)
{
    for (size_t i = 0; i < a->misfit_count; i++) {
        if (!prb_delete_option_has_misfit(b, &a->misfits[i]))
            return false;
    }
    return true;
}

bool prb_delete_option_same_rules(
        const struct prb_delete_option *a, const struct prb_delete_option *b)
{
    return all_shared(a) && all_shared(b) && misfits_within(a, b) && misfits_within(b, a);
}

/* Which controllers are to run? */

#include "probate/cli/controllers.h"

#include "probate/base/str.h"

/* Reconcilers there may be; the design names four. */
#define CONTROLLERS_MAX 64

static int unknown(const char *name, const struct prb_reconciler *const *table, size_t count,
        struct prb_error *err)
{
    const char *names[CONTROLLERS_MAX];
    int nearest;

    for (size_t i = 0; i < count; i++)
        names[i] = table[i]->name;
    nearest = prb_nearest(name, names, count);
    if (nearest < 0)
        return prb_fail(err, PRB_E_INVALID, "there is no controller \"%s\"", name);
    return prb_fail(err, PRB_E_INVALID, "there is no controller \"%s\"; did you mean %s?", name,
            names[nearest]);
}

/* Set the mark of one name. */
static int mark(const char *name, bool on, const struct prb_reconciler *const *table, size_t count,
        bool *chosen)
{
    for (size_t i = 0; i < count; i++) {
        if (prb_streq(name, table[i]->name)) {
            chosen[i] = on;
            return 0;
        }
    }
    return -1;
}

static void mark_all(bool on, size_t count, bool *chosen)
{
    for (size_t i = 0; i < count; i++)
        chosen[i] = on;
}

/* What is left out is left out, wherever it stands in the list: so it comes last. */
static int mark_listed(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *chosen, struct prb_error *err)
{
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];

        if (prb_streq(name, "*"))
            mark_all(true, count, chosen);
        else if (name[0] != '-' && mark(name, true, table, count, chosen) < 0)
            return unknown(name, table, count, err);
    }
    for (size_t i = 0; i < names->count; i++) {
        const char *name = names->items[i];

        if (name[0] == '-' && mark(name + 1, false, table, count, chosen) < 0)
            return unknown(name + 1, table, count, err);
    }
    return 0;
}

int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err)
{
    bool only_exclusions = true, chosen[CONTROLLERS_MAX];
    size_t left = 0;
    int r;

    if (count > CONTROLLERS_MAX)
        return prb_fail(
                err, PRB_E_INTERNAL, "%zu controllers; CONTROLLERS_MAX is too small", count);
    for (size_t i = 0; i < names->count; i++)
        only_exclusions = only_exclusions && names->items[i][0] == '-';
    mark_all(only_exclusions, count, chosen);
    r = mark_listed(names, table, count, chosen, err);
    if (r < 0)
        return r;

    for (size_t i = 0; i < count; i++)
        left += chosen[i] ? 1 : 0;
    if (left == 0)
        return prb_fail(err, PRB_E_INVALID, "this leaves no controller to run");
    for (size_t i = 0; i < count; i++)
        ret_chosen[i] = chosen[i];
    return 0;
}

/* Which of the things in a table does a list of names mean? */

#include "probate/cli/selection.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#define NAMES_MAX ((size_t)1024) /* bytes of a list of names in an error */

static int unknown(
        const struct prb_selection *selection, const char *name, size_t len, struct prb_error *err)
{
    prb_autofree char *shown = prb_strndup(name, len);
    prb_auto(prb_str_done) struct prb_str known;
    int nearest = prb_nearest(shown, selection->names, selection->count);

    prb_str_init(&known, NAMES_MAX);
    if (nearest >= 0)
        return prb_fail(err, PRB_E_INVALID, "there is no %s \"%s\"; did you mean %s?",
                selection->noun, shown, selection->names[nearest]);
    for (size_t i = 0; i < selection->count; i++)
        prb_str_addf(&known, "%s%s", i > 0 ? ", " : "", selection->names[i]);
    return prb_fail(err, PRB_E_INVALID, "there is no %s \"%s\"; there is %s", selection->noun,
            shown, prb_str_get(&known));
}

int prb_selection_find(
        const struct prb_selection *selection, const char *name, size_t len, struct prb_error *err)
{
    for (size_t i = 0; i < selection->count; i++) {
        const char *known = selection->names[i];

        if (strlen(known) == len && memcmp(known, name, len) == 0)
            return (int)i;
    }
    return unknown(selection, name, len, err);
}

static void mark_all(const struct prb_selection *selection, bool *chosen)
{
    for (size_t i = 0; i < selection->count; i++)
        chosen[i] = chosen[i] || !selection->by_name[i];
}

/* Those that are listed with a minus, or those without. */
static int mark(const struct prb_selection *selection, const struct prb_list *list, bool on,
        bool *chosen, struct prb_error *err)
{
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->items[i];
        int index;

        if ((name[0] != '-') != on)
            continue;
        if (prb_streq(name, "*")) {
            mark_all(selection, chosen);
            continue;
        }
        name += on ? 0 : 1;
        index = prb_selection_find(selection, name, strlen(name), err);
        if (index < 0)
            return index;
        chosen[index] = on;
    }
    return 0;
}

static bool any(const bool *chosen, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (chosen[i])
            return true;
    }
    return false;
}

int prb_selection_choose(const struct prb_selection *selection, const struct prb_list *list,
        bool *ret_chosen, struct prb_error *err)
{
    bool only_exclusions = true, chosen[PRB_SELECTION_MAX] = { false };
    int r;

    for (size_t i = 0; i < list->count; i++)
        only_exclusions = only_exclusions && list->items[i][0] == '-';
    if (only_exclusions)
        mark_all(selection, chosen);
    r = mark(selection, list, true, chosen, err);
    if (r == 0)
        r = mark(selection, list, false, chosen, err);
    if (r < 0)
        return r;
    if (!any(chosen, selection->count))
        return prb_fail(err, PRB_E_INVALID, "this leaves no %s", selection->noun);
    memcpy(ret_chosen, chosen, selection->count * sizeof(*chosen));
    return 0;
}

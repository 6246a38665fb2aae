/* Which controllers are to run? */

#include "probate/cli/controllers.h"

#include "probate/cli/selection.h"

int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err)
{
    struct prb_selection selection = { .noun = "controller", .count = count };

    if (count > PRB_SELECTION_MAX)
        return prb_fail(
                err, PRB_E_INTERNAL, "%zu controllers are more than PRB_SELECTION_MAX", count);
    for (size_t i = 0; i < count; i++)
        selection.names[i] = table[i]->name;
    return prb_selection_choose(&selection, names, ret_chosen, err);
}

#ifndef PROBATE_CLI_CONTROLLERS_H
#define PROBATE_CLI_CONTROLLERS_H

/* What --controllers means: names, "*" for all, "-name" to leave one out. */

#include "probate/cli/list.h"
#include "probate/core/reconciler.h"

/*
 * Mark in `ret_chosen` which of the `count` reconcilers of `table` are meant. With nothing but
 * exclusions all others are. INVALID: an unknown name (with the nearest one), or none is left.
 */
int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err);

#endif

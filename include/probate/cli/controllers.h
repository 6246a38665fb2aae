#ifndef PROBATE_CLI_CONTROLLERS_H
#define PROBATE_CLI_CONTROLLERS_H

/* What --controllers means: names, "*" for all, "-name" to leave one out. */

#include <stddef.h>

#include "probate/cli/flags.h"
#include "probate/core/reconciler.h"

/* The entry of a verb's table for a `struct prb_list MEMBER` of its OPTIONS; `heading` opens a
 * section of the help. */
#define PRB_CONTROLLERS_FLAG(options, member, heading)                              \
    {                                                                               \
        .section = (heading), .name = "controllers", .type = PRB_FLAG_LIST,         \
        .at = offsetof(options, member), .value = "NAME,...", .preset = "*",        \
        .help = "The controllers to run: names, * for all, -NAME to leave one out." \
    }

/*
 * Mark in `ret_chosen` which of the `count` reconcilers of `table` are meant. With nothing but
 * exclusions all others are. INVALID: an unknown name (with the nearest one), or none is left.
 */
int prb_controllers_choose(const struct prb_list *names, const struct prb_reconciler *const *table,
        size_t count, bool *ret_chosen, struct prb_error *err);

#endif

#ifndef PROBATE_CLI_SELECTION_H
#define PROBATE_CLI_SELECTION_H

/* What a list flag means that selects from a table: names, "*" for all but those that have to be
 * named, "-name" to leave one out. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/error.h"
#include "probate/cli/list.h"

/* Things that one flag can select from; the design names five rules and five controllers. */
#define PRB_SELECTION_MAX 64

/* What there is to select from. */
struct prb_selection {
    const char *noun; /* static: "rule" */
    const char *names[PRB_SELECTION_MAX];
    bool by_name[PRB_SELECTION_MAX]; /* "*" does not mean it */
    size_t count;
};

/* The index of the name of `len` bytes; INVALID, with the nearest or all that there are. */
int prb_selection_find(const struct prb_selection *selection, const char *name, size_t len,
        struct prb_error *err);

/*
 * Mark in `ret_chosen` which are meant. What is left out is left out wherever it stands in the
 * list; with nothing but that, all others are meant. INVALID: an unknown name, or none is left.
 */
int prb_selection_choose(const struct prb_selection *selection, const struct prb_list *list,
        bool *ret_chosen, struct prb_error *err);

#endif

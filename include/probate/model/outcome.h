#ifndef PROBATE_MODEL_OUTCOME_H
#define PROBATE_MODEL_OUTCOME_H

/*
 * What became of the reads and writes of earlier rounds of one pass over a key, by slot: a name
 * that the reconciler gave each. Belongs to one thread.
 */

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/model/object.h"
#include "probate/model/view.h"

struct prb_outcome {
    enum prb_errc code;        /* PRB_OK: done, or found */
    struct prb_error *err;     /* owned; NULL when OK */
    struct prb_object *object; /* owned: what was read, or what a write left; NULL: none of both */
    struct prb_known_resource *resource; /* owned: of a resolve; NULL otherwise */
    unsigned number; /* from 1, in the order in which they came; given by prb_outcomes_set */
};

struct prb_outcomes;

struct prb_outcomes *prb_outcomes_new(void);
void prb_outcomes_free(struct prb_outcomes *outcomes);
PRB_DEFINE_CLEANUP(struct prb_outcomes *, prb_outcomes_free)

/* Takes what `outcome` owns; a later one in the same slot replaces it. */
void prb_outcomes_set(struct prb_outcomes *outcomes, const char *slot, struct prb_outcome outcome);

/* Borrowed; NULL: nothing was tried in this slot, in this pass. */
const struct prb_outcome *prb_outcomes_find(const struct prb_outcomes *outcomes, const char *slot);

#endif

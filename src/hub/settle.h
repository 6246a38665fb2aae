#ifndef PROBATE_HUB_SETTLE_INTERNAL_H
#define PROBATE_HUB_SETTLE_INTERNAL_H

#include "state.h"

/*
 * Steps one settling takes at most. An object is written a handful of times on its way out (mark,
 * references, finalizers, removal) and each write has its owners and its namespace looked at, so
 * this is above what a full hub needs; it is there so that a defect cannot hang a write. What is
 * left then waits for the next one.
 */
#define PRB_HUB_STEPS_MAX (16 * (size_t)PRB_HUB_OBJECTS_MAX)

/*
 * Let the controllers work until nothing is left of what follows from this thread's writes, but for
 * what admission refused them (retry.h), and what another thread works on, which looks again. The
 * lock is given up while admission is asked; nobody waits for what another thread asks it.
 */
void prb_hub_settle(struct prb_hub *hub);

/* Let the controller of one item look at it; the lock is given up while admission is asked. */
void prb_hub_step(struct prb_hub *hub, const struct prb_hub_item *item);

#endif

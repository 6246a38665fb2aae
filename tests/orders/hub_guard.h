#ifndef TESTS_ORDERS_HUB_GUARD_H
#define TESTS_ORDERS_HUB_GUARD_H

/*
 * Probate inside this process, in front of a hub in memory, as `probate serve --embedded` joins it:
 * with all rules, and the controller of CriticalServices.
 */

#include "probate/base/cleanup.h"
#include "probate/hub/hub.h"

struct hub_guard;

/* Returns when the caches are read and the controllers work. `hub` is borrowed. */
int hub_guard_start(struct prb_hub *hub, struct hub_guard **ret, struct prb_error *err);

/* The hub is of no use afterwards: its calls are interrupted. NULL is fine. */
void hub_guard_stop(struct hub_guard *guard);
PRB_DEFINE_CLEANUP(struct hub_guard *, hub_guard_stop)

#endif

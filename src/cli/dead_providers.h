#ifndef PROBATE_SRC_CLI_DEAD_PROVIDERS_H
#define PROBATE_SRC_CLI_DEAD_PROVIDERS_H

/* CriticalServices whose provider is going or gone for good although criteria are unmet, as the
 * controller found them: a check each for /readyz?verbose, which names the objects, and a gauge. */

#include "wiring.h"

void prb_dead_providers_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink);

/* Bring the gauge up to date. */
void prb_dead_providers_measure(struct prb_wiring *wiring);

#endif

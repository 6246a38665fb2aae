#ifndef PROBATE_SRC_CLI_COVERAGE_H
#define PROBATE_SRC_CLI_COVERAGE_H

/* Kinds of claims that no registration covers, as the controller of claims found them: a check each
 * for /readyz?verbose, and a gauge. */

#include "wiring.h"

void prb_coverage_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink);

/* Bring the gauge up to date. */
void prb_coverage_measure(struct prb_wiring *wiring);

#endif

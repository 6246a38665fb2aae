#ifndef TESTS_SCENARIO_WRITES_H
#define TESTS_SCENARIO_WRITES_H

/* What the reconciler wrote, as the fault proxy saw it. */

#include "stage.h"
#include "support/fault_proxy.h"

/*
 * Every logical write succeeded exactly once (or, when the API server itself was killed and its
 * last answers were lost with it, at most once): a finalizer onto each original and the keeper,
 * the DELETE of each twin, the finalizer off each original after that; and nothing else was
 * written but Leases.
 */
int writes_check(struct stage *stage, struct prb_fault_proxy *proxy, bool answers_lost);

/* Writes to ConfigMaps that were answered with success for the client with this User-Agent. */
int writes_by(struct prb_fault_proxy *proxy, const char *agent);

#endif

#ifndef TESTS_CLUSTERS_PROVIDER_H
#define TESTS_CLUSTERS_PROVIDER_H

/*
 * Probate as a whole, with the gate of cluster deletion open and all rules in front of the API
 * server: joined in this process as `probate serve --embedded` joins it, or as a process that a
 * real API server asks.
 */

#include "target.h"

struct probate; /* one of the two */

/* What it is registered for: all rules but that of claims, of which there is no kind here. */
#define PROBATE_RULES "-claim-delete-policy"

/* Returns when it works. `target` is borrowed; the definitions are there. */
int probate_on_hub(struct target *target, struct probate **ret, struct prb_error *err);

/* `admin`: path of the administrator's kubeconfig. */
int probate_on_server(
        struct target *target, const char *admin, struct probate **ret, struct prb_error *err);

/* NULL is fine. */
void probate_stop(struct probate *probate);

/* What it waits for, as /waiting tells it; the caller frees. */
char *probate_waiting(struct probate *probate);

#endif

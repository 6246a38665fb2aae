#ifndef PROBATE_SRC_CLI_POLICY_RELEASE_H
#define PROBATE_SRC_CLI_POLICY_RELEASE_H

/*
 * Policies outside of --policy-namespace that have Probate's finalizer: an earlier Probate carried
 * out the policies of all namespaces, or of another one. Nobody would take it off any more, so it
 * is taken off, once, when this process begins to act; nothing is pruned. The finalizer is the
 * reference controller's as well: managedFields say who put it there, and where another manager has
 * a part in it, or nobody knows, it stays. One thread at a time.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/control/recorder.h"

struct prb_policy_release {
    struct prb_api *api;           /* borrowed, as all here */
    const char *keep;              /* the namespace whose policies are carried out */
    struct prb_recorder *recorder; /* NULL: no Events */

    /* May it go on? Asked before each call, since each may take seconds. */
    bool (*go_on)(void *ctx);
    void *ctx;

    bool done;      /* all were looked at, or may not be */
    bool again;     /* the last look left something for later */
    int64_t due_ms; /* monotonic: when to look next; 0: at once */
};

/* Look at all policies by one list. The error of the call that ended it; CANCELLED: it may not go
 * on. */
int prb_policy_release_sweep(struct prb_policy_release *release, struct prb_error *err);

/* Sweep until it was done once, and log what stands in the way. */
void prb_policy_release_tend(struct prb_policy_release *release);

#endif

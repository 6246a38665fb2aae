#ifndef PROBATE_SRC_CLI_CLUSTER_RELEASE_H
#define PROBATE_SRC_CLI_CLUSTER_RELEASE_H

/*
 * Finalizers that Probate once put on ManagedClusters and that nobody sees to any more: its
 * controller was switched off, or given another name for them. They are taken off live clusters, so
 * that these can be deleted. Who put them there is what managedFields say, which caches do not
 * keep: the clusters are listed live, now and then. One thread at a time.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"

struct prb_cluster_release {
    struct prb_api *api; /* borrowed, as all here */
    const char *keep;    /* the finalizer that a controller sees to; NULL: none does */

    /* May it go on? Asked before each call, since each may take seconds. */
    bool (*go_on)(void *ctx);
    void *ctx;

    bool again;       /* the last look left something for later */
    bool told;        /* that another Probate puts them there */
    int64_t since_ms; /* wall: of the first look; 0: there was none */
    int64_t due_ms;   /* monotonic: when to look next; 0: at once */
};

/*
 * Look at all clusters once. One that has not got `keep` yet waits until it has, one that got
 * its finalizer a moment ago until that is settled; what somebody put there since the first look is
 * another Probate's. A deleting one is
 * left alone, and named in the log: what belongs to it may still be there. The error of the call
 * that ended it; CANCELLED: it may not go on.
 */
int prb_cluster_release_sweep(struct prb_cluster_release *release, struct prb_error *err);

/* Sweep when it is time to, and log what stands in the way. */
void prb_cluster_release_tend(struct prb_cluster_release *release);

#endif

#ifndef PROBATE_CONTROL_LEASE_H
#define PROBATE_CONTROL_LEASE_H

/*
 * Leader election on a coordination.k8s.io/v1 Lease, as client-go does it: the holder renews,
 * others watch by polling and take over when the lease was not renewed for its duration *as
 * measured on their own monotonic clock since they last saw it change* (clocks of two machines are
 * never compared). Who cannot renew within the renew deadline stops leading before the lease can
 * be taken. Not a fence: writes still carry uid and resourceVersion preconditions.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"

struct prb_lease;

/* As client-go's defaults; renew deadline and retry follow from the duration (2/3 and 2/15). */
#define PRB_LEASE_DURATION_MS 15000

/* The longest that a flag may ask for, and so the longest that a Lease is waited for. */
#define PRB_LEASE_DURATION_MAX_MS 600000

struct prb_lease_options {
    const char *namespace;
    const char *name;
    const char *identity;          /* unique per process, e.g. "host_uuid" */
    int64_t duration_ms;           /* 0: PRB_LEASE_DURATION_MS; at least 1 s */
    const struct prb_clock *clock; /* borrowed; NULL: the system's */

    /*
     * Kept up to date when not NULL: until when nobody else can lead, on the monotonic clock. A
     * process that was paused for longer than the lease looks here before it writes; the lease's
     * own thread may notice later than its workers go on.
     */
    _Atomic int64_t *safe_until_ms;

    /*
     * Called on the lease's own thread, which must not stop the lease from there. `lost` must not
     * return before all work has stopped, and has a third of the duration for that: calls made
     * while leading need timeouts below it. After `lost` we compete again, unless it was the stop.
     */
    void (*won)(void *ctx);
    void (*lost)(void *ctx);
    void *ctx;
};

int prb_lease_start(struct prb_api *api, const struct prb_lease_options *options,
        struct prb_lease **ret, struct prb_error *err);

/* Stop and free; when leading, call `lost`, then give the lease up so that another can lead at
 * once. Where prb_api_interrupt came before, the lease is left to expire. */
void prb_lease_stop(struct prb_lease *lease);
PRB_DEFINE_CLEANUP(struct prb_lease *, prb_lease_stop)

bool prb_lease_leads(const struct prb_lease *lease);

/* A fake clock was moved: look at it again. */
void prb_lease_poke(struct prb_lease *lease);

#endif

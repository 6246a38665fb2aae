#ifndef SRC_CONTROL_LEASE_INTERNAL_H
#define SRC_CONTROL_LEASE_INTERNAL_H

/*
 * The state of a candidate. Everything but `leads` and what `waker` guards belongs to the thread of
 * the lease; tests take the steps themselves, without one.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "probate/control/lease.h"

#include "lease_record.h"
#include "waker.h"

struct prb_lease {
    struct prb_api *api; /* borrowed */
    struct prb_ref ref;
    char identity[PRB_LEASE_IDENTITY_SIZE];
    int64_t duration_ms;
    int64_t renew_deadline_ms;        /* who could not renew for so long stops leading */
    int64_t retry_ms;                 /* between two tries */
    struct prb_lease_options options; /* its texts are not used: they were copied */

    _Atomic bool leads;
    struct prb_object *seen;        /* owned; as last read or written; NULL: nothing yet */
    struct prb_lease_record record; /* of `seen` */
    int64_t changed_ms;             /* monotonic: when `record` was seen to change */
    int64_t renewed_ms;             /* monotonic: just before the last renewal was sent */
    const char *verb;               /* static; what was tried last, to name a missing right */
    char said[256];                 /* the last trouble logged; "" */

    struct prb_waker waker;
    bool stop; /* under the waker */
    pthread_t thread;
};

/* Checks the options and fills in the rest; starts nothing. */
int prb_lease_new(struct prb_api *api, const struct prb_lease_options *options,
        struct prb_lease **ret, struct prb_error *err);
void prb_lease_free(struct prb_lease *lease);
PRB_DEFINE_CLEANUP(struct prb_lease *, prb_lease_free)

/* Try to get or keep the lease; calls `won` or `lost` as that goes. Returns the monotonic time of
 * the next step. */
int64_t prb_lease_step(struct prb_lease *lease);

/* When leading: `lost`, then let go of the Lease. */
void prb_lease_resign(struct prb_lease *lease);

/* Does the Lease name us now? Reads and writes it as needed. */
enum prb_lease_claim {
    PRB_LEASE_OURS,
    PRB_LEASE_THEIRS,
    PRB_LEASE_UNKNOWN, /* with *err */
};
enum prb_lease_claim prb_lease_claim(struct prb_lease *lease, struct prb_error *err);

/* Write that nobody holds it, if we still do. */
int prb_lease_release(struct prb_lease *lease, struct prb_error *err);

#endif

#ifndef SRC_CONTROL_LEASE_RECORD_H
#define SRC_CONTROL_LEASE_RECORD_H

/* The spec of a coordination.k8s.io/v1 Lease as leader election uses it. Plain value. */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/clock.h"
#include "probate/base/json.h"
#include "probate/model/object.h"

/* A host name (253), an underscore, a UUID (36) and the NUL. */
#define PRB_LEASE_IDENTITY_SIZE 291

struct prb_lease_record {
    char holder[PRB_LEASE_IDENTITY_SIZE]; /* "": free */
    int64_t duration_s;                   /* 0: not said */
    char acquired[PRB_TIME_SIZE]; /* as written by the holder; never compared with a clock */
    char renewed[PRB_TIME_SIZE];
    int64_t transitions;
};

void prb_lease_record_read(const struct prb_object *lease, struct prb_lease_record *ret);
bool prb_lease_record_equal(const struct prb_lease_record *a, const struct prb_lease_record *b);

/* The Lease to write: `seen` with this record, or a new one of that name when `seen` is NULL. */
struct json_object *prb_lease_record_body(const struct prb_lease_record *record,
        const struct prb_object *seen, const struct prb_ref *ref);

#endif

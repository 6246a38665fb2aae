#ifndef SRC_CONTROL_APPLY_INTERNAL_H
#define SRC_CONTROL_APPLY_INTERNAL_H

/* One change on its way, as the apply*.c files share it. */

#include "probate/control/apply.h"
#include "probate/model/outcome.h"

/* The reason of a NOTFOUND that means the kind, not an object. */
#define PRB_APPLY_NOT_SERVED "NotServed"

/* Reads of one collection, one after the other, that got no answer. */
struct prb_apply_misses {
    struct prb_gvr gvr;
    int count;
};

struct prb_apply_job {
    struct prb_api *api;                     /* borrowed, as both below */
    const struct prb_change *change;         /* what to do */
    const struct prb_apply_options *options; /* of the whole list */
    struct prb_apply_misses *misses;         /* borrowed: of the list so far */
    struct prb_outcome outcome; /* what is found or left, where somebody wants to know */
};

/* Perform a change that writes. */
int prb_apply_write(struct prb_apply_job *job, struct prb_error *err);

/* Perform one that only looks. */
int prb_apply_look(struct prb_apply_job *job, struct prb_error *err);

/* Is the resource of the change's ref served, by what the server says now? 0 with the resource;
 * NOTFOUND: positively not; anything else: unknown. */
int prb_apply_is_served(
        const struct prb_apply_job *job, struct prb_resource *ret, struct prb_error *err);

/* Perform an Event. */
void prb_apply_record(struct prb_recorder *recorder, const struct prb_apply_job *job);

#endif

#ifndef PROBATE_CONTROL_APPLY_H
#define PROBATE_CONTROL_APPLY_H

/*
 * Performs an ordered list of changes over the port: each write with its preconditions, in order,
 * stopping at the first that fails. CREATE of something that exists by now, and DELETE of
 * something gone or replaced, are told apart from failures: the former is a CONFLICT (look again),
 * the latter is done. Both are asked for once more before they are believed: an admission webhook
 * may refuse with 404 and 409 too.
 *
 * A change that has a slot does not end the list, whatever becomes of it (but CANCELLED always
 * does): its outcome, with the server's own words, is put into `outcomes`. Of reads of one
 * collection that get no answer, one after the other, only the first few are tried; the outcome of
 * the others is IO too.
 */

#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/control/recorder.h"
#include "probate/core/changes.h"
#include "probate/model/outcome.h"

struct prb_apply_options {
    bool dry_run;             /* the server checks the writes and keeps none; no Events */
    const char *controller;   /* static: for the log */
    int timeout_ms;           /* of each call; 0: PRB_API_TIMEOUT_MS */
    const _Atomic bool *stop; /* once true no further change is begun (CANCELLED); NULL: never */

    /* No change is begun from then on either (CANCELLED), on the monotonic clock; NULL: always. */
    const _Atomic int64_t *until_ms;
    const struct prb_clock *clock; /* for that; NULL: the system's */

    struct prb_outcomes *outcomes; /* borrowed; NULL: a slot is a defect of the caller (INTERNAL) */

    /* Told of each write: 0 with the version that the server has by now (NULL: it did not say), or
     * the error. NULL: nobody is. */
    void (*told)(void *ctx, const struct prb_change *change, int code, const char *version);
    void *told_ctx;

    bool *ret_wrote; /* becomes true when something was written, or may have been; NULL: no matter
                      */
};

/*
 * 0: all done. Otherwise the error of the change that failed; earlier ones stand. EXISTS is told as
 * CONFLICT. IO on a write means that nobody knows whether it happened: deciding again on what the
 * cache says then is the only right answer, and what that repeats is harmless, see runner.h.
 */
int prb_apply(struct prb_api *api, struct prb_recorder *recorder, const struct prb_changes *changes,
        const struct prb_apply_options *options, struct prb_error *err);

/* May another change be begun, by what `stop` and `until_ms` say now? */
bool prb_apply_may_go_on(const struct prb_apply_options *options);

#endif

#ifndef PROBATE_CONTROL_APPLY_H
#define PROBATE_CONTROL_APPLY_H

/*
 * Performs an ordered list of changes over the port: each write with its preconditions, in order,
 * stopping at the first that fails. CREATE of something that exists by now, and DELETE of
 * something gone or replaced, are told apart from failures: the former is a CONFLICT (look again),
 * the latter is done.
 */

#include <stdbool.h>

#include "probate/api/api.h"
#include "probate/control/recorder.h"
#include "probate/core/changes.h"

struct prb_apply_options {
    bool dry_run;
    const char *controller; /* static: for log and Events */
};

/* 0: all done. Otherwise the error of the change that failed; earlier ones stand. */
int prb_apply(struct prb_api *api, struct prb_recorder *recorder, const struct prb_changes *changes,
        const struct prb_apply_options *options, struct prb_error *err);

#endif

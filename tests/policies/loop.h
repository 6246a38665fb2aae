#ifndef TESTS_POLICIES_LOOP_H
#define TESTS_POLICIES_LOOP_H

/* Probate in this process: informers, recorder and runner around the reconciler `policy`. */

#include "probate/control/informer.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"

struct loop {
    struct prb_informers *informers; /* owned, as all here; NULL: it does not run */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

/* Returns when all that is watched was read. */
int loop_start(struct loop *loop, struct prb_api *api, struct prb_error *err);
void loop_stop(struct loop *loop);

#endif

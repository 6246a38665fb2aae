#ifndef TESTS_SUPPORT_CONTROL_LOOP_H
#define TESTS_SUPPORT_CONTROL_LOOP_H

/* Probate in this process: informers, recorder and runner around one reconciler. */

#include "probate/control/informer.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"

struct prb_test_loop {
    struct prb_informers *informers; /* owned, as all here; NULL: it does not run */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

/* `reconciler` and `api` are borrowed until it is stopped. Returns when all that is watched was
 * read; stop it also when it fails. */
int prb_test_loop_start(struct prb_test_loop *loop, const struct prb_reconciler *reconciler,
        struct prb_api *api, struct prb_error *err);
void prb_test_loop_stop(struct prb_test_loop *loop);

#endif

#ifndef TESTS_WORKS_LOOP_H
#define TESTS_WORKS_LOOP_H

/* An agent in this process: informers, recorder and runner around the reconciler `work`. */

#include "probate/control/informer.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"
#include "probate/reconcilers/work.h"

#include "ends.h"

struct loop {
    struct prb_work_settings settings;
    struct prb_reconciler reconciler;
    struct prb_api *sides;           /* owned, as all below */
    struct prb_informers *informers; /* NULL: it does not run */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

/* For a cluster of this name, of a hub at `url`, and under an id of its own. Makes nothing. */
void loop_init(struct loop *loop, const char *cluster, const char *url, const char *agent_id);

/* Returns when all that is watched was read. */
int loop_start(struct loop *loop, struct ends *ends, struct prb_error *err);
void loop_stop(struct loop *loop);
static inline void loop_stopp(struct loop *loop)
{
    loop_stop(loop);
}

#endif

#ifndef TESTS_WORKS_LOOP_H
#define TESTS_WORKS_LOOP_H

/* An agent in this process: the reconciler `work` between a hub and a managed cluster. */

#include "probate/reconcilers/work.h"

#include "ends.h"
#include "support/control_loop.h"

struct loop {
    struct prb_work_settings settings;
    struct prb_reconciler reconciler;
    struct prb_api *sides; /* owned; NULL: it does not run */
    struct prb_test_loop control;
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

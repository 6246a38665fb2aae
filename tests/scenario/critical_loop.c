/* How are informers, recorder and runner put together around the critical-service reconciler? */

#include "probate/reconcilers/registry.h"

#include "critical_stage.h"
#include "support/informers.h"
#include "support/wait.h"

#define FLUSH_MS 1000

int critical_loop_start(
        struct critical_loop *loop, struct critical_stage *stage, struct prb_api *api)
{
    struct prb_error err;

    loop->informers = prb_informers_new(api, NULL);
    loop->recorder = prb_recorder_new(api, "probate", NULL);
    loop->runner = prb_runner_new(&prb_reconciler_critical_service,
            &(struct prb_runner_options){
                    .api = api, .informers = loop->informers, .recorder = loop->recorder });
    if (prb_informers_start(loop->informers, &err) < 0)
        return critical_fail(stage, "%s", err.msg);
    if (!prb_test_await_synced(loop->informers, PRB_TEST_SOON_MS))
        return critical_fail(stage, "%s", prb_test_awaited());
    return prb_runner_start(loop->runner, &err) < 0 ? critical_fail(stage, "%s", err.msg) : 0;
}

void critical_loop_stop(struct critical_loop *loop)
{
    if (loop->runner)
        prb_runner_stop(loop->runner);
    if (loop->informers)
        prb_informers_stop(loop->informers);
    if (loop->recorder)
        prb_recorder_stop(loop->recorder, FLUSH_MS);
    prb_runner_free(loop->runner);
    prb_informers_free(loop->informers);
    prb_recorder_free(loop->recorder);
    *loop = (struct critical_loop){ .runner = NULL };
}

/* How does a reconciler run in a test? */

#include "support/control_loop.h"

#include "probate/base/mem.h"

#include "support/informers.h"
#include "support/wait.h"

#define FLUSH_MS 1000

/* Rows run side by side. */
#define WORKERS 8

int prb_test_loop_start(struct prb_test_loop *loop, const struct prb_reconciler *reconciler,
        struct prb_api *api, struct prb_error *err)
{
    struct prb_runner_options options = { .api = api, .workers = WORKERS };

    loop->informers = prb_informers_new(api, NULL);
    loop->recorder = prb_recorder_new(api, "probate", NULL);
    options.informers = loop->informers;
    options.recorder = loop->recorder;
    loop->runner = prb_runner_new(reconciler, &options);
    if (prb_informers_start(loop->informers, err) < 0)
        return err->code;
    if (!prb_test_await_synced(loop->informers, PRB_TEST_SOON_MS))
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    return prb_runner_start(loop->runner, err);
}

void prb_test_loop_stop(struct prb_test_loop *loop)
{
    if (!loop->informers)
        return;
    prb_runner_stop(loop->runner);
    prb_informers_stop(loop->informers);
    prb_recorder_stop(loop->recorder, FLUSH_MS);
    prb_runner_free(prb_take(loop->runner));
    prb_informers_free(prb_take(loop->informers));
    prb_recorder_free(prb_take(loop->recorder));
}

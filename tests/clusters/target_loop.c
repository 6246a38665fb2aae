/* How are informers, recorder and runner put together around the reconciler? */

#include "probate/reconcilers/registry.h"

#include "support/informers.h"
#include "support/wait.h"
#include "target.h"

#define FLUSH_MS 1000

/* Scenarios run side by side, and some hold a worker for long. */
#define WORKERS 12

int target_start_loop(
        struct target *target, const struct prb_cluster_settings *settings, struct prb_error *err)
{
    struct prb_runner_options options = {
        .api = target->api, .workers = WORKERS, .call_timeout_ms = target->call_timeout_ms
    };

    target->reconciler = prb_reconciler_cluster_deletion;
    target->reconciler.settings = settings;
    target->informers = prb_informers_new(target->api, NULL);
    target->recorder = prb_recorder_new(target->api, "probate", NULL);
    options.informers = target->informers;
    options.recorder = target->recorder;
    target->runner = prb_runner_new(&target->reconciler, &options);
    if (prb_informers_start(target->informers, err) < 0)
        return err->code;
    if (!prb_test_await_synced(target->informers, PRB_TEST_SOON_MS))
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    return prb_runner_start(target->runner, err);
}

void target_stop_loop(struct target *target)
{
    if (target->runner)
        prb_runner_stop(target->runner);
    if (target->informers)
        prb_informers_stop(target->informers);
    if (target->recorder)
        prb_recorder_stop(target->recorder, FLUSH_MS);
    prb_runner_free(target->runner);
    prb_informers_free(target->informers);
    prb_recorder_free(target->recorder);
    target->runner = NULL;
    target->informers = NULL;
    target->recorder = NULL;
}

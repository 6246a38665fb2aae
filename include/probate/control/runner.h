#ifndef PROBATE_CONTROL_RUNNER_H
#define PROBATE_CONTROL_RUNNER_H

/*
 * Runs one reconciler: changed objects become keys, N workers take keys, open a view on the
 * reconciler's stores, let it decide, close the view, and apply what it wants. Level-based: an
 * event is only a reason to look. A failure brings the key back with backoff; CONFLICT soon, after
 * the cache has had a chance to catch up.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/control/informer.h"
#include "probate/control/queue.h"
#include "probate/control/recorder.h"
#include "probate/core/reconciler.h"

struct prb_runner;

struct prb_runner_options {
    struct prb_api *api;             /* borrowed, as all here */
    struct prb_informers *informers; /* not yet started */
    struct prb_recorder *recorder;   /* NULL: no Events */
    const struct prb_clock *clock;   /* NULL: the system's */
    int workers;                     /* 0: 2 */
    bool dry_run;
};

/* Registers its collections with the informers. `reconciler` is borrowed. */
struct prb_runner *prb_runner_new(
        const struct prb_reconciler *reconciler, const struct prb_runner_options *options);
void prb_runner_free(struct prb_runner *runner);
PRB_DEFINE_CLEANUP(struct prb_runner *, prb_runner_free)

/* Start the workers, when the informers are synced and we lead. Every known object of the watched
 * collections is looked at first. May be started again after a stop (leadership lost and won). */
int prb_runner_start(struct prb_runner *runner, struct prb_error *err);

/* Let the workers finish what they have in hand, then end them. Idempotent. */
void prb_runner_stop(struct prb_runner *runner);

/* Nothing due, delayed or in hand: at rest. */
bool prb_runner_idle(struct prb_runner *runner);

/* What keys wait for now, as the reconciler said; sorted by key. */
void prb_runner_each_wait(struct prb_runner *runner,
        void (*each)(void *ctx, const char *controller, const struct prb_ref *key,
                const char *waits_for, int64_t since_ms),
        void *ctx);

/* Look at one key now. */
void prb_runner_enqueue(struct prb_runner *runner, const struct prb_ref *key);

#endif

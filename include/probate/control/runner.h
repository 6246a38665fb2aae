#ifndef PROBATE_CONTROL_RUNNER_H
#define PROBATE_CONTROL_RUNNER_H

/*
 * Runs one reconciler: changed objects become keys, N workers take keys, open a view on the
 * reconciler's stores, let it decide, close the view, and apply what it wants. Level-based: an
 * event is only a reason to look. A failure brings the key back with backoff; CONFLICT soon, after
 * the cache has had a chance to catch up.
 *
 * No write is lost: what failed, or was cut off so that nobody knows, is decided again until the
 * cache shows it done. No write is doubled, although a worker may decide on a cache that has not
 * seen the key's last write yet, or two leaders may overlap for a moment: a second CREATE meets the
 * name (CONFLICT), a second DELETE finds its uid gone, deleting or replaced, a JSON patch tests
 * what was seen, a merge patch with a resourceVersion is refused, and an apply says the same again.
 * A merge patch without one must be such that saying it twice is saying it once. To save such calls
 * a key waits, for some seconds at most, until the cache shows what its last pass has written.
 *
 * A pass over a key may take several rounds (core/changes.h), each on a fresh view; stop and lost
 * leadership end it between two of them too. What a pass remembers is kept when it succeeds; when
 * one fails, what was remembered before is kept if it has written nothing, else forgotten; a stop
 * forgets all. In a dry run a pass that does not come to an end, as it never sees what it writes,
 * is over after PRB_ROUNDS_MAX rounds without being a failure.
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

    /* Of each call; 0: PRB_API_TIMEOUT_MS. Under a lease at most a third of its duration, so that
     * who loses it has stopped writing before another may begin. */
    int call_timeout_ms;

    /* No write is begun from then on, on the monotonic clock: safe_until_ms of a lease. NULL: no
     * lease. */
    const _Atomic int64_t *until_ms;
};

/* Registers its collections with the informers. `reconciler` is borrowed. To be freed when the
 * informers were stopped: they tell it of changes until then. */
struct prb_runner *prb_runner_new(
        const struct prb_reconciler *reconciler, const struct prb_runner_options *options);
void prb_runner_free(struct prb_runner *runner);
PRB_DEFINE_CLEANUP(struct prb_runner *, prb_runner_free)

/*
 * Start the workers, when the informers are synced and we lead. Every known object of the watched
 * collections is looked at first. While a collection that is not optional is unknown, keys wait.
 * May be started again after a stop (leadership lost and won); a second start without one does
 * nothing.
 */
int prb_runner_start(struct prb_runner *runner, struct prb_error *err);

/* Let the workers finish the write they are in, then end them. Idempotent. */
void prb_runner_stop(struct prb_runner *runner);

/* Nothing due, delayed or in hand: at rest. */
bool prb_runner_idle(struct prb_runner *runner);

/*
 * What keys wait for now, as the reconciler said, or why writing failed; sorted by key. `since_ms`
 * is wall time: since when it has been this, numbers and durations in the text aside. `each` must
 * not call the runner.
 */
void prb_runner_each_wait(struct prb_runner *runner,
        void (*each)(void *ctx, const char *controller, const struct prb_ref *key,
                const char *waits_for, int64_t since_ms),
        void *ctx);

/*
 * What became of the collections that the reconciler `wants`, while it runs; in no order. `read`:
 * the view knows it, with so many objects. Neither synced informers nor readiness wait for these.
 */
void prb_runner_each_wanted(struct prb_runner *runner,
        void (*each)(void *ctx, const char *controller, const struct prb_known_resource *known,
                bool read, size_t objects),
        void *ctx);

/* A fake clock was moved: look at it again. */
void prb_runner_poke(struct prb_runner *runner);

/* Look at one key now; nothing while stopped, as the next start looks at everything. */
void prb_runner_enqueue(struct prb_runner *runner, const struct prb_ref *key);

#endif

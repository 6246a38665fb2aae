#ifndef PROBATE_ADMISSION_ASKER_H
#define PROBATE_ADMISSION_ASKER_H

/*
 * Answers the questions of a review live, over the port, within its deadline. What could not be
 * answered stays unknown, with the error that says why; "absent" is only what the server said is
 * not there, or not served (then the error stays too, with its reason NotServed).
 *
 * A pool of threads asks the questions of many reviews. Those of one review are asked side by
 * side, so that a slow one does not keep the others from being answered. A review is handed back
 * at its deadline at the latest, whatever the port does: answers that come later are dropped.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/core/question.h"

/*
 * Answer all that are open on the calling thread, one after the other, kinds last; each gets its
 * share of what is left until `deadline_ms` (monotonic).
 */
void prb_ask_all(struct prb_api *api, const struct prb_clock *clock, int64_t deadline_ms,
        struct prb_questions *questions);

/*
 * Questions that may be with the API server at once. While it stalls, a review holds on to a thread
 * until its deadline; 64 of them, at the 5 s of a registration, are a dozen new ones a second that
 * still find a thread. They cost address space for their stacks only.
 */
#define PRB_ASKER_THREADS 64

/* Reviews that may wait for answers at once; more are told at once that they cannot be verified. */
#define PRB_ASKER_QUEUE_MAX 1024

struct prb_asker;

/* `api` and `clock` are borrowed. `threads` 0: PRB_ASKER_THREADS. */
int prb_asker_new(struct prb_api *api, const struct prb_clock *clock, int threads,
        struct prb_asker **ret, struct prb_error *err);

/*
 * Call every review back now, with what is answered so far; no other is taken from now on. For the
 * end of a process that cannot wait for deadlines. When it returns, no `done` is running or will.
 */
void prb_asker_stop(struct prb_asker *asker);

/*
 * Stop, and end after every call to the port has: these have deadlines, except for discovery.
 * prb_api_interrupt first where that must not take its time.
 */
void prb_asker_free(struct prb_asker *asker);
PRB_DEFINE_CLEANUP(struct prb_asker *, prb_asker_free)

struct prb_asker_job {
    struct prb_questions *questions; /* borrowed until `done`; those that are open are asked */
    int64_t deadline_ms;             /* on the monotonic clock */
    void (*done)(void *ctx);         /* exactly once, on a thread of the pool, no lock held */
    void *ctx;
};

/*
 * Takes a copy of *job. False when too many reviews wait, or the pool is stopped: `done` is not
 * called, and the questions are unknown with an error that says so.
 */
bool prb_asker_submit(struct prb_asker *asker, const struct prb_asker_job *job);

#endif

#ifndef PROBATE_ADMISSION_ASKER_H
#define PROBATE_ADMISSION_ASKER_H

/*
 * Answers the questions of a review live, over the port, within its deadline. What could not be
 * answered stays unknown, with the error that says why. A pool of threads takes whole reviews; it
 * is bounded, and a review that finds no thread in time goes back unanswered.
 */

#include <stdint.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/core/question.h"

/* Answer all of them on the calling thread. `deadline_ms` on the monotonic clock. */
void prb_ask_all(struct prb_api *api, const struct prb_clock *clock, int64_t deadline_ms,
        struct prb_questions *questions);

/* Reviews that may wait for the API server at once. A stalled server must not use up the threads
 * for the few that are asked of another kind; 64 threads cost stacks of address space only. */
#define PRB_ASKER_THREADS 64

/* Reviews queued for a thread; more are answered at once as unverified. */
#define PRB_ASKER_QUEUE_MAX 1024

struct prb_asker;

int prb_asker_new(struct prb_api *api, const struct prb_clock *clock, int threads,
        struct prb_asker **ret, struct prb_error *err);

/* Ends after every job was called back. */
void prb_asker_free(struct prb_asker *asker);
PRB_DEFINE_CLEANUP(struct prb_asker *, prb_asker_free)

struct prb_asker_job {
    struct prb_questions *questions; /* borrowed until `done` */
    int64_t deadline_ms;             /* monotonic */
    void (*done)(void *ctx);         /* exactly once, on a thread of the pool */
    void *ctx;
    struct prb_asker_job *next; /* internal */
};

/* False when the queue is full: `done` is not called, nothing was answered. */
bool prb_asker_submit(struct prb_asker *asker, struct prb_asker_job *job);

#endif

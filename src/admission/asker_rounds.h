#ifndef PROBATE_ADMISSION_ASKER_ROUNDS_INTERNAL_H
#define PROBATE_ADMISSION_ASKER_ROUNDS_INTERNAL_H

/*
 * The reviews that wait for answers, in the order they came, and which question is asked next. No
 * thread, no lock: the pool sees to that.
 *
 * A review's first quick question (about an object by its full name, or about access: one call,
 * with a time limit) may take any thread. A further one beside it only while half of the threads
 * are free. Slow ones (they need discovery, or page through a collection) never take more than
 * half of the threads together, and one review beside its first slow one only while half of those
 * are free; kinds never more than a quarter. However many questions the reviews before it have,
 * and however long lists and discovery take, a new one finds a thread for what is quick, and one
 * review's lists do not keep out another's.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/admission/asker.h"

/* Questions by what they cost. */
enum prb_pace {
    PRB_PACE_QUICK,
    PRB_PACE_SLOW,
    PRB_PACE_KIND, /* slow as well; and only warnings depend on them */
    PRB_PACES,
};

struct prb_round {
    struct prb_asker_job job; /* ours until `over` */
    struct prb_round *next;
    size_t open;                     /* questions that have no answer yet */
    bool started[PRB_QUESTIONS_MAX]; /* they were, or there is nothing to ask any more */
    size_t waiting[PRB_PACES];       /* not started */
    int running[PRB_PACES];          /* with the server now */
    bool over; /* handed back: late answers are dropped, the last one frees it */
};

struct prb_rounds {
    struct prb_round *first, *last; /* owned */
    size_t count;
    int threads;
    int busy[PRB_PACES]; /* questions that are with the server now */
};

/* One question on its way. */
struct prb_asking {
    struct prb_round *round;
    size_t index;
    struct prb_question question; /* owned: the original may be gone before the answer comes */
};

void prb_rounds_add(struct prb_rounds *rounds, const struct prb_asker_job *job);

/* May some question be asked now? */
bool prb_rounds_ready(const struct prb_rounds *rounds);

/* Start the next question; false: none may be asked now. */
bool prb_rounds_start(struct prb_rounds *rounds, struct prb_asking *ret);

/* It was answered, for better or worse: its question goes where it came from, or is freed. Returns
 * the round when that was its last open question. */
struct prb_round *prb_rounds_answered(struct prb_rounds *rounds, struct prb_asking *asking);

/* A round whose deadline is not after `now_ms`, or that has no question at all; or NULL. */
struct prb_round *prb_rounds_due(const struct prb_rounds *rounds, int64_t now_ms);

/* The first deadline of all; INT64_MAX: there is none. */
int64_t prb_rounds_deadline(const struct prb_rounds *rounds);

/* Take a round off the list: what has no answer gets none, because of `why` unless it is with the
 * server. Returns its job; the round is not to be used any more. */
struct prb_asker_job prb_rounds_hand_back(
        struct prb_rounds *rounds, struct prb_round *round, const char *why);

#endif

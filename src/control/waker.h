#ifndef SRC_CONTROL_WAKER_H
#define SRC_CONTROL_WAKER_H

/*
 * A lock with a condition: threads wait on it until woken or until an instant of a clock. On the
 * system's clock the instant comes by itself; a fake clock cannot wake anyone, so there the waiter
 * returns only when woken, and looks at the clock again.
 */

#include <pthread.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/clock.h"

#define PRB_WAKER_NEVER INT64_MAX

struct prb_waker {
    pthread_mutex_t lock;
    pthread_cond_t cond;           /* on CLOCK_MONOTONIC */
    const struct prb_clock *clock; /* borrowed */
};

/* `clock` NULL: the system's. */
void prb_waker_init(struct prb_waker *waker, const struct prb_clock *clock);
void prb_waker_done(struct prb_waker *waker);

struct prb_waker *prb_waker_lock(struct prb_waker *waker); /* returns its argument */
void prb_waker_unlock(struct prb_waker *waker);
PRB_DEFINE_CLEANUP(struct prb_waker *, prb_waker_unlock)

/* A declaration that holds the lock until the end of its scope. */
#define PRB_HOLD(waker)                                                          \
    prb_auto(prb_waker_unlock) __attribute__((unused)) struct prb_waker *held_ = \
            prb_waker_lock(waker)

int64_t prb_waker_now(const struct prb_waker *waker); /* monotonic */

/* The instant `ms` from now; PRB_WAKER_NEVER when that is beyond all time. */
int64_t prb_waker_after(const struct prb_waker *waker, int64_t ms);

/* Wait, lock held, until woken or until `due_ms` (monotonic). May return for no reason. */
void prb_waker_wait(struct prb_waker *waker, int64_t due_ms);

/* Everyone who waits looks again. With the lock held: who has looked and not yet begun to wait
 * would miss it otherwise. */
void prb_waker_wake(struct prb_waker *waker);

#endif

/* How does a thread wait for something or for a time, whichever comes first? */

#include "waker.h"

#include <time.h>

void prb_waker_init(struct prb_waker *waker, const struct prb_clock *clock)
{
    pthread_condattr_t attr;

    waker->clock = clock ? clock : prb_clock_system();
    (void)pthread_mutex_init(&waker->lock, NULL);

    /* The wall clock may be set back, and a wait must not grow by that. */
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&waker->cond, &attr);
    (void)pthread_condattr_destroy(&attr);
}

void prb_waker_done(struct prb_waker *waker)
{
    (void)pthread_cond_destroy(&waker->cond);
    (void)pthread_mutex_destroy(&waker->lock);
}

struct prb_waker *prb_waker_lock(struct prb_waker *waker)
{
    (void)pthread_mutex_lock(&waker->lock);
    return waker;
}

void prb_waker_unlock(struct prb_waker *waker)
{
    (void)pthread_mutex_unlock(&waker->lock);
}

int64_t prb_waker_now(const struct prb_waker *waker)
{
    return waker->clock->mono_ms(waker->clock);
}

int64_t prb_waker_after(const struct prb_waker *waker, int64_t ms)
{
    int64_t due;

    return __builtin_add_overflow(prb_waker_now(waker), ms, &due) ? PRB_WAKER_NEVER : due;
}

void prb_waker_wait(struct prb_waker *waker, int64_t due_ms)
{
    struct timespec due = { .tv_sec = due_ms / 1000, .tv_nsec = due_ms % 1000 * 1000000 };

    if (due_ms == PRB_WAKER_NEVER || waker->clock != prb_clock_system())
        (void)pthread_cond_wait(&waker->cond, &waker->lock);
    else
        (void)pthread_cond_timedwait(&waker->cond, &waker->lock, &due);
}

void prb_waker_wake(struct prb_waker *waker)
{
    (void)pthread_cond_broadcast(&waker->cond);
}

/* Does the condition come to hold in time? */

#include "support/wait.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"

/* The longest pause. Short against what is waited for (a round trip to the API server takes a few
 * ms, its controllers tens), long against the cost of a look. */
#define LOOK_MS 15

/* What other threads of the test do comes within microseconds: that long a look follows the other.
 */
#define EAGER_MS 2

#define PERCENT_MIN 100
#define PERCENT_MAX 2000

/* Of this thread. */
static _Thread_local char seen[512];
static _Thread_local char awaited[PRB_TEST_AWAITED_SIZE];

static int64_t find_percent(void)
{
    const char *text = getenv("PROBATE_TEST_PATIENCE");
    int64_t percent;

    if (!text || !prb_parse_int(text, 0, INT32_MAX, &percent) || percent < PERCENT_MIN)
        return PERCENT_MIN;
    return percent < PERCENT_MAX ? percent : PERCENT_MAX;
}

int prb_test_patience_ms(int base_ms)
{
    return (int)(base_ms * find_percent() / 100);
}

int64_t prb_test_now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

static void pause_ms(int64_t ms)
{
    const struct timespec pause = { .tv_nsec = ms * 1000000L };

    (void)nanosleep(&pause, NULL);
}

void prb_test_pause(void)
{
    pause_ms(LOOK_MS);
}

bool prb_test_saw(const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(seen, sizeof(seen), fmt, args);
    va_end(args);
    return false;
}

const char *prb_test_awaited(void)
{
    return awaited[0] ? awaited : "no wait of this thread has failed";
}

struct prb_test_wait prb_test_wait_for(int base_ms, const char *fmt, ...)
{
    struct prb_test_wait wait = { .began_ms = prb_test_now_ms() };
    va_list args;

    wait.deadline_ms = wait.began_ms + prb_test_patience_ms(base_ms);
    va_start(args, fmt);
    (void)vsnprintf(wait.what, sizeof(wait.what), fmt, args);
    va_end(args);
    seen[0] = '\0';
    return wait;
}

void prb_test_wait_give_up(const struct prb_test_wait *wait)
{
    double waited_s = (double)(prb_test_now_ms() - wait->began_ms) / 1000;

    if (!seen[0])
        (void)prb_test_saw("that it is not so, %u times", wait->looks);
    (void)snprintf(awaited, sizeof(awaited), "waited %.1f s for: %s; last seen: %s", waited_s,
            wait->what, seen);
    (void)fprintf(stderr, "%s\n", awaited);
}

bool prb_test_wait_in_time(struct prb_test_wait *wait)
{
    wait->looks++;
    if (prb_test_now_ms() < wait->deadline_ms)
        return true;
    prb_test_wait_give_up(wait);
    return false;
}

bool prb_test_wait_more(struct prb_test_wait *wait)
{
    int64_t waited_ms = prb_test_now_ms() - wait->began_ms;

    if (!prb_test_wait_in_time(wait))
        return false;
    if (waited_ms < EAGER_MS)
        (void)sched_yield();
    else
        pause_ms(waited_ms < LOOK_MS ? 1 : LOOK_MS);
    return true;
}

bool prb_test_wait_cond(struct prb_test_wait *wait, pthread_cond_t *cond, pthread_mutex_t *lock)
{
    const struct timespec until = { .tv_sec = wait->deadline_ms / 1000,
        .tv_nsec = wait->deadline_ms % 1000 * 1000000L };

    if (!prb_test_wait_in_time(wait))
        return false;
    (void)pthread_cond_clockwait(cond, lock, CLOCK_MONOTONIC, &until);
    return true;
}

int prb_test_wait_left_ms(const struct prb_test_wait *wait)
{
    int64_t left_ms = wait->deadline_ms - prb_test_now_ms();

    return left_ms > 0 ? (int)left_ms : 0;
}

bool prb_test_join(const char *what, pthread_t thread, void **ret, int base_ms)
{
    struct prb_test_wait wait = prb_test_wait_for(base_ms, "%s", what);

    while (pthread_tryjoin_np(thread, ret) == EBUSY) {
        if (!prb_test_wait_more(&wait))
            return false;
    }
    return true;
}

bool prb_test_await(const char *what, bool (*holds)(void *ctx), void *ctx, int base_ms)
{
    struct prb_test_wait wait = prb_test_wait_for(base_ms, "%s", what);

    while (!holds(ctx)) {
        if (!prb_test_wait_more(&wait))
            return false;
    }
    return true;
}

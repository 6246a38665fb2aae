/* Does the condition come to hold in time? */

#include "support/wait.h"

#include <time.h>

#include "probate/base/clock.h"

/* Short against what is waited for (a round trip to the API server takes a few ms, its controllers
 * tens), long against the cost of a look. */
#define LOOK_MS 15

int64_t prb_test_now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

void prb_test_pause(void)
{
    const struct timespec pause = { .tv_nsec = LOOK_MS * 1000000L };

    (void)nanosleep(&pause, NULL);
}

bool prb_test_wait(bool (*holds)(void *ctx), void *ctx, int timeout_ms)
{
    int64_t deadline = prb_test_now_ms() + timeout_ms;

    for (;;) {
        if (holds(ctx))
            return true;
        if (prb_test_now_ms() >= deadline)
            return false;
        prb_test_pause();
    }
}

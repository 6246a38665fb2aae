/* What time is it, really or in a test? */

#include "probate/base/clock.h"

#include <stdatomic.h>
#include <time.h>

static int64_t read_ms(clockid_t id)
{
    struct timespec now;

    (void)clock_gettime(id, &now); /* cannot fail for these two clocks */
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t system_wall_ms(const struct prb_clock *clock)
{
    (void)clock;
    return read_ms(CLOCK_REALTIME);
}

static int64_t system_mono_ms(const struct prb_clock *clock)
{
    (void)clock;
    return read_ms(CLOCK_MONOTONIC);
}

const struct prb_clock *prb_clock_system(void)
{
    static const struct prb_clock system_clock = { system_wall_ms, system_mono_ms };

    return &system_clock;
}

static int64_t fake_ms(const struct prb_clock *clock)
{
    return atomic_load(&((const struct prb_fake_clock *)clock)->now_ms);
}

void prb_fake_clock_init(struct prb_fake_clock *fake, int64_t start_ms)
{
    fake->clock = (struct prb_clock){ fake_ms, fake_ms };
    atomic_init(&fake->now_ms, start_ms);
}

void prb_fake_clock_advance(struct prb_fake_clock *fake, int64_t ms)
{
    atomic_fetch_add(&fake->now_ms, ms);
}

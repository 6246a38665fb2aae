/* Which time is it, for certificates? */

#include "ca_clock.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/metrics.h"

#define SECOND_MS 1000

static struct prb_metric skew = { .name = "probate_clock_skew_seconds",
    .help = "By how much the clock of this machine is ahead of the API server's; below a second or "
            "two that cannot be told from none.",
    .type = PRB_GAUGE };

static const struct prb_server_clock *self_of(const struct prb_clock *clock)
{
    return (const struct prb_server_clock *)clock;
}

static int64_t wall_ms(const struct prb_clock *clock)
{
    const struct prb_server_clock *self = self_of(clock);
    int64_t now_ms = self->base->wall_ms(self->base);

    return prb_server_clock_is_far(self) ? now_ms - atomic_load(&self->skew_ms) : now_ms;
}

static int64_t mono_ms(const struct prb_clock *clock)
{
    const struct prb_server_clock *self = self_of(clock);

    return self->base->mono_ms(self->base);
}

void prb_server_clock_init(struct prb_server_clock *clock, const struct prb_clock *base)
{
    clock->clock = (struct prb_clock){ .wall_ms = wall_ms, .mono_ms = mono_ms };
    clock->base = base ? base : prb_clock_system();
    atomic_init(&clock->skew_ms, 0);
    atomic_init(&clock->known, 0);
}

bool prb_server_clock_is_far(const struct prb_server_clock *clock)
{
    return llabs(atomic_load(&clock->skew_ms)) > PRB_CLOCK_FAR_MS;
}

void prb_server_clock_describe(
        const struct prb_server_clock *clock, char text[2 * PRB_TIME_SIZE + 32])
{
    int64_t ms = atomic_load(&clock->skew_ms);
    char length[PRB_TIME_SIZE];

    prb_duration_format(llabs(ms), length);
    (void)snprintf(text, 2 * PRB_TIME_SIZE + 32, "%s %s the API server's", length,
            ms > 0 ? "ahead of" : "behind");
}

/* The least it can be: the answer took some time, and the server's seconds have no fraction. */
static int64_t least_skew(int64_t before_ms, int64_t server_ms, int64_t after_ms)
{
    if (before_ms > server_ms + SECOND_MS)
        return before_ms - (server_ms + SECOND_MS);
    return after_ms < server_ms ? after_ms - server_ms : 0;
}

void prb_server_clock_compare(
        struct prb_server_clock *clock, int64_t before_ms, int64_t server_ms, int64_t after_ms)
{
    char text[2 * PRB_TIME_SIZE + 32];
    bool was_far = prb_server_clock_is_far(clock);

    atomic_store(&clock->skew_ms, least_skew(before_ms, server_ms, after_ms));
    atomic_store(&clock->known, 1);
    prb_metric_set(&skew, (double)atomic_load(&clock->skew_ms) / SECOND_MS);
    if (prb_server_clock_is_far(clock) && !was_far) {
        prb_server_clock_describe(clock, text);
        prb_warn("the clock of this machine is far off; certificates are made by the API server's",
                KV("clock", text));
    } else if (was_far && !prb_server_clock_is_far(clock)) {
        prb_info("the clock of this machine is right again");
    }
}

#ifndef PROBATE_BASE_CLOCK_H
#define PROBATE_BASE_CLOCK_H

/*
 * Wall and monotonic time behind one struct, so that tests can hold it still. Pure code never
 * reads a clock: it gets the instant with its snapshot. Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prb_clock {
    int64_t (*wall_ms)(const struct prb_clock *clock); /* since the Unix epoch */
    int64_t (*mono_ms)(const struct prb_clock *clock); /* never goes back */
};

/* The machine's clock; static. */
const struct prb_clock *prb_clock_system(void);

/* A clock that moves only when told. Both times start at `start_ms`. */
struct prb_fake_clock {
    struct prb_clock clock; /* first: pass &fake->clock */
    _Atomic int64_t now_ms;
};

void prb_fake_clock_init(struct prb_fake_clock *fake, int64_t start_ms);
void prb_fake_clock_advance(struct prb_fake_clock *fake, int64_t ms);

/* "2026-01-02T03:04:05Z" / "2026-01-02T03:04:05.123456Z"; both fit PRB_TIME_SIZE. */
#define PRB_TIME_SIZE 32
void prb_time_format(int64_t wall_ms, char text[PRB_TIME_SIZE]);
void prb_time_format_micro(int64_t wall_ms, char text[PRB_TIME_SIZE]);

/* Any RFC 3339 instant, with offset and fraction; false when it is none. */
bool prb_time_parse(const char *text, int64_t *ret_ms);

/* A length of time as people say it: "45s", "12m", "3h5m", "2d4h". */
void prb_duration_format(int64_t ms, char text[PRB_TIME_SIZE]);

#endif

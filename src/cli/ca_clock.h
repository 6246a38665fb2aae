#ifndef PROBATE_SRC_CLI_CA_CLOCK_H
#define PROBATE_SRC_CLI_CA_CLOCK_H

/*
 * The time by which certificates are made: this machine's, unless it is far off that of the API
 * server, which has to accept them; then the API server's. A CA made by a clock that is a year
 * ahead would be valid for nobody, and the good ones would count as expired. Thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/clock.h"

/* Half of what certificates are valid before they are made: said while it does no harm yet. */
#define PRB_CLOCK_FAR_MS INT64_C(150000)

struct prb_server_clock {
    struct prb_clock clock; /* first: pass &server_clock->clock */
    const struct prb_clock *base;
    _Atomic int64_t skew_ms; /* by how much this machine is ahead; 0 within a second or two */
    _Atomic int64_t known;   /* 0: never compared */
};

/* `base` NULL: the system's. */
void prb_server_clock_init(struct prb_server_clock *clock, const struct prb_clock *base);

/*
 * The server said `server_ms`, a time cut to its second, between these two readings of `base`. The
 * log is told when it turns out to be far off, and when it no longer is.
 */
void prb_server_clock_compare(
        struct prb_server_clock *clock, int64_t before_ms, int64_t server_ms, int64_t after_ms);

bool prb_server_clock_is_far(const struct prb_server_clock *clock);

/* "3m4s ahead of the API server's": for people. */
void prb_server_clock_describe(
        const struct prb_server_clock *clock, char text[2 * PRB_TIME_SIZE + 32]);

#endif

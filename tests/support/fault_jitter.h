#ifndef TESTS_SUPPORT_FAULT_JITTER_H
#define TESTS_SUPPORT_FAULT_JITTER_H

/*
 * Small delays that a seed repeats: "scripts/soak flake" asks for them, to find tests that are
 * right only when every call takes its usual time. Internal to the proxy.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct prb_fault_jitter {
    uint64_t seed;
    int max_ms; /* 0: no delays */
    _Atomic(uint64_t) calls;
};

/* One call is held up on its way to the API server, or its answer on the way back. */
struct prb_fault_jitter_delay {
    int ms;
    bool back;
};

/* Texts of decimal numbers; NULL or anything else: no delays. */
void prb_fault_jitter_init(struct prb_fault_jitter *jitter, const char *max_ms, const char *seed);

/* As $PROBATE_TEST_JITTER_MS and $PROBATE_TEST_SEED say. */
void prb_fault_jitter_init_env(struct prb_fault_jitter *jitter);

/* That of the next call. It depends on the seed and the number of the call alone. */
struct prb_fault_jitter_delay prb_fault_jitter_next(struct prb_fault_jitter *jitter);

#endif

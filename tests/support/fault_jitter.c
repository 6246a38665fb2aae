/* How long is this call held up? */

#include "support/fault_jitter.h"

#include <stdlib.h>

#include "probate/base/str.h"

#include "support/dice.h"

/* Short against every deadline of a test: calls are to change places, not to time out. */
#define JITTER_MS_MAX 1000

void prb_fault_jitter_init(struct prb_fault_jitter *jitter, const char *max_ms, const char *seed)
{
    int64_t max = 0, number = 0;

    if (!max_ms || !prb_parse_int(max_ms, 0, JITTER_MS_MAX, &max) || !seed ||
            !prb_parse_int(seed, 0, INT64_MAX, &number))
        max = 0;
    jitter->max_ms = (int)max;
    jitter->seed = (uint64_t)number;
    atomic_store(&jitter->calls, 0);
}

void prb_fault_jitter_init_env(struct prb_fault_jitter *jitter)
{
    const char *max_ms = getenv("PROBATE_TEST_JITTER_MS"); /* NOLINT(concurrency-mt-unsafe) */
    const char *seed = getenv("PROBATE_TEST_SEED");        /* NOLINT(concurrency-mt-unsafe) */

    prb_fault_jitter_init(jitter, max_ms, seed);
}

struct prb_fault_jitter_delay prb_fault_jitter_next(struct prb_fault_jitter *jitter)
{
    uint64_t number = atomic_fetch_add(&jitter->calls, 1);
    uint64_t chance = prb_test_mix(jitter->seed, number);

    if (jitter->max_ms == 0)
        return (struct prb_fault_jitter_delay){ .ms = 0 };
    return (struct prb_fault_jitter_delay){
        .ms = (int)(chance / 2 % ((uint64_t)jitter->max_ms + 1)),
        .back = chance % 2 != 0,
    };
}

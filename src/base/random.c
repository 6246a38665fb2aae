/* Where do random numbers come from? The kernel's generator, which never runs dry or repeats. */

#include "probate/base/random.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

uint64_t prb_random_u64(void)
{
    uint64_t value;
    ssize_t got;

    /* Up to 256 bytes come whole once the pool is seeded; before that a signal may interrupt. */
    do
        got = getrandom(&value, sizeof(value), 0);
    while (got < 0 && errno == EINTR);

    /* Without entropy two replicas would make the same uids. */
    if (got != (ssize_t)sizeof(value))
        abort();
    return value;
}

uint64_t prb_random_below(uint64_t limit)
{
    uint64_t unfair, value;

    if (limit == 0)
        return 0;

    /* The lowest 2^64 mod limit values would come up once more often than the others. */
    unfair = (0 - limit) % limit;
    do
        value = prb_random_u64();
    while (value < unfair);
    return value % limit;
}

int64_t prb_jitter_ms(int64_t base, int percent)
{
    int64_t most;

    if (base <= 0 || percent <= 0)
        return base;
    if (__builtin_mul_overflow(base, percent, &most))
        most = INT64_MAX;
    most /= 100;
    if (most > INT64_MAX - base)
        most = INT64_MAX - base;
    return base + (int64_t)prb_random_below((uint64_t)most + 1);
}

void prb_random_uuid(char uuid[PRB_UUID_SIZE])
{
    uint64_t high = prb_random_u64(), low = prb_random_u64();

    high = (high & ~UINT64_C(0xF000)) | UINT64_C(0x4000);     /* version 4 */
    low = (low & ~(UINT64_C(3) << 62)) | (UINT64_C(2) << 62); /* RFC 4122 variant */
    (void)snprintf(uuid, PRB_UUID_SIZE, "%08x-%04x-%04x-%04x-%012llx", (unsigned)(high >> 32),
            (unsigned)(high >> 16) & 0xFFFF, (unsigned)high & 0xFFFF, (unsigned)(low >> 48),
            (unsigned long long)(low & UINT64_C(0xFFFFFFFFFFFF)));
}

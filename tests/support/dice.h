#ifndef TESTS_SUPPORT_DICE_H
#define TESTS_SUPPORT_DICE_H

/* Chance that a seed repeats, the same on every machine: xorshift64. */

#include <stdint.h>

/* Below `limit`, which is not 0, as the dice are not. */
static inline uint64_t prb_test_roll(uint64_t *dice, uint64_t limit)
{
    *dice ^= *dice << 13;
    *dice ^= *dice >> 7;
    *dice ^= *dice << 17;
    return *dice % limit;
}

#endif

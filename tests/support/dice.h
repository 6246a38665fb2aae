#ifndef TESTS_SUPPORT_DICE_H
#define TESTS_SUPPORT_DICE_H

/* Chance that a seed repeats, the same on every machine. */

#include <stdint.h>

/* Chance for the thing of this number, whatever was rolled before: splitmix64. */
static inline uint64_t prb_test_mix(uint64_t seed, uint64_t number)
{
    uint64_t mixed = seed + (number + 1) * 0x9e3779b97f4a7c15U;

    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebU;
    return mixed ^ (mixed >> 31);
}

/* Below `limit`, which is not 0, as the dice are not: xorshift64. */
static inline uint64_t prb_test_roll(uint64_t *dice, uint64_t limit)
{
    *dice ^= *dice << 13;
    *dice ^= *dice >> 7;
    *dice ^= *dice << 17;
    return *dice % limit;
}

#endif

#ifndef PROBATE_BASE_RANDOM_H
#define PROBATE_BASE_RANDOM_H

/* Random numbers from the kernel: for uids, names and jitter. Thread-safe. */

#include <stdint.h>

#define PRB_UUID_SIZE 37 /* 36 characters and the NUL */

uint64_t prb_random_u64(void);

/* Evenly in [0, limit); 0 when limit is 0. */
uint64_t prb_random_below(uint64_t limit);

/* `base` plus up to `percent` of it, for spreading retries. */
int64_t prb_jitter_ms(int64_t base, int percent);

/* A version 4 UUID in lower case. */
void prb_random_uuid(char uuid[PRB_UUID_SIZE]);

#endif

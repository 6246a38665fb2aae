#ifndef PROBATE_BASE_HASH_INTERNAL_H
#define PROBATE_BASE_HASH_INTERNAL_H

/* A hash of strings that an outsider who picks the strings cannot steer. Thread-safe. */

#include <stdint.h>

/* The same text gives the same number within one process, and another in the next. */
uint64_t prb_hash_string(const char *text);

#endif

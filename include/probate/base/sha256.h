#ifndef PROBATE_BASE_SHA256_H
#define PROBATE_BASE_SHA256_H

/* SHA-256, for names and for "is this the same as before?". Not for secrets. */

#include <stddef.h>

#define PRB_SHA256_HEX_SIZE 65

/* 64 lower-case hex digits and NUL. */
void prb_sha256_hex(const void *bytes, size_t size, char ret[PRB_SHA256_HEX_SIZE]);

#endif

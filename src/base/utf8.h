#ifndef PROBATE_BASE_UTF8_INTERNAL_H
#define PROBATE_BASE_UTF8_INTERNAL_H

/* UTF-8, sequence by sequence; shared by the JSON parser, the printers and the log. */

#include <stddef.h>
#include <stdint.h>

/* Longest sequence of a code point, U+10000 and above. */
#define PRB_UTF8_MAX 4

/* Bytes of the well-formed sequence at `at` (1 to 4); 0 when there is none within `left` bytes. */
size_t prb_utf8_step(const char *at, size_t left);

/* Encode a code point (no surrogate, at most U+10FFFF); returns its length. */
size_t prb_utf8_encode(uint32_t point, char to[PRB_UTF8_MAX]);

/* The largest length <= `len` at which `bytes` may be cut without splitting a sequence. */
size_t prb_utf8_cut(const char *bytes, size_t len);

#endif

/* Is this UTF-8, and how long is the next character? */

#include "utf8.h"

#include <stdbool.h>

#include "probate/base/str.h"

static bool is_continuation(unsigned char c)
{
    return (c & 0xC0) == 0x80;
}

/* Length by the first byte; 0 for a byte that cannot begin a sequence (C0 and C1 are overlong). */
static size_t length_of(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first <= 0xDF)
        return 2;
    if (first >= 0xE0 && first <= 0xEF)
        return 3;
    if (first >= 0xF0 && first <= 0xF4)
        return 4;
    return 0;
}

/* Table 3-7 of the Unicode standard: the second byte rules out overlong forms and surrogates. */
static bool second_fits(unsigned char first, unsigned char second)
{
    switch (first) {
    case 0xE0:
        return second >= 0xA0;
    case 0xED:
        return second <= 0x9F;
    case 0xF0:
        return second >= 0x90;
    case 0xF4:
        return second <= 0x8F;
    default:
        return true;
    }
}

size_t prb_utf8_step(const char *at, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)at;
    size_t len = left ? length_of(bytes[0]) : 0;

    if (len > left)
        return 0;
    for (size_t i = 1; i < len; i++) {
        if (!is_continuation(bytes[i]))
            return 0;
    }
    if (len > 1 && !second_fits(bytes[0], bytes[1]))
        return 0;
    return len;
}

size_t prb_utf8_encode(uint32_t point, char to[PRB_UTF8_MAX])
{
    if (point < 0x80) {
        to[0] = (char)point;
        return 1;
    }
    if (point < 0x800) {
        to[0] = (char)(0xC0 | (point >> 6));
        to[1] = (char)(0x80 | (point & 0x3F));
        return 2;
    }
    if (point < 0x10000) {
        to[0] = (char)(0xE0 | (point >> 12));
        to[1] = (char)(0x80 | ((point >> 6) & 0x3F));
        to[2] = (char)(0x80 | (point & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | (point >> 18));
    to[1] = (char)(0x80 | ((point >> 12) & 0x3F));
    to[2] = (char)(0x80 | ((point >> 6) & 0x3F));
    to[3] = (char)(0x80 | (point & 0x3F));
    return 4;
}

size_t prb_utf8_cut(const char *bytes, size_t len)
{
    size_t start = len;

    /* Step back to the byte that begins the last sequence, at most three before the end. */
    while (start > 0 && len - start < PRB_UTF8_MAX) {
        start--;
        if (!is_continuation((unsigned char)bytes[start]))
            break;
    }
    if (start == len || length_of((unsigned char)bytes[start]) <= len - start)
        return len;
    return start;
}

bool prb_utf8_valid(const char *bytes, size_t len)
{
    size_t at = 0;

    while (at < len) {
        size_t step = prb_utf8_step(bytes + at, len - at);

        if (step == 0)
            return false;
        at += step;
    }
    return true;
}

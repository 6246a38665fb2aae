/* Which number, or which length of time, does this text say? */

#include <ctype.h>
#include <string.h>

#include "probate/base/str.h"

#define NS_PER_MS INT64_C(1000000)
#define NS_PER_S (1000 * NS_PER_MS)

bool prb_parse_int(const char *text, int64_t min, int64_t max, int64_t *ret)
{
    bool negative = text[0] == '-';
    const char *at = text + (negative ? 1 : 0);
    int64_t value = 0;

    if (*at == '\0')
        return false;
    for (; *at; at++) {
        int digit = *at - '0';

        /* Counted down from zero, because INT64_MIN has no positive twin. */
        if (digit < 0 || digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
                __builtin_sub_overflow(value, digit, &value))
            return false;
    }
    if (!negative && __builtin_sub_overflow(0, value, &value))
        return false;
    if (value < min || value > max)
        return false;

    *ret = value;
    return true;
}

/* The units of Go's time.ParseDuration; a longer name goes before its own beginning. */
static const struct {
    const char *name;
    int64_t ns;
} units[] = {
    { "ns", 1 },
    { "us", 1000 },
    { "\xC2\xB5s", 1000 }, /* micro sign */
    { "\xCE\xBCs", 1000 }, /* Greek mu */
    { "ms", NS_PER_MS },
    { "s", NS_PER_S },
    { "m", 60 * NS_PER_S },
    { "h", 3600 * NS_PER_S },
};

static bool read_unit(const char **at, int64_t *ret_ns)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        size_t len = strlen(units[i].name);

        if (strncmp(*at, units[i].name, len) == 0) {
            *at += len;
            *ret_ns = units[i].ns;
            return true;
        }
    }
    return false;
}

static bool read_digits(const char **at, int64_t *ret)
{
    int64_t value = 0;

    for (; isdigit((unsigned char)**at); (*at)++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, **at - '0', &value))
            return false;
    }
    *ret = value;
    return true;
}

/* Up to `*scale` parts of one: ".25" is 25 of 100. Digits too small to matter are stepped over. */
static void read_fraction(const char **at, int64_t *ret, int64_t *ret_scale)
{
    *ret = 0;
    *ret_scale = 1;
    for (; isdigit((unsigned char)**at); (*at)++) {
        if (*ret_scale < NS_PER_S) {
            *ret = *ret * 10 + (**at - '0');
            *ret_scale *= 10;
        }
    }
}

/* One "1.5h" of a duration. */
static bool read_part(const char **at, int64_t *ret_ns)
{
    const char *start = *at;
    int64_t whole, fraction = 0, scale = 1, unit, ns;
    bool has_digits;

    if (!read_digits(at, &whole))
        return false;
    has_digits = *at != start;
    if (**at == '.') {
        start = ++*at;
        read_fraction(at, &fraction, &scale);
        has_digits = has_digits || *at != start;
    }
    if (!has_digits || !read_unit(at, &unit) || __builtin_mul_overflow(whole, unit, &ns))
        return false;

    /* In floating point, as Go does: 10^9 parts of an hour need more than 64 bits. */
    return !__builtin_add_overflow(
            ns, (int64_t)((double)fraction * ((double)unit / (double)scale)), ret_ns);
}

bool prb_parse_duration(const char *text, int64_t *ret_ms)
{
    const char *at = text;
    int64_t total = 0;

    if (strcmp(text, "0") == 0) {
        *ret_ms = 0;
        return true;
    }
    if (*at == '\0')
        return false;
    while (*at) {
        int64_t ns;

        if (!read_part(&at, &ns) || __builtin_add_overflow(total, ns, &total))
            return false;
    }

    *ret_ms = total / NS_PER_MS;
    return true;
}

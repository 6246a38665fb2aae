/* Which number does this JSON text spell, and in which type does it fit? */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "json_internal.h"

/* Longest number copied to the stack: what doubles and 64-bit integers print as is shorter. */
#define NUMBER_SMALL 64

static bool at_digit(const struct prb_json_scan *scan)
{
    return scan->at < scan->end && isdigit((unsigned char)*scan->at);
}

static bool skip_digits(struct prb_json_scan *scan)
{
    const char *start = scan->at;

    while (at_digit(scan))
        scan->at++;
    return scan->at > start;
}

static bool skip_one_of(struct prb_json_scan *scan, char a, char b)
{
    if (scan->at == scan->end || (*scan->at != a && *scan->at != b))
        return false;
    scan->at++;
    return true;
}

static int skip_whole(struct prb_json_scan *scan)
{
    (void)skip_one_of(scan, '-', '-');
    if (skip_one_of(scan, '0', '0')) {
        if (at_digit(scan))
            return prb_json_scan_fail(scan, scan->at, "a number must not begin with a zero");
        return 0;
    }
    if (!skip_digits(scan))
        return prb_json_scan_fail(scan, scan->at, "expected a digit");
    return 0;
}

static int skip_fraction_and_exponent(struct prb_json_scan *scan)
{
    if (skip_one_of(scan, '.', '.') && !skip_digits(scan))
        return prb_json_scan_fail(scan, scan->at, "expected a digit after '.'");
    if (skip_one_of(scan, 'e', 'E')) {
        (void)skip_one_of(scan, '+', '-');
        if (!skip_digits(scan))
            return prb_json_scan_fail(scan, scan->at, "expected a digit in the exponent");
    }
    return 0;
}

/* An integer that fits 64 bits, signed first; NULL when it does not. */
static struct json_object *integer_of(const char *text, const char *end)
{
    bool negative = *text == '-';
    uint64_t magnitude = 0;

    for (const char *c = text + (negative ? 1 : 0); c < end; c++) {
        if (__builtin_mul_overflow(magnitude, 10, &magnitude) ||
                __builtin_add_overflow(magnitude, (uint64_t)(*c - '0'), &magnitude))
            return NULL;
    }
    if (negative && magnitude <= (uint64_t)INT64_MAX + 1)
        return prb_json_must(json_object_new_int64((int64_t)(0 - magnitude)));
    if (negative)
        return NULL;
    if (magnitude <= INT64_MAX)
        return prb_json_must(json_object_new_int64((int64_t)magnitude));
    return prb_json_must(json_object_new_uint64(magnitude));
}

/*
 * strtod on a copy: the text need not end with a NUL. Probate never calls setlocale(), so the
 * decimal point is one.
 */
static double double_of(const char *text, size_t len)
{
    char small[NUMBER_SMALL];
    prb_autofree char *large = NULL;

    if (len >= sizeof(small)) {
        large = prb_strndup(text, len);
        return strtod(large, NULL);
    }
    memcpy(small, text, len);
    small[len] = '\0';
    return strtod(small, NULL);
}

int prb_json_scan_number(struct prb_json_scan *scan, bool keep, struct json_object **ret)
{
    const char *start = scan->at, *whole_end;
    struct json_object *number = NULL;
    double value;
    int r = skip_whole(scan);

    whole_end = scan->at;
    if (r == 0)
        r = skip_fraction_and_exponent(scan);
    if (r < 0 || !keep)
        return r;

    if (scan->at == whole_end)
        number = integer_of(start, whole_end);
    if (!number) {
        value = double_of(start, (size_t)(scan->at - start));
        if (!isfinite(value))
            return prb_json_scan_fail(scan, start, "number too large");
        number = prb_json_must(json_object_new_double(value));
    }
    *ret = number;
    return 0;
}

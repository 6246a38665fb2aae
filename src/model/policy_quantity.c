/* Are two texts quantities, as Kubernetes writes them, of the same value? */

#include <string.h>

#include "probate/base/str.h"
#include "probate/model/policy_compare.h"

/* Values are counted in units of this many decimal places: the finest suffix is "n". */
#define PLACES 9

/* 10^18 with 9 places and 10^18 for "E" is 10^45; what does not fit is no quantity to us. */
__extension__ typedef __int128 wide;

static bool times(wide *value, wide factor)
{
    return !__builtin_mul_overflow(*value, factor, value);
}

static bool times_power(wide *value, int base, int exponent)
{
    for (; exponent > 0; exponent--) {
        if (!times(value, base))
            return false;
    }
    for (; exponent < 0; exponent++) {
        if (*value % base != 0)
            return false;
        *value /= base;
    }
    return true;
}

/* "12.50": digits and where the point is. */
static bool read_number(const char **at, wide *value, int *places)
{
    bool after_point = false, any = false;

    for (*value = 0, *places = 0;; (*at)++) {
        if (**at == '.' && !after_point) {
            after_point = true;
            continue;
        }
        if (**at < '0' || **at > '9')
            return any;
        if (!times(value, 10) || __builtin_add_overflow(*value, **at - '0', value))
            return false;
        any = true;
        *places += after_point ? 1 : 0;
    }
}

static const struct {
    const char *suffix;
    int base, exponent;
} suffixes[] = {
    { "", 10, 0 },
    { "n", 10, -9 },
    { "u", 10, -6 },
    { "m", 10, -3 },
    { "k", 10, 3 },
    { "M", 10, 6 },
    { "G", 10, 9 },
    { "T", 10, 12 },
    { "P", 10, 15 },
    { "E", 10, 18 },
    { "Ki", 2, 10 },
    { "Mi", 2, 20 },
    { "Gi", 2, 30 },
    { "Ti", 2, 40 },
    { "Pi", 2, 50 },
    { "Ei", 2, 60 },
};

static bool apply_suffix(const char *text, wide *value)
{
    int64_t exponent;

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        if (prb_streq(text, suffixes[i].suffix))
            return times_power(value, suffixes[i].base, suffixes[i].exponent);
    }
    if (*text != 'e' && *text != 'E')
        return false;
    text += text[1] == '+' ? 2 : 1;
    return prb_parse_int(text, -PLACES, 18, &exponent) && times_power(value, 10, (int)exponent);
}

static bool read_quantity(const char *text, wide *ret)
{
    bool is_negative = *text == '-';
    wide value;
    int places;

    text += *text == '-' || *text == '+' ? 1 : 0;
    if (!read_number(&text, &value, &places) || !times_power(&value, 10, PLACES) ||
            !times_power(&value, 10, -places) || !apply_suffix(text, &value))
        return false;
    *ret = is_negative ? -value : value;
    return true;
}

bool prb_quantity_equal(const char *a, const char *b)
{
    wide one, other;

    return read_quantity(a, &one) && read_quantity(b, &other) && one == other;
}

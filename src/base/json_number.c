/* Which number does this JSON text spell, and in which type does it fit? */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "json_reader_internal.h"

void prb_json_number_begin(struct prb_json_reader *reader, char first)
{
    reader->number = first == '-'   ? PRB_JSON_NUMBER_MINUS
                     : first == '0' ? PRB_JSON_NUMBER_ZERO
                                    : PRB_JSON_NUMBER_WHOLE;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int refuse(struct prb_json_reader *reader, const char *at, const char *why)
{
    return prb_json_refuse(reader, prb_json_place_of(reader, at), why);
}

/* What has to follow in this state, or NULL: nothing. */
static const char *expected(enum prb_json_number_state state)
{
    switch (state) {
    case PRB_JSON_NUMBER_MINUS:
        return "expected a digit";
    case PRB_JSON_NUMBER_POINT:
        return "expected a digit after '.'";
    case PRB_JSON_NUMBER_E:
    case PRB_JSON_NUMBER_SIGN:
        return "expected a digit in the exponent";
    case PRB_JSON_NUMBER_ZERO:
    case PRB_JSON_NUMBER_WHOLE:
    case PRB_JSON_NUMBER_FRACTION:
    case PRB_JSON_NUMBER_EXPONENT:
    default:
        return NULL;
    }
}

/* The state behind a digit. */
static enum prb_json_number_state behind_digit(enum prb_json_number_state state, char digit)
{
    switch (state) {
    case PRB_JSON_NUMBER_MINUS:
        return digit == '0' ? PRB_JSON_NUMBER_ZERO : PRB_JSON_NUMBER_WHOLE;
    case PRB_JSON_NUMBER_POINT:
        return PRB_JSON_NUMBER_FRACTION;
    case PRB_JSON_NUMBER_E:
    case PRB_JSON_NUMBER_SIGN:
        return PRB_JSON_NUMBER_EXPONENT;
    case PRB_JSON_NUMBER_ZERO:
    case PRB_JSON_NUMBER_WHOLE:
    case PRB_JSON_NUMBER_FRACTION:
    case PRB_JSON_NUMBER_EXPONENT:
    default:
        return state;
    }
}

/* Does the number go on with this byte, which is no digit? */
static bool goes_on(struct prb_json_reader *reader, char c)
{
    enum prb_json_number_state state = reader->number;
    bool whole = state == PRB_JSON_NUMBER_ZERO || state == PRB_JSON_NUMBER_WHOLE;

    if (c == '.' && whole)
        reader->number = PRB_JSON_NUMBER_POINT;
    else if ((c == 'e' || c == 'E') && (whole || state == PRB_JSON_NUMBER_FRACTION))
        reader->number = PRB_JSON_NUMBER_E;
    else if ((c == '+' || c == '-') && state == PRB_JSON_NUMBER_E)
        reader->number = PRB_JSON_NUMBER_SIGN;
    else
        return false;
    return true;
}

static int keep(struct prb_json_reader *reader, const char *bytes, size_t len)
{
    if (reader->text_max == 0)
        return 0;
    prb_str_addn(&reader->text, bytes, len);
    return prb_json_tree_charge(reader, 0);
}

int prb_json_number_step(
        struct prb_json_reader *reader, const char **at, const char *end, bool *done)
{
    const char *run = *at;
    int r;

    for (; *at < end; (*at)++) {
        if (is_digit(**at) && reader->number == PRB_JSON_NUMBER_ZERO)
            return refuse(reader, *at, "a number must not begin with a zero");
        if (is_digit(**at))
            reader->number = behind_digit(reader->number, **at);
        else if (!goes_on(reader, **at))
            break;
    }
    r = keep(reader, run, (size_t)(*at - run));
    if (r < 0 || *at == end)
        return r;
    *done = true;
    return expected(reader->number) ? refuse(reader, *at, expected(reader->number)) : 0;
}

int prb_json_number_unfinished(struct prb_json_reader *reader)
{
    const char *why = expected(reader->number);

    return why ? refuse(reader, reader->piece, why) : 0;
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

/* Probate never calls setlocale(), so the decimal point is one. */
struct json_object *prb_json_number_value(const struct prb_json_reader *reader)
{
    const char *text = prb_str_get(&reader->text);
    struct json_object *number = NULL;
    double value;

    if (reader->number == PRB_JSON_NUMBER_ZERO || reader->number == PRB_JSON_NUMBER_WHOLE)
        number = integer_of(text, text + reader->text.len);
    if (number)
        return number;
    value = strtod(text, NULL);
    return isfinite(value) ? prb_json_must(json_object_new_double(value)) : NULL;
}

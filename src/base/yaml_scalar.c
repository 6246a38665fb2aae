/*
 * Which type has a plain scalar? As go-yaml version 2 decides, which kubectl and the API server
 * read manifests with: the words of YAML 1.1, Go's integer prefixes, no base-60 numbers, and
 * timestamps stay strings.
 */

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "json_internal.h"
#include "yaml_internal.h"

static const struct {
    const char *text;
    enum prb_yaml_kind kind;
    bool value;
} words[] = {
    { "", PRB_YAML_NULL, false },
    { "~", PRB_YAML_NULL, false },
    { "null", PRB_YAML_NULL, false },
    { "Null", PRB_YAML_NULL, false },
    { "NULL", PRB_YAML_NULL, false },
    { "y", PRB_YAML_BOOL, true },
    { "Y", PRB_YAML_BOOL, true },
    { "yes", PRB_YAML_BOOL, true },
    { "Yes", PRB_YAML_BOOL, true },
    { "YES", PRB_YAML_BOOL, true },
    { "true", PRB_YAML_BOOL, true },
    { "True", PRB_YAML_BOOL, true },
    { "TRUE", PRB_YAML_BOOL, true },
    { "on", PRB_YAML_BOOL, true },
    { "On", PRB_YAML_BOOL, true },
    { "ON", PRB_YAML_BOOL, true },
    { "n", PRB_YAML_BOOL, false },
    { "N", PRB_YAML_BOOL, false },
    { "no", PRB_YAML_BOOL, false },
    { "No", PRB_YAML_BOOL, false },
    { "NO", PRB_YAML_BOOL, false },
    { "false", PRB_YAML_BOOL, false },
    { "False", PRB_YAML_BOOL, false },
    { "FALSE", PRB_YAML_BOOL, false },
    { "off", PRB_YAML_BOOL, false },
    { "Off", PRB_YAML_BOOL, false },
    { "OFF", PRB_YAML_BOOL, false },
    { ".nan", PRB_YAML_NO_JSON, false },
    { ".NaN", PRB_YAML_NO_JSON, false },
    { ".NAN", PRB_YAML_NO_JSON, false },
    { ".inf", PRB_YAML_NO_JSON, false },
    { ".Inf", PRB_YAML_NO_JSON, false },
    { ".INF", PRB_YAML_NO_JSON, false },
    { "+.inf", PRB_YAML_NO_JSON, false },
    { "+.Inf", PRB_YAML_NO_JSON, false },
    { "+.INF", PRB_YAML_NO_JSON, false },
    { "-.inf", PRB_YAML_NO_JSON, false },
    { "-.Inf", PRB_YAML_NO_JSON, false },
    { "-.INF", PRB_YAML_NO_JSON, false },
};

/* The base that a prefix names, and the digits behind it: 0x, 0b, 0o, or a bare 0 for octal. */
static unsigned base_of(const char **digits)
{
    const char *d = *digits;

    if (d[0] != '0' || d[1] == '\0')
        return 10;
    *digits = d + 2;
    switch (d[1]) {
    case 'x':
    case 'X':
        return 16;
    case 'b':
    case 'B':
        return 2;
    case 'o':
    case 'O':
        return 8;
    default:
        *digits = d + 1;
        return 8;
    }
}

static unsigned digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return 16; /* no digit of any base */
}

/* NULL when the text is no integer of 64 bits. A sign rules out the upper half of uint64, as in Go.
 */
static struct json_object *integer_of(const char *text)
{
    bool negative = text[0] == '-', has_sign = negative || text[0] == '+';
    const char *digits = text + (has_sign ? 1 : 0);
    unsigned base = base_of(&digits);
    uint64_t value = 0;

    if (*digits == '\0')
        return NULL;
    for (; *digits; digits++) {
        unsigned digit = digit_of(*digits);

        if (digit >= base || __builtin_mul_overflow(value, base, &value) ||
                __builtin_add_overflow(value, digit, &value))
            return NULL;
    }
    if (negative)
        return value <= (uint64_t)INT64_MAX + 1
                       ? prb_json_must(json_object_new_int64((int64_t)(0 - value)))
                       : NULL;
    if (value <= INT64_MAX)
        return prb_json_must(json_object_new_int64((int64_t)value));
    return has_sign ? NULL : prb_json_must(json_object_new_uint64(value));
}

static const char *skip_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)? */
static bool is_float(const char *at)
{
    const char *start, *point;

    at += *at == '-' || *at == '+' ? 1 : 0;
    start = at;
    at = point = skip_digits(at);
    if (*at == '.')
        at = skip_digits(at + 1);
    if (point == start && at <= point + 1)
        return false;
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+' ? 1 : 0;
        if (!isdigit((unsigned char)*at))
            return false;
        at = skip_digits(at);
    }
    return *at == '\0';
}

/*
 * A float without a fraction ends as an integer: on its way to an object it passes through JSON
 * text, where 1e3 is written 1000. NULL when the text is no finite float.
 */
static struct json_object *float_of(const char *text)
{
    const double beyond = 9223372036854775808.0; /* 2^63 */
    double value;

    if (!is_float(text))
        return NULL;
    value = strtod(text, NULL);
    if (!isfinite(value))
        return NULL;
    if (value > -beyond && value < beyond && (double)(int64_t)value == value)
        return prb_json_must(json_object_new_int64((int64_t)value));
    return prb_json_must(json_object_new_double(value));
}

static char *without_underscores(const char *text)
{
    char *plain = prb_strdup(text), *to = plain;

    for (const char *from = text; *from; from++) {
        if (*from != '_')
            *to++ = *from;
    }
    *to = '\0';
    return plain;
}

static enum prb_yaml_kind resolve_number(const char *text, struct json_object **ret)
{
    /* Go drops underscores from what begins like an integer only. */
    prb_autofree char *plain = text[0] == '.' ? prb_strdup(text) : without_underscores(text);
    struct json_object *number = text[0] == '.' ? NULL : integer_of(plain);
    enum prb_yaml_kind kind = PRB_YAML_INT;

    if (!number) {
        number = float_of(plain);
        kind = PRB_YAML_FLOAT;
    }
    if (!number)
        return PRB_YAML_STR;
    *ret = number;
    return kind;
}

enum prb_yaml_kind prb_yaml_resolve(const char *text, struct json_object **ret)
{
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(words[i].text, text) != 0)
            continue;
        if (words[i].kind == PRB_YAML_BOOL)
            *ret = prb_json_must(json_object_new_boolean(words[i].value));
        if (words[i].kind == PRB_YAML_NULL)
            *ret = NULL;
        return words[i].kind;
    }
    if (isdigit((unsigned char)text[0]) || (text[0] && strchr("+-.", text[0])))
        return resolve_number(text, ret);
    return PRB_YAML_STR;
}

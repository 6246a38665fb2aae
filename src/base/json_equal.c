/* Do two trees mean the same? */

#include <string.h>

#include "json_internal.h"

static bool integers_equal(const struct json_object *a, const struct json_object *b)
{
    bool a_negative, b_negative;
    uint64_t a_magnitude, b_magnitude;

    prb_json_integer(a, &a_negative, &a_magnitude);
    prb_json_integer(b, &b_negative, &b_magnitude);
    return a_negative == b_negative && a_magnitude == b_magnitude;
}

/* Exactly: 2^53 + 1 is no double, so none equals it. */
static bool integer_equals_double(const struct json_object *integer, double value)
{
    const double beyond = 18446744073709551616.0; /* 2^64 */
    double magnitude = value < 0 ? -value : value;
    bool negative;
    uint64_t exact;

    prb_json_integer(integer, &negative, &exact);
    if (!(magnitude < beyond) || (double)(uint64_t)magnitude != magnitude)
        return false;
    return exact == (uint64_t)magnitude && (exact == 0 || negative == (value < 0));
}

static bool numbers_equal(const struct json_object *a, const struct json_object *b)
{
    bool a_int = json_object_is_type(a, json_type_int);
    bool b_int = json_object_is_type(b, json_type_int);

    if (a_int && b_int)
        return integers_equal(a, b);
    if (a_int)
        return integer_equals_double(a, json_object_get_double(b));
    if (b_int)
        return integer_equals_double(b, json_object_get_double(a));
    return json_object_get_double(a) == json_object_get_double(b);
}

static bool strings_equal(const struct json_object *a, const struct json_object *b)
{
    int len = json_object_get_string_len(a);

    return len == json_object_get_string_len(b) &&
           memcmp(json_object_get_string(prb_json_unconst(a)),
                   json_object_get_string(prb_json_unconst(b)), (size_t)len) == 0;
}

static bool arrays_equal(const struct json_object *a, const struct json_object *b)
{
    size_t len = json_object_array_length(a);

    if (len != json_object_array_length(b))
        return false;
    for (size_t i = 0; i < len; i++) {
        if (!prb_json_equal(json_object_array_get_idx(a, i), json_object_array_get_idx(b, i)))
            return false;
    }
    return true;
}

static bool objects_equal(const struct json_object *a, const struct json_object *b)
{
    const struct lh_entry *entry;

    if (json_object_object_length(a) != json_object_object_length(b))
        return false;
    lh_foreach(json_object_get_object(a), entry)
    {
        struct json_object *other;

        if (!json_object_object_get_ex(b, lh_entry_k(entry), &other) ||
                !prb_json_equal(lh_entry_v(entry), other))
            return false;
    }
    return true;
}

static bool is_number(enum json_type type)
{
    return type == json_type_int || type == json_type_double;
}

bool prb_json_equal(const struct json_object *a, const struct json_object *b)
{
    enum json_type type = json_object_get_type(a), b_type = json_object_get_type(b);

    if (a == b)
        return true;
    if (is_number(type) && is_number(b_type))
        return numbers_equal(a, b);
    if (type != b_type)
        return false;

    switch (type) {
    case json_type_null:
    case json_type_int:
    case json_type_double:
        return true; /* numbers are compared above */
    case json_type_boolean:
        return json_object_get_boolean(a) == json_object_get_boolean(b);
    case json_type_string:
        return strings_equal(a, b);
    case json_type_array:
        return arrays_equal(a, b);
    case json_type_object:
        return objects_equal(a, b);
    }
    return false;
}

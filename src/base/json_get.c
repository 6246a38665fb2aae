/* What does a tree say at this place? Nothing here coerces, and nothing writes. */

#include <string.h>

#include "json_internal.h"

struct json_object *prb_json_unconst(const struct json_object *tree)
{
    union {
        const struct json_object *in;
        struct json_object *out;
    } same = { .in = tree };

    return same.out;
}

void prb_json_integer(const struct json_object *node, bool *ret_negative, uint64_t *ret_magnitude)
{
    int64_t number = json_object_get_int64(node);

    *ret_negative = number < 0;
    *ret_magnitude = number < 0 ? 0 - (uint64_t)number : json_object_get_uint64(node);
}

static struct json_object *typed(struct json_object *node, enum json_type type)
{
    return json_object_is_type(node, type) ? node : NULL;
}

struct json_object *prb_json_find(const struct json_object *obj, const char *key)
{
    struct json_object *value = NULL;

    if (json_object_is_type(obj, json_type_object))
        (void)json_object_object_get_ex(obj, key, &value);
    return value;
}

bool prb_json_has(const struct json_object *obj, const char *key)
{
    return json_object_is_type(obj, json_type_object) && json_object_object_get_ex(obj, key, NULL);
}

const char *prb_json_string(const struct json_object *node)
{
    const char *text;

    if (!json_object_is_type(node, json_type_string))
        return NULL;
    text = json_object_get_string(prb_json_unconst(node));

    /* "admin\u0000x" must not read as "admin": there is no C string for it. */
    return strlen(text) == (size_t)json_object_get_string_len(node) ? text : NULL;
}

const char *prb_json_str(const struct json_object *obj, const char *key)
{
    return prb_json_string(prb_json_find(obj, key));
}

bool prb_json_int(const struct json_object *obj, const char *key, int64_t *ret)
{
    const struct json_object *node = prb_json_find(obj, key);
    bool negative;
    uint64_t magnitude;

    if (!json_object_is_type(node, json_type_int))
        return false;
    prb_json_integer(node, &negative, &magnitude);
    if (!negative && magnitude > INT64_MAX)
        return false;

    *ret = json_object_get_int64(node);
    return true;
}

bool prb_json_bool(const struct json_object *obj, const char *key, bool *ret)
{
    const struct json_object *node = prb_json_find(obj, key);

    if (!json_object_is_type(node, json_type_boolean))
        return false;
    *ret = json_object_get_boolean(node);
    return true;
}

struct json_object *prb_json_obj(const struct json_object *obj, const char *key)
{
    return typed(prb_json_find(obj, key), json_type_object);
}

struct json_object *prb_json_arr(const struct json_object *obj, const char *key)
{
    return typed(prb_json_find(obj, key), json_type_array);
}

struct json_object *prb_json_at_(const struct json_object *tree, const char *const *keys)
{
    struct json_object *node = prb_json_unconst(tree);

    for (; node && *keys; keys++)
        node = prb_json_find(node, *keys);
    return node;
}

size_t prb_json_len(const struct json_object *array)
{
    return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

struct json_object *prb_json_elem(const struct json_object *array, size_t index)
{
    return index < prb_json_len(array) ? json_object_array_get_idx(array, index) : NULL;
}

bool prb_json_next(const struct json_object *obj, struct json_object_iterator *at, bool *started,
        const char **ret_key, struct json_object **ret_value)
{
    struct json_object_iterator end;

    if (!json_object_is_type(obj, json_type_object))
        return false;
    if (*started)
        json_object_iter_next(at);
    else
        *at = json_object_iter_begin(prb_json_unconst(obj));
    *started = true;

    end = json_object_iter_end(obj);
    if (json_object_iter_equal(at, &end))
        return false;
    *ret_key = json_object_iter_peek_name(at);
    *ret_value = json_object_iter_peek_value(at);
    return true;
}

/* What does a private tree with the same content look like? Sized to it, and nothing shared. */

#include <string.h>

#include "json_internal.h"

static struct json_object *copy_number(const struct json_object *node)
{
    bool negative;
    uint64_t magnitude;

    prb_json_integer(node, &negative, &magnitude);
    if (!negative && magnitude > INT64_MAX)
        return prb_json_must(json_object_new_uint64(magnitude));
    return prb_json_must(json_object_new_int64(json_object_get_int64(node)));
}

static struct json_object *copy_array(const struct json_object *array)
{
    size_t len = json_object_array_length(array);
    struct json_object *copy = prb_json_new_array(len);

    for (size_t i = 0; i < len; i++)
        (void)json_object_array_add(copy, prb_json_copy(json_object_array_get_idx(array, i)));
    return copy;
}

static struct json_object *copy_object(const struct json_object *obj)
{
    struct lh_table *table = json_object_get_object(obj);
    struct json_object *copy = prb_json_new_object((size_t)lh_table_length(table));
    const struct lh_entry *entry;

    lh_foreach(table, entry)
    {
        const char *key = lh_entry_k(entry);

        (void)prb_json_add_new(copy, key, strlen(key), prb_json_copy(lh_entry_v(entry)));
    }
    return copy;
}

static struct json_object *copy_items(
        const struct json_object *array, const struct prb_json_filter *filter)
{
    size_t len = json_object_array_length(array);
    struct json_object *copy = prb_json_new_array(len);

    for (size_t i = 0; i < len; i++)
        (void)json_object_array_add(
                copy, prb_json_copy_part(json_object_array_get_idx(array, i), filter));
    return copy;
}

static size_t count_members(const struct json_object *obj, const struct prb_json_filter *filter)
{
    size_t count = 0;

    for (; filter->key; filter++)
        count += json_object_object_get_ex(obj, filter->key, NULL) ? 1 : 0;
    return count;
}

struct json_object *prb_json_copy_part(
        const struct json_object *tree, const struct prb_json_filter *filter)
{
    struct json_object *copy, *member;

    if (filter && json_object_is_type(tree, json_type_array))
        return copy_items(tree, filter);
    if (!filter || !json_object_is_type(tree, json_type_object))
        return prb_json_copy(tree);
    copy = prb_json_new_object(count_members(tree, filter));
    for (; filter->key; filter++) {
        if (json_object_object_get_ex(tree, filter->key, &member))
            (void)prb_json_add_new(copy, filter->key, strlen(filter->key),
                    prb_json_copy_part(member, filter->children));
    }
    return copy;
}

struct json_object *prb_json_copy(const struct json_object *tree)
{
    switch (json_object_get_type(tree)) {
    case json_type_null:
        return NULL;
    case json_type_boolean:
        return prb_json_must(json_object_new_boolean(json_object_get_boolean(tree)));
    case json_type_double:
        return prb_json_must(json_object_new_double(json_object_get_double(tree)));
    case json_type_int:
        return copy_number(tree);
    case json_type_string:
        return prb_json_must(json_object_new_string_len(
                json_object_get_string(prb_json_unconst(tree)), json_object_get_string_len(tree)));
    case json_type_array:
        return copy_array(tree);
    case json_type_object:
        return copy_object(tree);
    }
    return NULL;
}

/* What is left of an object, and what is new, when a configuration is applied to it? */

#include <string.h>

#include "probate/base/str.h"

#include "patch.h"

/* The member that identifies the elements of a list: NULL when the list is replaced as a whole. */
static const char *key_of(const char *field)
{
    if (strcmp(field, "conditions") == 0)
        return "type";
    return strcmp(field, "ownerReferences") == 0 ? "uid" : NULL;
}

/* Has every element the member it is identified by? */
static bool is_keyed(const struct json_object *list, const char *key)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (!prb_json_str(prb_json_elem(list, i), key))
            return false;
    }
    return true;
}

/* Index of the element in `list` that `element` stands for, or the length of the list. */
static size_t find_keyed(
        const struct json_object *list, const struct json_object *element, const char *key)
{
    size_t i = 0;

    while (i < prb_json_len(list) &&
            !prb_streq(prb_json_str(prb_json_elem(list, i), key), prb_json_str(element, key)))
        i++;
    return i;
}

/* Maps hold maps to any depth the parser lets through, and so does this. */
static struct json_object *merge_keyed(
        const struct json_object *base, const struct json_object *applied, const char *key)
{
    struct json_object *merged = prb_json_copy(base);

    for (size_t i = 0; i < prb_json_len(applied); i++) {
        const struct json_object *element = prb_json_elem(applied, i);
        size_t at = find_keyed(merged, element, key);

        if (at < prb_json_len(merged))
            (void)json_object_array_put_idx(
                    merged, at, prb_hub_merge_apply(prb_json_elem(merged, at), element));
        else
            prb_json_push(merged, prb_json_copy(element));
    }
    return merged;
}

/* The elements of both, each once. */
static struct json_object *merge_set(
        const struct json_object *base, const struct json_object *applied)
{
    struct json_object *merged = prb_json_copy(base);

    for (size_t i = 0; i < prb_json_len(applied); i++) {
        bool there = false;

        for (size_t j = 0; j < prb_json_len(merged) && !there; j++)
            there = prb_json_equal(prb_json_elem(merged, j), prb_json_elem(applied, i));
        if (!there)
            prb_json_push(merged, prb_json_copy(prb_json_elem(applied, i)));
    }
    return merged;
}

static struct json_object *merge_member(
        const char *field, const struct json_object *base, const struct json_object *applied)
{
    const char *key = key_of(field);
    bool lists = json_object_is_type(base, json_type_array) &&
                 json_object_is_type(applied, json_type_array);

    if (lists && key && is_keyed(base, key) && is_keyed(applied, key))
        return merge_keyed(base, applied, key);
    if (lists && strcmp(field, "finalizers") == 0)
        return merge_set(base, applied);
    return prb_hub_merge_apply(base, applied);
}

struct json_object *prb_hub_merge_apply(
        const struct json_object *base, const struct json_object *applied)
{
    struct json_object *merged, *value;
    struct json_object_iterator at;
    bool started = false;
    const char *key;

    if (!json_object_is_type(base, json_type_object) ||
            !json_object_is_type(applied, json_type_object))
        return prb_json_copy(applied);
    merged = prb_json_copy(base);
    while (prb_json_next(applied, &at, &started, &key, &value))
        prb_json_set(merged, key, merge_member(key, prb_json_find(base, key), value));
    return merged;
}

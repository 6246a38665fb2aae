/* What is a tree after a merge patch (RFC 7386), and which merge patch leads to a given tree? */

#include "probate/model/patch.h"

static bool is_object(const struct json_object *tree)
{
    return json_object_is_type(tree, json_type_object);
}

/* The members of `target` that the patch leaves, as the patch leaves them. */
static void merge_kept(
        struct json_object *into, const struct json_object *target, const struct json_object *patch)
{
    struct json_object_iterator at;
    struct json_object *value;
    const char *key;
    bool started = false;

    while (prb_json_next(target, &at, &started, &key, &value)) {
        const struct json_object *change = prb_json_find(patch, key);

        if (!prb_json_has(patch, key))
            prb_json_set(into, key, prb_json_copy(value));
        else if (change)
            prb_json_set(into, key, prb_merge_patch(value, change));
    }
}

struct json_object *prb_merge_patch(
        const struct json_object *target, const struct json_object *patch)
{
    struct json_object *merged, *value;
    struct json_object_iterator at;
    const char *key;
    bool started = false;

    if (!is_object(patch))
        return prb_json_copy(patch);

    merged = json_object_new_object();
    merge_kept(merged, target, patch);
    while (prb_json_next(patch, &at, &started, &key, &value)) {
        /* Merging with nothing takes the nulls out of what is new. */
        if (value && !prb_json_has(target, key))
            prb_json_set(merged, key, prb_merge_patch(NULL, value));
    }
    return merged;
}

struct json_object *prb_merge_diff(const struct json_object *from, const struct json_object *to)
{
    struct json_object *diff, *value;
    struct json_object_iterator at;
    const char *key;
    bool started = false;

    if (!is_object(from) || !is_object(to))
        return prb_json_copy(to);

    diff = json_object_new_object();
    while (prb_json_next(from, &at, &started, &key, &value)) {
        if (!prb_json_has(to, key))
            prb_json_set(diff, key, NULL);
    }
    started = false;
    while (prb_json_next(to, &at, &started, &key, &value)) {
        const struct json_object *old = prb_json_find(from, key);

        if (!prb_json_has(from, key) || !prb_json_equal(old, value))
            prb_json_set(diff, key, prb_merge_diff(old, value));
    }
    return diff;
}

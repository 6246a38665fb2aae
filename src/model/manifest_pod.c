/*
 * How is a Pod updated, of which hardly anything may change?
 *
 * The server fills in volumes, mounts, tolerations and much else, and refuses whoever leaves them
 * out. So what a manifest says is laid over what is there, list elements by their names.
 */

#include "probate/base/str.h"

#include "manifest_internal.h"

/* What elements of a Pod's lists are known by. Mounts have the names of volumes, which repeat. */
static const char *const keys[] = { "mountPath", "name", NULL };

static bool is_same_element(const struct json_object *a, const struct json_object *b)
{
    for (size_t i = 0; keys[i]; i++) {
        if (prb_json_str(a, keys[i]) || prb_json_str(b, keys[i]))
            return prb_streq(prb_json_str(a, keys[i]), prb_json_str(b, keys[i]));
    }
    return prb_manifest_is_part(a, b);
}

static const struct json_object *find_element(
        const struct json_object *list, const struct json_object *like)
{
    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (is_same_element(prb_json_elem(list, i), like))
            return prb_json_elem(list, i);
    }
    return NULL;
}

static struct json_object *overlay(const struct json_object *live, const struct json_object *body);

/* In the order in which they are there, and then what is new. */
static struct json_object *overlay_list(
        const struct json_object *live, const struct json_object *body)
{
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(live); i++) {
        const struct json_object *there = prb_json_elem(live, i);

        prb_json_push(list, overlay(there, find_element(body, there)));
    }
    for (size_t i = 0; i < prb_json_len(body); i++) {
        const struct json_object *wanted = prb_json_elem(body, i);

        if (!find_element(live, wanted))
            prb_json_push(list, prb_json_copy(wanted));
    }
    return list;
}

static struct json_object *overlay_map(
        const struct json_object *live, const struct json_object *body)
{
    struct json_object *map = prb_json_copy(live);
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(body, &at, &started, &key, &value)) {
        if (value)
            prb_json_set(map, key, overlay(prb_json_find(live, key), value));
    }
    return map;
}

/* Recursion is bounded: a tree is no deeper than PRB_JSON_DEPTH_MAX. */
static struct json_object *overlay(const struct json_object *live, const struct json_object *body)
{
    enum json_type type = json_object_get_type(body);

    if (!body)
        return prb_json_copy(live);
    if (!json_object_is_type(live, type))
        return prb_json_copy(body);
    if (type == json_type_object)
        return overlay_map(live, body);
    return type == json_type_array ? overlay_list(live, body) : prb_json_copy(body);
}

void prb_manifest_overlay_pod(struct json_object *merged, const struct json_object *live)
{
    const struct json_object *there = prb_json_obj(live, "spec");

    if (there)
        prb_json_set(merged, "spec", overlay(there, prb_json_obj(merged, "spec")));
}

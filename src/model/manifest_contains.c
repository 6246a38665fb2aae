/* Is what a manifest wants there already? */

#include "probate/base/str.h"
#include "probate/model/manifest_merge.h"

#include "manifest_internal.h"

static bool contains(const struct json_object *live, const struct json_object *wanted);

static bool map_contains(const struct json_object *live, const struct json_object *wanted)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(wanted, &at, &started, &key, &value)) {
        if (!contains(prb_json_find(live, key), value))
            return false;
    }
    return true;
}

static bool list_contains(const struct json_object *live, const struct json_object *wanted)
{
    if (prb_json_len(live) != prb_json_len(wanted))
        return false;
    for (size_t i = 0; i < prb_json_len(wanted); i++) {
        if (!contains(prb_json_elem(live, i), prb_json_elem(wanted, i)))
            return false;
    }
    return true;
}

/* Recursion is bounded: a tree is no deeper than PRB_JSON_DEPTH_MAX. */
static bool contains(const struct json_object *live, const struct json_object *wanted)
{
    if (!wanted)
        return true;
    if (json_object_is_type(wanted, json_type_object))
        return (!live || json_object_is_type(live, json_type_object)) && map_contains(live, wanted);
    if (json_object_is_type(wanted, json_type_array))
        return (!live || json_object_is_type(live, json_type_array)) && list_contains(live, wanted);
    return prb_json_equal(live, wanted);
}

bool prb_manifest_is_part(const struct json_object *live, const struct json_object *wanted)
{
    return contains(live, wanted);
}

/* Of a map whose members are data, one more is a difference: nothing but data is in it. */
static bool is_data(const struct json_object *tree, const char *key)
{
    if (prb_streq(key, "data"))
        return prb_manifest_is(tree, "", "ConfigMap") || prb_manifest_is(tree, "", "Secret");
    return prb_streq(key, "binaryData") && prb_manifest_is(tree, "", "ConfigMap");
}

static bool has_same_data(
        const struct json_object *live, const struct json_object *wanted, const char *key)
{
    const struct json_object *there = prb_json_find(live, key), *want = prb_json_find(wanted, key);

    return !is_data(wanted, key) || (contains(there, want) && contains(want, there));
}

bool prb_manifest_contains_metadata(
        const struct json_object *live, const struct json_object *wanted)
{
    const struct json_object *there = prb_json_obj(live, "metadata");
    const struct json_object *want = prb_json_obj(wanted, "metadata");

    return contains(prb_json_find(there, "labels"), prb_json_find(want, "labels")) &&
           contains(prb_json_find(there, "annotations"), prb_json_find(want, "annotations"));
}

bool prb_manifest_contains(const struct json_object *live, const struct json_object *wanted)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(wanted, &at, &started, &key, &value)) {
        if (prb_streq(key, "metadata") || prb_streq(key, "status"))
            continue;
        if (!contains(prb_json_find(live, key), value))
            return false;
    }
    return prb_manifest_contains_metadata(live, wanted) && has_same_data(live, wanted, "data") &&
           has_same_data(live, wanted, "binaryData");
}

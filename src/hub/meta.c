/* How are the parts of metadata changed that the server itself keeps? */

#include "meta.h"

#include "probate/base/str.h"

struct json_object *prb_hub_meta(struct json_object *tree)
{
    return prb_json_ensure_obj(tree, "metadata");
}

void prb_hub_keep(struct json_object *tree, const struct json_object *from, const char *key)
{
    if (prb_json_has(from, key))
        prb_json_set(tree, key, prb_json_copy(prb_json_find(from, key)));
    else
        prb_json_del(tree, key);
}

void prb_hub_meta_keep(struct json_object *tree, const struct json_object *from, const char *key)
{
    prb_hub_keep(prb_hub_meta(tree), prb_json_obj(from, "metadata"), key);
}

void prb_hub_meta_set_now(struct prb_hub *hub, struct json_object *tree, const char *key)
{
    char now[PRB_TIME_SIZE];

    prb_time_format(hub->clock->wall_ms(hub->clock), now);
    prb_json_set_str(prb_hub_meta(tree), key, now);
}

static bool is_empty(const struct json_object *value)
{
    if (json_object_is_type(value, json_type_object))
        return json_object_object_length(value) == 0;
    return !value || (json_object_is_type(value, json_type_array) && prb_json_len(value) == 0);
}

void prb_hub_meta_tidy(struct json_object *tree)
{
    static const char *const fields[] = { "labels", "annotations", "finalizers",
        "ownerReferences" };
    struct json_object *metadata = prb_hub_meta(tree);

    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        if (is_empty(prb_json_find(metadata, fields[i])))
            prb_json_del(metadata, fields[i]);
    }
}

static struct json_object *finalizers(const struct json_object *tree)
{
    return prb_json_arr(prb_json_obj(tree, "metadata"), "finalizers");
}

bool prb_hub_finalizer_has(const struct json_object *tree, const char *finalizer)
{
    const struct json_object *list = finalizers(tree);

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_string(prb_json_elem(list, i)), finalizer))
            return true;
    }
    return false;
}

void prb_hub_finalizer_add(struct json_object *tree, const char *finalizer)
{
    if (prb_hub_finalizer_has(tree, finalizer))
        return;
    if (!finalizers(tree))
        prb_json_set(prb_hub_meta(tree), "finalizers", json_object_new_array());
    prb_json_push(finalizers(tree), json_object_new_string(finalizer));
}

void prb_hub_finalizer_remove(struct json_object *tree, const char *finalizer)
{
    const struct json_object *list = finalizers(tree);
    struct json_object *left = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (!prb_streq(prb_json_string(prb_json_elem(list, i)), finalizer))
            prb_json_push(left, prb_json_copy(prb_json_elem(list, i)));
    }
    if (prb_json_len(left) > 0) {
        prb_json_set(prb_hub_meta(tree), "finalizers", left);
        return;
    }
    prb_json_free(left);
    prb_json_del(prb_hub_meta(tree), "finalizers");
}

size_t prb_hub_finalizer_count(const struct prb_hub_kind *kind, const struct json_object *tree)
{
    size_t count = prb_json_len(finalizers(tree));

    if (prb_hub_kind_is(kind, "", "namespaces"))
        count += prb_json_len(prb_json_arr(prb_json_obj(tree, "spec"), "finalizers"));
    return count;
}

void prb_hub_set_api_version(
        struct json_object *tree, const struct prb_hub_kind *kind, const char *version)
{
    char text[PRB_API_VERSION_SIZE];

    prb_api_version_format(kind->resource.gvr.group, version, text);
    prb_json_set_str(tree, "apiVersion", text);
}

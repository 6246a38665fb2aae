/* Which JSON patches does Probate send, and what are they guarded by? */

#include "probate/base/str.h"
#include "probate/model/object.h"
#include "probate/model/patch.h"

struct json_object *prb_json_patch_new(void)
{
    return json_object_new_array();
}

void prb_json_patch_add(struct json_object *patch, const char *op, const char *pointer,
        struct json_object *value_taken)
{
    prb_auto(prb_json_free) struct json_object *value = value_taken;
    struct json_object *operation = json_object_new_object();

    prb_json_set_str(operation, "op", op);
    prb_json_set_str(operation, "path", pointer);
    if (!prb_streq(op, "remove"))
        prb_json_set(operation, "value", prb_take(value));
    prb_json_push(patch, operation);
}

/* A patch that fails on an object of another uid. One that was seen without a uid fails always. */
static struct json_object *guarded_patch(const struct prb_object *seen)
{
    struct json_object *patch = prb_json_patch_new();

    prb_json_patch_add(
            patch, "test", "/metadata/uid", json_object_new_string(prb_object_uid(seen)));
    return patch;
}

static const struct json_object *finalizers(const struct prb_object *seen)
{
    return prb_json_arr(prb_object_metadata(seen), "finalizers");
}

struct json_object *prb_patch_add_finalizer(const struct prb_object *seen, const char *finalizer)
{
    struct json_object *patch, *list;

    if (prb_object_has_finalizer(seen, finalizer))
        return NULL;
    patch = guarded_patch(seen);
    if (finalizers(seen)) {
        prb_json_patch_add(patch, "test", "/metadata/finalizers", prb_json_copy(finalizers(seen)));
        prb_json_patch_add(
                patch, "add", "/metadata/finalizers/-", json_object_new_string(finalizer));
        return patch;
    }

    /* "add" would replace a list that has appeared, and no test holds for what is absent. */
    prb_json_patch_add(patch, "test", "/metadata/resourceVersion",
            json_object_new_string(prb_object_resource_version(seen)));
    list = json_object_new_array();
    prb_json_push(list, json_object_new_string(finalizer));
    prb_json_patch_add(patch, "add", "/metadata/finalizers", list);
    return patch;
}

/* The list without this finalizer, also where it stands twice. */
static struct json_object *list_without(const struct json_object *list, const char *finalizer)
{
    struct json_object *rest = json_object_new_array();

    for (size_t i = 0; i < prb_json_len(list); i++) {
        const struct json_object *held = prb_json_elem(list, i);
        const char *text = prb_json_string(held);

        if (!text || !prb_streq(text, finalizer))
            prb_json_push(rest, prb_json_copy(held));
    }
    return rest;
}

struct json_object *prb_patch_remove_finalizer(const struct prb_object *seen, const char *finalizer)
{
    prb_auto(prb_json_free) struct json_object *rest = NULL;
    struct json_object *patch;

    if (!prb_object_has_finalizer(seen, finalizer))
        return NULL;
    patch = guarded_patch(seen);
    rest = list_without(finalizers(seen), finalizer);
    prb_json_patch_add(patch, "test", "/metadata/finalizers", prb_json_copy(finalizers(seen)));
    if (prb_json_len(rest) == 0)
        prb_json_patch_add(patch, "remove", "/metadata/finalizers", NULL);
    else
        prb_json_patch_add(patch, "replace", "/metadata/finalizers", prb_take(rest));
    return patch;
}

/* In which form does a caller get to see an object? */

#include "present.h"

#include "probate/base/str.h"

/* A tree made from an object's has its name, so this does not fail; if it did, the object as it is
 * would be the better answer. */
static struct prb_object *wrap(struct json_object *tree_taken, const struct prb_object *fallback)
{
    struct prb_object *made = NULL;
    struct prb_error err;

    return prb_object_new(tree_taken, &made, &err) == 0 ? made : prb_object_ref(fallback);
}

static struct json_object *metadata_of(const struct prb_object *object)
{
    struct json_object *tree = json_object_new_object();

    prb_json_set_str(tree, "apiVersion", "meta.k8s.io/v1");
    prb_json_set_str(tree, "kind", "PartialObjectMetadata");
    prb_json_set(
            tree, "metadata", prb_json_copy(prb_json_obj(prb_object_tree(object), "metadata")));
    return tree;
}

struct prb_object *prb_hub_present(
        const struct prb_object *object, const struct prb_hub_view_as *as)
{
    const struct json_object *metadata = prb_json_obj(prb_object_tree(object), "metadata");
    bool managed = as->drop_managed_fields && prb_json_has(metadata, "managedFields");
    bool other = !prb_streq(prb_object_api_version(object), as->api_version);
    struct json_object *tree;

    if (!as->metadata_only && !managed && !other)
        return prb_object_ref(object);
    if (as->metadata_only) {
        tree = metadata_of(object);
    } else {
        tree = prb_object_copy(object);
        prb_json_set_str(tree, "apiVersion", as->api_version);
    }
    if (managed)
        prb_json_del(prb_json_obj(tree, "metadata"), "managedFields");
    return wrap(tree, object);
}

struct prb_object *prb_hub_present_at(const struct prb_object *object, const char *version)
{
    struct json_object *tree = prb_object_copy(object);

    prb_json_set_str(prb_json_obj(tree, "metadata"), "resourceVersion", version);
    return wrap(tree, object);
}

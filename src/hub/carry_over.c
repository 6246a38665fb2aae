/* Which parts of an object can a write not change, and when does it count as a generation? */

#include <string.h>

#include "meta.h"
#include "update.h"

/* A write to status: all else stays, but for Kubernetes' own kinds most of metadata. */
static struct json_object *for_status(const struct prb_hub_kind *kind,
        const struct json_object *old, const struct json_object *wanted)
{
    struct json_object *tree = prb_json_copy(old);

    prb_hub_keep(tree, wanted, "status");
    if (kind->flags & PRB_HUB_STATUS_META) {
        prb_hub_keep(tree, wanted, "metadata");
        if (kind->flags & PRB_HUB_KEEP_LABELS)
            prb_hub_meta_keep(tree, old, "labels");
    }
    return tree;
}

/* A write to the object itself: status stays where it is a subresource. */
static struct json_object *for_main(const struct prb_hub_kind *kind, const struct json_object *old,
        const struct json_object *wanted)
{
    struct json_object *tree = prb_json_copy(wanted);

    if (kind->resource.has_status)
        prb_hub_keep(tree, old, "status");
    if (prb_hub_kind_is(kind, "", "namespaces"))
        prb_hub_keep(prb_json_ensure_obj(tree, "spec"), prb_json_obj(old, "spec"), "finalizers");
    return tree;
}

static void keep_system_fields(const struct json_object *old, struct json_object *tree)
{
    static const char *const ours[] = { "name", "namespace", "uid", "creationTimestamp",
        "generation", "resourceVersion", "selfLink", "deletionTimestamp",
        "deletionGracePeriodSeconds" };

    prb_hub_keep(tree, old, "apiVersion");
    prb_hub_keep(tree, old, "kind");
    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        prb_hub_meta_keep(tree, old, ours[i]);
}

/* Is every member of `a` that makes a generation the same in `b`? */
static bool is_covered(
        const struct prb_hub_kind *kind, const struct json_object *a, const struct json_object *b)
{
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    while (prb_json_next(a, &at, &started, &key, &value)) {
        if (strcmp(key, "metadata") == 0 ||
                (kind->resource.has_status && strcmp(key, "status") == 0))
            continue;
        if (!prb_json_has(b, key) || !prb_json_equal(value, prb_json_find(b, key)))
            return false;
    }
    return true;
}

static bool is_new_generation(const struct prb_hub_kind *kind, const struct json_object *old,
        const struct json_object *tree)
{
    if (kind->flags & PRB_HUB_ANNOTATIONS &&
            !prb_json_equal(prb_json_at(old, "metadata", "annotations"),
                    prb_json_at(tree, "metadata", "annotations")))
        return true;
    return !is_covered(kind, old, tree) || !is_covered(kind, tree, old);
}

struct json_object *prb_hub_carry_over(const struct prb_hub_entry *entry, const char *subresource,
        const struct json_object *wanted)
{
    const struct json_object *old = prb_object_tree(entry->object);
    bool is_status = subresource[0] != '\0';
    struct json_object *tree =
            is_status ? for_status(entry->kind, old, wanted) : for_main(entry->kind, old, wanted);

    keep_system_fields(old, tree);
    prb_hub_meta_tidy(tree);
    if (entry->kind->flags & PRB_HUB_GENERATION && !is_status &&
            is_new_generation(entry->kind, old, tree))
        prb_json_set_int(
                prb_hub_meta(tree), "generation", prb_object_generation(entry->object) + 1);
    return tree;
}

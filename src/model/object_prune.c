/* What is left of an object of which only some members are ever read? */

#include <string.h>

#include "probate/base/mem.h"

#include "object_internal.h"

/* What an object needs to be one. */
static const char *const always[] = { "apiVersion", "kind", "metadata", NULL };

/* Copy the member that `path` names; false when it is not there, or not inside objects. */
static bool keep(struct json_object *to, const struct json_object *from, const char *path)
{
    size_t len = strcspn(path, ".");
    prb_autofree char *key = prb_strndup(path, len);
    const struct json_object *inner = prb_json_obj(from, key);
    bool was_there = prb_json_has(to, key);

    if (path[len] == '\0') {
        if (!prb_json_has(from, key))
            return false;
        prb_json_set(to, key, prb_json_copy(prb_json_find(from, key)));
        return true;
    }
    if (!inner)
        return false;
    if (keep(prb_json_ensure_obj(to, key), inner, path + len + 1))
        return true;
    if (!was_there)
        prb_json_del(to, key);
    return false;
}

struct prb_object *prb_object_prune(const struct prb_object *object, const char *const *keeps)
{
    const struct json_object *from = prb_object_tree(object);
    struct json_object *tree = json_object_new_object();
    struct prb_object *pruned = NULL;
    struct prb_error err;

    for (size_t i = 0; always[i]; i++)
        (void)keep(tree, from, always[i]);
    for (size_t i = 0; keeps && keeps[i]; i++)
        (void)keep(tree, from, keeps[i]);
    (void)prb_object_draft(tree, &pruned, &err); /* cannot fail: the tree is an object */
    prb_object_pass_defect(object, keeps, pruned);
    return pruned;
}

/* Annotations that a caller may ask for. */
#define ANNOTATIONS_MAX 8

struct prb_object *prb_object_keep_annotations(
        const struct prb_object *object, const char *const *keys)
{
    static const char *const metadata[] = { "metadata", NULL };
    struct prb_json_filter annotations[ANNOTATIONS_MAX + 1] = { 0 };
    const struct prb_json_filter members[] = { { .key = "name" }, { .key = "namespace" },
        { .key = "uid" }, { .key = "resourceVersion" }, { .key = "generation" },
        { .key = "creationTimestamp" }, { .key = "deletionTimestamp" }, { .key = "labels" },
        { .key = "finalizers" }, { .key = "ownerReferences" },
        { .key = "annotations", .children = annotations }, { .key = NULL } };
    const struct prb_json_filter parts[] = { { .key = "apiVersion" }, { .key = "kind" },
        { .key = "metadata", .children = members }, { .key = NULL } };
    struct prb_object *pruned = NULL;
    struct prb_error err;

    for (size_t i = 0; i < ANNOTATIONS_MAX && keys[i]; i++)
        annotations[i].key = keys[i];

    /* Cannot fail: a part of an object is an object. */
    (void)prb_object_draft(prb_json_copy_part(prb_object_tree(object), parts), &pruned, &err);
    prb_object_pass_defect(object, metadata, pruned);
    return pruned;
}

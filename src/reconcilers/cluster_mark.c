/*
 * Which cluster's deletion is a namespace marked for?
 *
 * The mark is what allows to go on when the cluster itself is gone. It names the namespace too: a
 * backup that brings back a namespace with all of its annotations must not bring back a death
 * sentence, and what it brings back has another uid.
 */

#include "probate/base/str.h"

#include "cluster_departure.h"

enum prb_mark prb_mark_of(const struct prb_object *namespace)
{
    const char *cluster_uid, *namespace_uid;

    if (!namespace)
        return PRB_MARK_NONE;
    cluster_uid = prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID);
    namespace_uid = prb_object_annotation(namespace, PRB_MARK_NAMESPACE_UID);
    if (!cluster_uid && !namespace_uid)
        return PRB_MARK_NONE;
    if (!cluster_uid || cluster_uid[0] == '\0' || !namespace_uid || namespace_uid[0] == '\0')
        return PRB_MARK_STRANGE;
    return prb_streq(namespace_uid, prb_object_uid(namespace)) ? PRB_MARK_VALID : PRB_MARK_STRANGE;
}

bool prb_mark_is_of(const struct prb_object *namespace, const struct prb_object *cluster)
{
    return prb_mark_of(namespace) == PRB_MARK_VALID &&
           prb_streq(
                   prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID), prb_object_uid(cluster));
}

static struct json_object *text_or_null(const char *text)
{
    return text ? json_object_new_string(text) : NULL;
}

/* A patch of all annotations, for the deletion of `cluster`; NULL takes them away. */
static void patch_marks(const struct prb_departure *departure, const struct prb_object *cluster,
        const char *why, struct prb_changes *out)
{
    const struct prb_object *namespace = departure->namespace;
    bool keeps = cluster && prb_namespace_whose(departure) != PRB_OF_CLUSTER;
    struct json_object *patch = json_object_new_object();
    struct json_object *annotations =
            prb_json_ensure_obj(prb_json_ensure_obj(patch, "metadata"), "annotations");

    prb_json_set(annotations, PRB_MARK_CLUSTER_UID,
            text_or_null(cluster ? prb_object_uid(cluster) : NULL));
    prb_json_set(annotations, PRB_MARK_NAMESPACE_UID,
            text_or_null(cluster ? prb_object_uid(namespace) : NULL));
    prb_json_set(annotations, PRB_MARK_KEEPS, text_or_null(keeps ? "true" : NULL));

    /* The resourceVersion also stands for the uid: no other namespace ever has the same. */
    prb_changes_merge_patch(out, &departure->namespace_ref, patch, NULL,
            prb_object_resource_version(namespace), why);
}

void prb_mark_put(const struct prb_departure *departure, struct prb_changes *out)
{
    patch_marks(departure, departure->cluster, "its cluster is being deleted", out);
}

void prb_mark_take_off(const struct prb_departure *departure, struct prb_changes *out)
{
    patch_marks(departure, NULL, "it is not to be cleaned any more", out);
    out->items[out->count - 1].absent_is_done = true;
}

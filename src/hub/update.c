/* May the state of an object be replaced by another one? */

#include "update.h"

#include "probate/base/str.h"

#include "create.h"
#include "definitions.h"
#include "fail.h"
#include "meta.h"
#include "objects.h"
#include "valid.h"

/* The names in the body are those of the request, or absent. */
static int check_names(
        const struct prb_hub_request *request, struct json_object *tree, struct prb_error *err)
{
    const struct prb_ref *ref = request->ref;
    const char *name = prb_json_str(prb_hub_meta(tree), "name");
    const char *namespace = prb_json_str(prb_hub_meta(tree), "namespace");

    if (!name || !prb_streq(name, ref->name))
        return prb_hub_bad_request(err,
                "the name of the object (%s) does not match the name on the URL (%s)",
                name ? name : "", ref->name);
    if (namespace && namespace[0] != '\0' && ref->namespace[0] != '\0' &&
            !prb_streq(namespace, ref->namespace))
        return prb_hub_bad_request(err,
                "the namespace of the object (%s) does not match the namespace on the request "
                "(%s)",
                namespace, ref->namespace);
    return 0;
}

/* The resourceVersion a write is based on must be the current one; some kinds do without. */
static int check_version(const struct prb_hub_entry *entry, const char *name,
        const struct json_object *tree, struct prb_error *err)
{
    const char *version = prb_json_str(prb_json_obj(tree, "metadata"), "resourceVersion");

    if (!version || version[0] == '\0' || prb_streq(version, "0")) {
        if (entry->kind->flags & PRB_HUB_UNCONDITIONAL)
            return 0;
        return prb_hub_invalid(err, entry->kind, name,
                "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update");
    }
    if (!prb_streq(version, prb_object_resource_version(entry->object)))
        return prb_hub_outdated(err, entry->kind, name);
    return 0;
}

/* A write cannot give an object another uid, nor begin its deletion. */
static int check_immutable(const struct prb_hub_entry *entry, const char *name,
        const struct json_object *tree, struct prb_error *err)
{
    const struct json_object *metadata = prb_json_obj(tree, "metadata");
    const char *uid = prb_json_str(metadata, "uid");
    const char *deleted = prb_json_str(metadata, "deletionTimestamp");

    if (uid && uid[0] != '\0' && !prb_streq(uid, prb_object_uid(entry->object)))
        return prb_hub_invalid(err, entry->kind, name,
                "metadata.uid: Invalid value: \"%s\": field is immutable", uid);
    if (prb_object_is_deleting(entry->object))
        return 0;
    if (deleted && deleted[0] != '\0')
        return prb_hub_invalid(err, entry->kind, name,
                "metadata.deletionTimestamp: Invalid value: %s: field is immutable", deleted);
    if (prb_json_find(metadata, "deletionGracePeriodSeconds"))
        return prb_hub_invalid(err, entry->kind, name,
                "metadata.deletionGracePeriodSeconds: Invalid value: field is immutable");
    return 0;
}

/* What is being deleted takes no new finalizers. */
static int check_finalizers(const struct prb_hub_entry *entry, const char *name,
        const struct json_object *tree, struct prb_error *err)
{
    const struct json_object *list = prb_json_arr(prb_json_obj(tree, "metadata"), "finalizers");

    for (size_t i = 0; prb_object_is_deleting(entry->object) && i < prb_json_len(list); i++) {
        const char *finalizer = prb_json_string(prb_json_elem(list, i));

        if (finalizer && !prb_object_has_finalizer(entry->object, finalizer))
            return prb_hub_invalid(err, entry->kind, name,
                    "metadata.finalizers: Forbidden: no new finalizers can be added if the object "
                    "is being deleted, found new finalizers []string{\"%s\"}",
                    finalizer);
    }
    return 0;
}

static int check(const struct prb_hub_request *request, const struct prb_hub_entry *entry,
        struct json_object *tree, struct prb_error *err)
{
    const char *name = request->ref->name;
    int r = prb_hub_valid_types(tree, err);

    if (r == 0)
        r = prb_hub_check_type(entry->kind, request->ref->gvr.version, tree, err);
    if (r == 0)
        r = check_names(request, tree, err);
    if (r == 0)
        r = check_version(entry, name, tree, err);
    if (r == 0 && (request->subresource[0] == '\0' || entry->kind->flags & PRB_HUB_STATUS_META))
        r = check_immutable(entry, name, tree, err);
    return r;
}

int prb_hub_plan_replace(const struct prb_hub_request *request, const struct prb_hub_entry *entry,
        struct json_object *tree_taken, struct prb_hub_plan *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *wanted = tree_taken, *tree = NULL;
    int r = check(request, entry, wanted, err);

    if (r < 0)
        return r;
    tree = prb_hub_carry_over(entry, request->subresource, wanted);
    r = prb_hub_valid(entry->kind, tree, err);
    if (r == 0)
        r = check_finalizers(entry, request->ref->name, tree, err);
    if (r == 0)
        r = prb_hub_definition_check(entry->kind, request->ref->name, tree, err);
    if (r < 0)
        return r;
    *ret = (struct prb_hub_plan){ .operation = "UPDATE",
        .subresource = request->subresource,
        .kind = entry->kind,
        .before = prb_object_ref(entry->object),
        .unchanged = prb_json_equal(tree, prb_object_tree(entry->object)),
        .gone = prb_object_is_deleting(entry->object) &&
                prb_hub_finalizer_count(entry->kind, tree) == 0 };
    ret->after = prb_take(tree);
    return 0;
}

/* A uid in a PUT is a precondition: only that very object is meant. When nothing has the name, what
 * was meant is gone, and nothing is created in its place. (Older API servers call that a
 * conflict; over the port both are NOTFOUND.) */
static int check_uid(const struct prb_hub_request *request, const struct prb_hub_kind *kind,
        const struct prb_hub_entry *entry, struct prb_error *err)
{
    const char *said = prb_json_str(prb_json_obj(request->body, "metadata"), "uid");
    const char *uid = entry ? prb_object_uid(entry->object) : "";

    if (!said || said[0] == '\0' || prb_streq(said, uid))
        return 0;
    if (!entry)
        return prb_hub_not_found(err, kind, request->ref->name);
    return prb_hub_conflict(err, kind, request->ref->name,
            "Precondition failed: UID in precondition: %s, UID in object meta: %s", said, uid);
}

int prb_hub_plan_update(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err)
{
    const struct prb_hub_entry *entry;
    struct prb_hub_kind *kind = NULL;
    int r = prb_hub_kind_of_ref(hub, request->ref, &kind, err);

    if (r == 0 && !json_object_is_type(request->body, json_type_object))
        r = prb_hub_bad_request(err, "the body is no object");
    if (r < 0)
        return r;
    entry = prb_hub_find(kind, request->ref->namespace, request->ref->name);
    r = check_uid(request, kind, entry, err);
    if (r < 0)
        return r;
    if (entry)
        return prb_hub_plan_replace(request, entry, prb_json_copy(request->body), ret, err);
    if (kind->flags & PRB_HUB_PUT_CREATES && request->subresource[0] == '\0')
        return prb_hub_plan_create(hub, request, NULL, ret, err);
    return prb_hub_not_found(err, kind, request->ref->name);
}

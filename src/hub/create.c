/* What becomes of a body that is to be a new object? */

#include "create.h"

#include "probate/base/random.h"
#include "probate/base/str.h"

#include "definitions.h"
#include "fail.h"
#include "meta.h"
#include "namespaces.h"
#include "objects.h"
#include "valid.h"

int prb_hub_check_type(const struct prb_hub_kind *kind, const char *version,
        struct json_object *tree, struct prb_error *err)
{
    const char *api_version = prb_json_str(tree, "apiVersion");
    const char *said = prb_json_str(tree, "kind");
    char expected[PRB_API_VERSION_SIZE];

    prb_api_version_format(kind->resource.gvr.group, version, expected);
    if (kind->flags & PRB_HUB_CUSTOM && (!api_version || !said))
        return prb_hub_bad_request(
                err, "%s: apiVersion and kind must be given", kind->resource.kind);
    if (api_version && !prb_streq(api_version, expected))
        return prb_hub_bad_request(err, "%s in version \"%s\" cannot be handled as a %s in \"%s\"",
                said ? said : "an object", api_version, kind->resource.kind, expected);
    if (said && !prb_streq(said, kind->resource.kind))
        return prb_hub_invalid(err, kind, prb_json_str(prb_json_obj(tree, "metadata"), "name"),
                "kind: Invalid value: \"%s\": must be %s", said, kind->resource.kind);
    prb_json_set_str(tree, "apiVersion", expected);
    prb_json_set_str(tree, "kind", kind->resource.kind);
    return 0;
}

void prb_hub_stamp_new(struct prb_hub *hub, struct json_object *tree)
{
    struct json_object *metadata = prb_hub_meta(tree);
    const char *given = prb_json_str(metadata, "uid");
    char uid[PRB_UUID_SIZE];

    if (!given || given[0] == '\0') {
        prb_random_uuid(uid);
        prb_json_set_str(metadata, "uid", uid);
    }
    if (!prb_json_str(metadata, "creationTimestamp"))
        prb_hub_meta_set_now(hub, tree, "creationTimestamp");
}

/* What a creator cannot decide. */
static void set_system_fields(
        struct prb_hub *hub, const struct prb_hub_kind *kind, struct json_object *tree)
{
    static const char *const ours[] = { "uid", "creationTimestamp", "deletionTimestamp",
        "deletionGracePeriodSeconds", "selfLink", "resourceVersion" };

    for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
        prb_json_del(prb_hub_meta(tree), ours[i]);
    prb_hub_stamp_new(hub, tree);
    prb_hub_meta_tidy(tree);
    if (kind->flags & PRB_HUB_GENERATION)
        prb_json_set_int(prb_hub_meta(tree), "generation", 1);
    if (kind->resource.has_status)
        prb_json_del(tree, "status");
    if (prb_hub_kind_is(kind, "", "namespaces"))
        prb_hub_namespace_begin(tree);
}

/* The namespace of the request is the one of the object. */
static int set_namespace(const struct prb_hub_kind *kind, const char *namespace,
        struct json_object *tree, struct prb_error *err)
{
    const char *said = prb_json_str(prb_hub_meta(tree), "namespace");

    if (!kind->resource.namespaced) {
        prb_json_del(prb_hub_meta(tree), "namespace");
        return 0;
    }
    if (said && said[0] != '\0' && !prb_streq(said, namespace))
        return prb_hub_bad_request(err, "the namespace of the provided object does not match the "
                                        "namespace sent on the request");
    prb_json_set_str(prb_hub_meta(tree), "namespace", namespace);
    return 0;
}

/* Is there a place for a new object? */
static int check_place(struct prb_hub *hub, const struct prb_hub_request *request,
        const struct prb_hub_kind *kind, struct prb_error *err)
{
    if (kind->terminating)
        return prb_hub_fail(err, PRB_E_UNSUPPORTED, 405, "MethodNotAllowed",
                "create not allowed while custom resource definition is terminating");
    if (hub->count >= PRB_HUB_OBJECTS_MAX)
        return prb_hub_fail(err, PRB_E_FORBIDDEN, 403, "Forbidden",
                "the hub holds %d objects and takes no more", PRB_HUB_OBJECTS_MAX);
    if (!kind->resource.namespaced)
        return 0;
    return prb_hub_namespace_check(hub, request->ref->namespace, kind, request->ref->name, err);
}

/*
 * Of a resourceVersion the API server makes an internal error (500), for this is found out only in
 * its store. "0" counts as none there.
 */
static int check_version(const struct json_object *tree, struct prb_error *err)
{
    const char *version = prb_json_str(prb_json_obj(tree, "metadata"), "resourceVersion");

    if (!version || version[0] == '\0' || prb_streq(version, "0"))
        return 0;
    return prb_hub_fail(err, PRB_E_UNAVAILABLE, 500, "",
            "resourceVersion should not be set on objects to be created");
}

int prb_hub_plan_create(struct prb_hub *hub, const struct prb_hub_request *request,
        struct json_object *tree_taken, struct prb_hub_plan *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree =
            tree_taken ? tree_taken : prb_json_copy(request->body);
    struct prb_hub_kind *kind = NULL;
    int r = prb_hub_kind_of_ref(hub, request->ref, &kind, err);

    if (r == 0 && !json_object_is_type(tree, json_type_object))
        r = prb_hub_bad_request(err, "the body is no object");
    if (r == 0)
        r = prb_hub_valid_types(tree, err);
    if (r == 0)
        r = prb_hub_check_type(kind, request->ref->gvr.version, tree, err);
    if (r == 0)
        r = check_place(hub, request, kind, err);
    if (r == 0)
        r = set_namespace(kind, request->ref->namespace, tree, err);
    if (r == 0)
        r = prb_hub_valid(kind, tree, err);
    if (r == 0)
        r = prb_hub_definition_check(kind, request->ref->name, tree, err);
    if (r == 0)
        r = check_version(tree, err);
    if (r < 0)
        return r;
    set_system_fields(hub, kind, tree);
    *ret = (struct prb_hub_plan){
        .operation = "CREATE", .subresource = "", .kind = kind, .after = prb_take(tree)
    };
    return 0;
}

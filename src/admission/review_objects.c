/* Which objects does a review carry, and what is the one called that it is about? */

#include "review_objects.h"

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

/* One of the two objects. */
static int read_object(const struct json_object *from, const char *key,
        const struct prb_request *request, struct prb_object **ret, struct prb_error *err)
{
    struct json_object *tree = prb_json_find(from, key);
    const struct json_object *metadata = prb_json_find(tree, "metadata");

    if (!tree)
        return prb_fail(err, PRB_E_INVALID, "request.%s is missing, and %s must have it", key,
                prb_operation_name(request->operation));
    if (metadata && !json_object_is_type(metadata, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "request.%s.metadata is no object", key);
    if (prb_object_draft(json_object_get(tree), ret, err) < 0)
        return prb_wrap(err, "request.%s", key);
    return 0;
}

static bool needs_object(enum prb_operation operation)
{
    return operation == PRB_CREATE || operation == PRB_UPDATE;
}

static bool needs_old(enum prb_operation operation)
{
    return operation == PRB_UPDATE || operation == PRB_DELETE;
}

/* A name in the metadata: absent or a text, and not another one than the request has. */
static int check_name(const struct prb_object *object, const char *key, const char *in_request,
        const char *path, struct prb_error *err)
{
    const struct json_object *node = prb_json_find(prb_object_metadata(object), key);
    const char *text = prb_json_string(node);

    if (node && !text)
        return prb_fail(err, PRB_E_INVALID, "%s.metadata.%s is not a text", path, key);
    if (text && text[0] && !prb_streq(text, in_request))
        return prb_fail(
                err, PRB_E_INVALID, "%s.metadata.%s is not the %s of the request", path, key, key);
    return 0;
}

static int check_names(const struct prb_object *object, const struct prb_request *request,
        const char *path, struct prb_error *err)
{
    int r;

    if (!object)
        return 0;
    r = check_name(object, "namespace", request->namespace, path, err);

    /* What is sent to a subresource may be another kind, with a name of its own or none. */
    if (r < 0 || request->subresource[0])
        return r;
    return check_name(object, "name", request->name, path, err);
}

/* deletecollection leaves the name out of the request, and so does a CREATE with generateName. */
static void complete_name(struct prb_request *request)
{
    const struct prb_object *named = request->old ? request->old : request->object;

    if (request->name[0] || !named)
        return;
    free(request->name);
    request->name = prb_strdup(prb_object_name(named));
}

/* Could an object of that name exist? What is new may have no name yet; what is there has one, and
 * nobody knows what it is that would be let go without. */
static int check_reference(const struct prb_request *request, struct prb_error *err)
{
    const char *name = request->name[0] ? request->name : "unnamed";
    struct prb_ref ref;

    if (request->old && request->name[0] == '\0')
        return prb_fail(err, PRB_E_INVALID,
                "neither request.name nor request.oldObject.metadata.name says which object it is");
    if (!prb_ref_init(&ref, &request->gvr, request->namespace, name))
        return prb_fail(err, PRB_E_INVALID,
                "name or namespace of the request cannot be those of an object");
    return 0;
}

/* Neither does deletecollection over all namespaces say which one the object is in. */
static void complete_namespace(struct prb_request *request)
{
    if (request->operation != PRB_DELETE || request->namespace[0])
        return;
    free(request->namespace);
    request->namespace = prb_strdup(prb_object_namespace(request->old));
}

static int settle_names(struct prb_request *request, struct prb_error *err)
{
    int r;

    complete_name(request);
    complete_namespace(request);
    r = check_reference(request, err);
    if (r == 0)
        r = check_names(request->object, request, "request.object", err);
    return r < 0 ? r : check_names(request->old, request, "request.oldObject", err);
}

int prb_review_read_objects(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    int r = 0;

    if (needs_object(request->operation))
        r = read_object(from, "object", request, &request->object, err);
    if (r == 0 && needs_old(request->operation))
        r = read_object(from, "oldObject", request, &request->old, err);
    return r < 0 ? r : settle_names(request, err);
}

/* What does a patch make of an object? */

#include "patch.h"

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "create.h"
#include "fail.h"
#include "meta.h"
#include "objects.h"
#include "update.h"

/* A patch whose `test` does not hold lost against another write; any other can never work. Of both
 * the API server says 422. */
static int json_patch(const struct json_object *base, const struct json_object *patch,
        struct json_object **ret, struct prb_error *err)
{
    int r;

    if (!json_object_is_type(patch, json_type_array))
        return prb_hub_bad_request(err, "a JSON patch is a list of operations");
    r = prb_json_patch(base, patch, ret, err);
    if (r == 0)
        return 0;
    err->status = 422;
    (void)prb_copy(err->reason, sizeof(err->reason), r == PRB_E_CONFLICT ? "Conflict" : "Invalid");
    return r;
}

static int apply_check(const struct prb_hub_kind *kind, const struct prb_hub_request *request,
        struct prb_error *err)
{
    const char *said = prb_json_str(request->body, "apiVersion");
    char expected[PRB_API_VERSION_SIZE];

    prb_api_version_format(kind->resource.gvr.group, request->ref->gvr.version, expected);
    if (!prb_streq(said, expected))
        return prb_hub_bad_request(err,
                "Incorrect version specified in apply patch. Specified patch version: %s, "
                "expected: %s",
                said ? said : "", expected);
    if (prb_json_len(prb_json_arr(prb_json_obj(request->body, "metadata"), "managedFields")) > 0)
        return prb_hub_bad_request(err, "metadata.managedFields must be nil");
    return 0;
}

/* `base` as the patch of the request makes it. */
static int patched(const struct prb_hub_kind *kind, const struct prb_hub_request *request,
        const struct json_object *base, struct json_object **ret, struct prb_error *err)
{
    int r;

    switch (request->patch) {
    case PRB_PATCH_JSON:
        return json_patch(base, request->body, ret, err);
    case PRB_PATCH_MERGE:
        if (!json_object_is_type(request->body, json_type_object))
            return prb_hub_bad_request(err, "a merge patch is an object");
        *ret = prb_merge_patch(base, request->body);
        return 0;
    case PRB_PATCH_APPLY:
        r = apply_check(kind, request, err);
        if (r == 0)
            *ret = prb_hub_merge_apply(base, request->body);
        return r;
    }
    return prb_fail(err, PRB_E_INTERNAL, "patch type %d", (int)request->patch);
}

/* An apply to nothing creates; it cannot mean an object that was there before. */
static int apply_new(struct prb_hub *hub, const struct prb_hub_kind *kind,
        const struct prb_hub_request *request, struct prb_hub_plan *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_json_copy(request->body);
    const char *uid = prb_json_str(prb_json_obj(request->body, "metadata"), "uid");
    const char *name = prb_json_str(prb_json_obj(request->body, "metadata"), "name");
    int r = apply_check(kind, request, err);

    if (r < 0)
        return r;
    if (uid && uid[0] != '\0')
        return prb_hub_conflict(err, kind, request->ref->name,
                "uid mismatch: the provided object specified uid %s, and no existing object was "
                "found",
                uid);
    if (name && !prb_streq(name, request->ref->name))
        return prb_hub_bad_request(err,
                "the name of the object (%s) does not match the name on the URL (%s)", name,
                request->ref->name);
    prb_json_set_str(prb_hub_meta(tree), "name", request->ref->name);
    prb_json_del(prb_hub_meta(tree), "resourceVersion");
    return prb_hub_plan_create(hub, request, prb_take(tree), ret, err);
}

int prb_hub_plan_patch(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *base = NULL, *tree = NULL;
    const struct prb_hub_entry *entry;
    struct prb_hub_kind *kind = NULL;
    int r = prb_hub_kind_of_ref(hub, request->ref, &kind, err);

    if (r < 0)
        return r;
    entry = prb_hub_find(kind, request->ref->namespace, request->ref->name);
    if (!entry && request->patch == PRB_PATCH_APPLY && request->subresource[0] == '\0')
        return apply_new(hub, kind, request, ret, err);
    if (!entry)
        return prb_hub_not_found(err, kind, request->ref->name);

    base = prb_object_copy(entry->object);
    prb_hub_set_api_version(base, kind, request->ref->gvr.version);
    r = patched(kind, request, base, &tree, err);
    if (r < 0)
        return r;
    if (!json_object_is_type(tree, json_type_object))
        return prb_hub_bad_request(err, "the patch leaves no object");
    if (request->resource_version)
        prb_json_set_str(prb_hub_meta(tree), "resourceVersion", request->resource_version);
    return prb_hub_plan_replace(request, entry, prb_take(tree), ret, err);
}

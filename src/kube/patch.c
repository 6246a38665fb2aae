/* How is an object patched, and what does a refused patch mean? */

#include "probate/model/patch.h"

#include "probate/base/mem.h"

#include "status.h"
#include "write.h"

static const char *const content_types[] = {
    [PRB_PATCH_MERGE] = "application/merge-patch+json",
    [PRB_PATCH_JSON] = "application/json-patch+json",
    [PRB_PATCH_APPLY] = "application/apply-patch+yaml",
};

/*
 * The same patch, for one version of the object only. In a JSON patch the version is written, not
 * tested: the server then compares it when it stores the object and answers with a proper conflict,
 * while a `test` that fails gets a 422 that looks like any other.
 */
static struct json_object *with_version(
        const struct json_object *body, enum prb_patch_type type, const char *version)
{
    struct json_object *copy;

    if (type == PRB_PATCH_JSON) {
        copy = prb_json_patch_new();
        prb_json_patch_add(
                copy, "add", "/metadata/resourceVersion", json_object_new_string(version));
        for (size_t i = 0; i < prb_json_len(body); i++)
            prb_json_push(copy, prb_json_copy(prb_json_elem(body, i)));
        return copy;
    }
    copy = prb_json_copy(body);
    prb_json_set_str(prb_json_ensure_obj(copy, "metadata"), "resourceVersion", version);
    return copy;
}

static bool has_test(const struct json_object *patch)
{
    for (size_t i = 0; i < prb_json_len(patch); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(patch, i), "op"), "test"))
            return true;
    }
    return false;
}

static int fail_conflict(const struct prb_ref *ref, struct prb_error *err)
{
    char text[PRB_REF_TEXT_SIZE];
    int status = err->status;

    prb_ref_describe(ref, text);
    (void)prb_fail(err, PRB_E_CONFLICT,
            "%s: the patch no longer fits: the object has changed since it was read", text);
    err->status = status;
    (void)prb_copy(err->reason, sizeof(err->reason), "Conflict");
    return err->code;
}

/*
 * The server does not say why it cannot apply a JSON patch. Where it may be that the object changed
 * since the caller looked, look again: what the patch does to the object as it is now tells a
 * conflict from a patch that can never work. If that cannot be found out, it is taken for a
 * conflict, after which callers look again themselves.
 */
static int explain_refusal(struct prb_api *api, const struct prb_ref *ref,
        const struct json_object *patch, const struct prb_write_options *options,
        struct prb_error *err)
{
    const struct prb_get_options reading = { .timeout_ms = options->timeout_ms };
    prb_auto(prb_object_unref) struct prb_object *now = NULL;
    prb_auto(prb_json_free) struct json_object *ignored = NULL;
    struct prb_error why;

    if (prb_kube_get(api, ref, &reading, &now, &why) < 0) {
        if (why.code != PRB_E_NOTFOUND && why.code != PRB_E_CANCELLED)
            return fail_conflict(ref, err);
        *err = why;
        return err->code;
    }
    if (options->resource_version &&
            !prb_streq(options->resource_version, prb_object_resource_version(now)))
        return fail_conflict(ref, err);
    if (prb_json_patch(prb_object_tree(now), patch, &ignored, &why) == PRB_E_INVALID)
        return prb_wrap(err, "%s", why.msg);
    return fail_conflict(ref, err);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
int prb_kube_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    static const struct prb_write_options defaults = { .timeout_ms = 0 };
    const struct prb_write_options *o = options ? options : &defaults;
    prb_auto(prb_json_free) struct json_object *versioned = NULL;
    int r;

    if (o->resource_version && *o->resource_version)
        versioned = with_version(body, type, o->resource_version);

    const struct prb_kube_write write = {
        .method = "PATCH",
        .content_type = content_types[type],
        .force = type == PRB_PATCH_APPLY && o->force,
        .body = versioned ? versioned : body,
        .options = o,
    };

    r = prb_kube_send(prb_kube_of(api), ref, &write, ret, err);
    if (r < 0 && type == PRB_PATCH_JSON && prb_kube_is_patch_refusal(err) &&
            (versioned || has_test(body)))
        return explain_refusal(api, ref, body, o, err);
    return r;
}

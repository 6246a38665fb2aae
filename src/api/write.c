/* What is checked and filled in before a write reaches an implementation? */

#include <string.h>

#include "probate/api/api.h"

#include "check.h"

/* Defaults where the caller said nothing, and a refusal of what no implementation has. */
static int fill(const struct prb_ref *ref, const struct prb_write_options *options,
        struct prb_write_options *ret_filled, struct prb_error *err)
{
    struct prb_write_options filled =
            options ? *options : (struct prb_write_options){ .timeout_ms = 0 };
    int r = check_ref(ref, err);

    if (r < 0)
        return r;
    if (filled.subresource && filled.subresource[0] == '\0')
        filled.subresource = NULL;
    if (filled.subresource && strcmp(filled.subresource, "status") != 0)
        return prb_fail(err, PRB_E_INVALID, "subresource %s", filled.subresource);
    if (!filled.field_manager)
        filled.field_manager = PRB_FIELD_MANAGER;
    filled.timeout_ms = timeout_or_default(filled.timeout_ms);
    *ret_filled = filled;
    return 0;
}

/* Hand the written object to a caller who wants it. */
static int finish(int r, struct prb_object *written_taken, struct prb_object **ret)
{
    prb_auto(prb_object_unref) struct prb_object *written = written_taken;

    if (r == 0 && ret)
        *ret = prb_take(written);
    return r;
}

int prb_api_create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    const char *name = prb_json_str(prb_json_obj(body, "metadata"), "name");
    struct prb_object *written = NULL;
    struct prb_write_options filled;
    int r = fill(ref, options, &filled, err);

    if (r < 0)
        return r;
    if (!name || strcmp(name, ref->name) != 0)
        return prb_fail(err, PRB_E_INVALID, "create %s %s: metadata.name is %s", ref->gvr.resource,
                ref->name, name ? name : "missing");
    r = api->ops->create(api, ref, body, &filled, &written, err);
    return finish(r, written, ret);
}

int prb_api_update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct prb_object *written = NULL;
    struct prb_write_options filled;
    int r = fill(ref, options, &filled, err);

    if (r < 0)
        return r;
    r = api->ops->update(api, ref, body, &filled, &written, err);
    return finish(r, written, ret);
}

/* NOLINTNEXTLINE(readability-function-size): what is patched, how, with what, and the answer */
int prb_api_patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    struct prb_object *written = NULL;
    struct prb_write_options filled;
    int r = fill(ref, options, &filled, err);

    if (r < 0)
        return r;
    r = api->ops->patch(api, ref, type, body, &filled, &written, err);
    return finish(r, written, ret);
}

int prb_api_delete(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    struct prb_delete_options filled;
    int r = check_ref(ref, err);

    if (r < 0)
        return r;
    if (!options || !options->uid || options->uid[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "delete %s %s: without the uid that is meant",
                ref->gvr.resource, ref->name);
    filled = *options;
    filled.timeout_ms = timeout_or_default(filled.timeout_ms);
    return api->ops->remove(api, ref, &filled, err);
}

/* How are objects created, replaced and deleted? */

#include "write.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "decode.h"
#include "status.h"
#include "url.h"

static int write_path(struct prb_str *path, const struct prb_ref *ref,
        const struct prb_kube_write *write, const struct prb_write_options *o,
        struct prb_error *err)
{
    if (write->to_collection)
        prb_kube_path_collection(path, &ref->gvr, ref->namespace);
    else if (!prb_kube_path_object(path, ref, o->subresource))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" cannot be the name of an object", ref->name);
    prb_kube_path_query(
            path, "fieldManager", o->field_manager ? o->field_manager : PRB_FIELD_MANAGER);
    prb_kube_path_query(path, "force", write->force ? "true" : NULL);
    prb_kube_path_query(path, "dryRun", o->dry_run ? "All" : NULL);
    return 0;
}

int prb_kube_send(struct prb_kube *kube, const struct prb_ref *ref,
        const struct prb_kube_write *write, struct prb_object **ret, struct prb_error *err)
{
    const struct prb_kube_depth depth = { .keep_managed_fields = ret, .metadata_only = !ret };
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_OBJECT, &depth);
    static const struct prb_write_options defaults = { .timeout_ms = 0 };
    const struct prb_write_options *o = write->options ? write->options : &defaults;
    prb_auto(prb_str_done) struct prb_str path;
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    prb_autofree char *body = prb_json_text(write->body, false);
    int r;

    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    prb_kube_answer_init(&answer);
    r = write_path(&path, ref, write, o, err);
    if (r < 0)
        return r;

    const struct prb_kube_request request = {
        .method = write->method,
        .path = prb_str_get(&path),
        .content_type = write->content_type,
        .body = body,
        .decoder = decoder,
        .timeout_ms = o->timeout_ms,
    };

    r = prb_kube_ask(&kube->rest, &request, &answer, err);
    if (r < 0 || !ret)
        return r;
    return prb_kube_decoder_object(decoder, ret, err);
}

int prb_kube_create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    const struct prb_kube_write write = {
        .method = "POST",
        .content_type = "application/json",
        .to_collection = true,
        .body = body,
        .options = options,
    };

    return prb_kube_send(prb_kube_of(api), ref, &write, ret, err);
}

int prb_kube_update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    const struct prb_kube_write write = {
        .method = "PUT",
        .content_type = "application/json",
        .body = body,
        .options = options,
    };

    return prb_kube_send(prb_kube_of(api), ref, &write, ret, err);
}

static const char *policy_name(enum prb_propagation propagation)
{
    switch (propagation) {
    case PRB_PROPAGATE_BACKGROUND:
        return "Background";
    case PRB_PROPAGATE_FOREGROUND:
        return "Foreground";
    case PRB_PROPAGATE_ORPHAN:
        return "Orphan";
    case PRB_PROPAGATE_DEFAULT:
        break;
    }
    return NULL;
}

static char *delete_options(const struct prb_delete_options *o)
{
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();
    struct json_object *preconditions = prb_json_ensure_obj(body, "preconditions");

    prb_json_set_str(body, "apiVersion", "v1");
    prb_json_set_str(body, "kind", "DeleteOptions");
    prb_json_set_str(preconditions, "uid", o->uid);
    prb_json_set_str(preconditions, "resourceVersion", o->resource_version);
    prb_json_set_str(body, "propagationPolicy", policy_name(o->propagation));
    if (o->dry_run) {
        struct json_object *all = json_object_new_array();

        prb_json_push(all, json_object_new_string("All"));
        prb_json_set(body, "dryRun", all);
    }
    return prb_json_text(body, false);
}

int prb_kube_remove(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    const struct prb_kube_depth depth = { .metadata_only = true };
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_REMOVED, &depth);
    prb_auto(prb_str_done) struct prb_str path;
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    prb_autofree char *body = NULL;
    int r;

    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    prb_kube_answer_init(&answer);
    if (!options || !options->uid || !*options->uid)
        return prb_fail(err, PRB_E_INVALID, "nothing is deleted by name alone: a uid is needed");
    if (!prb_kube_path_object(&path, ref, NULL))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" cannot be the name of an object", ref->name);
    body = delete_options(options);

    const struct prb_kube_request request = {
        .method = "DELETE",
        .path = prb_str_get(&path),
        .content_type = "application/json",
        .body = body,
        .decoder = decoder,
        .timeout_ms = options->timeout_ms,
    };

    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);
    return r < 0 ? r : prb_kube_decoder_removed(decoder, err);
}

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
    static const struct prb_kube_depth depth = { .keep_managed_fields = true };
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
        .timeout_ms = o->timeout_ms,
    };

    r = prb_kube_ask(&kube->rest, &request, &answer, err);
    if (r < 0 || !ret)
        return r;
    return prb_kube_decode_object(prb_str_get(&answer.body), answer.body.len, &depth, ret, err);
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

/* A DELETE is answered with the object or a Status. What else may come with a 200, such as the page
 * of a proxy, must not count as done: nobody would try again. */
static int check_removed(const struct prb_kube_answer *answer, struct prb_error *err)
{
    static const struct prb_json_filter parts[] = { { .key = "kind" }, { .key = "status" },
        { .key = "message" }, { .key = "reason" }, { .key = "details" }, { .key = "code" },
        { .key = NULL } };
    const struct prb_json_options options = { .filter = parts, .drop_nul_names = true };
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error why;

    if (prb_json_parse(prb_str_get(&answer->body), answer->body.len, &options, &tree, &why) < 0 ||
            !json_object_is_type(tree, json_type_object))
        return prb_fail(err, PRB_E_IO,
                "the answer to the delete is not the API server's: whether it was carried out is "
                "unknown");
    if (prb_streq(prb_json_str(tree, "kind"), "Status") &&
            prb_streq(prb_json_str(tree, "status"), "Failure"))
        return prb_kube_fail_status(tree, err);
    return 0;
}

int prb_kube_remove(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
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
        .timeout_ms = options->timeout_ms,
    };

    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);
    return r < 0 ? r : check_removed(&answer, err);
}

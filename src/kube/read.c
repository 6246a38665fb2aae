/* How are objects read: one by its name, many by the page? */

#include "decode.h"
#include "internal.h"
#include "url.h"

int prb_kube_get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    static const struct prb_get_options defaults = { .timeout_ms = 0 };
    const struct prb_get_options *o = options ? options : &defaults;
    const struct prb_kube_depth depth = {
        .metadata_only = o->metadata_only,
        .keep_managed_fields = !o->metadata_only, /* which are as deep as the body */
        .parts = o->parts,
    };
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_OBJECT, &depth);
    prb_auto(prb_str_done) struct prb_str path;
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    int r;

    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    prb_kube_answer_init(&answer);
    if (!prb_kube_path_object(&path, ref, NULL))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" cannot be the name of an object", ref->name);

    const struct prb_kube_request request = {
        .method = "GET",
        .path = prb_str_get(&path),
        .accept = prb_kube_accept_object(o->metadata_only),
        .decoder = decoder,
        .repeatable = true,
        .timeout_ms = o->timeout_ms,
    };

    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);
    return r < 0 ? r : prb_kube_decoder_object(decoder, ret, err);
}

static int list_path(struct prb_str *path, const struct prb_gvr *gvr,
        const struct prb_list_options *o, int limit, struct prb_error *err)
{
    prb_str_clear(path);
    prb_kube_path_collection(path, gvr, o->namespace);
    prb_kube_path_query_int(path, "limit", limit);
    prb_kube_path_query(path, "continue", o->next);
    prb_kube_path_query(path, "labelSelector", o->label_selector);
    prb_kube_path_query(path, "fieldSelector", o->field_selector);
    if (path->cut)
        return prb_fail(err, PRB_E_INVALID, "the selector of the list is too long for a URL");
    return 0;
}

/* Ask for a page that fits: objects may be so large that fewer have to come at once. */
static int ask_page(struct prb_kube *kube, const struct prb_gvr *gvr,
        const struct prb_list_options *o, struct prb_kube_decoder *decoder, struct prb_error *err)
{
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    prb_auto(prb_str_done) struct prb_str path;
    int limit = o->limit > 0 ? o->limit : PRB_LIST_LIMIT;

    prb_kube_answer_init(&answer);
    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    for (;; limit = limit > 8 ? limit / 8 : 1) {
        int r = list_path(&path, gvr, o, limit, err);
        struct prb_kube_request request = {
            .method = "GET",
            .accept = prb_kube_accept_list(o->metadata_only),
            .decoder = decoder,
            .repeatable = true,
            .compressed = true,
            .timeout_ms = o->timeout_ms,
        };

        if (r < 0)
            return r;
        request.path = prb_str_get(&path);
        r = prb_kube_ask(&kube->rest, &request, &answer, err);
        if (r == 0 || !answer.too_large || limit == 1)
            return r;
    }
}

/* What is missing of an object must not pass for absent. */
static int check_whole(
        const struct prb_gvr *gvr, const struct prb_page *page, struct prb_error *err)
{
    for (size_t i = 0; i < page->count; i++) {
        const struct prb_object *object = page->objects[i];

        if (prb_object_defect(object))
            return prb_fail(err, PRB_E_UNSUPPORTED, "%s %s%s%s cannot be read: %s", gvr->resource,
                    prb_object_namespace(object), *prb_object_namespace(object) ? "/" : "",
                    prb_object_name(object), prb_object_defect(object));
    }
    return 0;
}

int prb_kube_list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    static const struct prb_list_options defaults = { .timeout_ms = 0 };
    const struct prb_list_options *o = options ? options : &defaults;
    const struct prb_kube_depth depth = {
        .metadata_only = o->metadata_only,
        .keep_managed_fields = o->keep_managed_fields,
    };
    prb_auto(prb_kube_decoder_free) struct prb_kube_decoder *decoder =
            prb_kube_decoder_new(PRB_KUBE_PAGE, &depth);
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    r = ask_page(prb_kube_of(api), gvr, o, decoder, err);
    if (r == 0)
        r = prb_kube_decoder_page(decoder, &page, err);
    if (r == 0 && !o->with_defects)
        r = check_whole(gvr, &page, err);
    if (r < 0)
        return r;
    *ret = page;
    prb_page_init(&page);
    return 0;
}

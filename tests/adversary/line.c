/* How does Probate end without the API server ending with it? */

#include "line.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "probate/base/mem.h"

struct line {
    struct prb_api api;
    struct prb_api *to; /* borrowed */
    atomic_bool cut;
};

static struct line *of(struct prb_api *api)
{
    return (struct line *)api;
}

static int is_cut(struct prb_api *api, struct prb_error *err)
{
    return atomic_load(&of(api)->cut) ? prb_fail(err, PRB_E_CANCELLED, "the line is cut") : 0;
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code : prb_api_get(of(api)->to, ref, options, ret, err);
}

static int list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code : prb_api_list(of(api)->to, gvr, options, ret, err);
}

static int watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code
                                : prb_api_watch(of(api)->to, gvr, options, sink, ret, err);
}

static void watch_stop(struct prb_api *api, struct prb_watch *running)
{
    prb_api_watch_stop(of(api)->to, running);
}

static int create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code
                                : prb_api_create(of(api)->to, ref, body, options, ret, err);
}

static int update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code
                                : prb_api_update(of(api)->to, ref, body, options, ret, err);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code
                                : prb_api_patch(of(api)->to, ref, type, body, options, ret, err);
}

static int remove_object(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code : prb_api_delete(of(api)->to, ref, options, err);
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code : prb_api_resolve(of(api)->to, group, name, ret, err);
}

static void forget(struct prb_api *api, const char *group)
{
    prb_api_forget(of(api)->to, group);
}

static int may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    return is_cut(api, err) < 0 ? err->code : prb_api_may(of(api)->to, question, ret, err);
}

static void interrupt(struct prb_api *api)
{
    atomic_store(&of(api)->cut, true);
}

static void close_line(struct prb_api *api)
{
    free(of(api));
}

static const struct prb_api_ops ops = {
    .get = get,
    .list = list,
    .watch = watch,
    .watch_stop = watch_stop,
    .create = create,
    .update = update,
    .patch = patch,
    .remove = remove_object,
    .resolve = resolve,
    .forget = forget,
    .may = may,
    .interrupt = interrupt,
    .close = close_line,
};

struct prb_api *line_open(struct prb_api *to)
{
    struct line *line = prb_calloc(1, sizeof(*line));

    line->api.ops = &ops;
    line->to = to;
    return &line->api;
}

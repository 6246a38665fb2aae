/* To which of two API servers does a call belong, and what is it called there? */

#include "probate/api/sides.h"

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

struct sides {
    struct prb_api api; /* first: the port casts back */
    struct prb_api *own;
    struct prb_api *hub;
    char *hub_namespace; /* owned */
};

/* A watch of one of the two. */
struct prb_watch {
    struct prb_api *api;     /* borrowed: whose it is */
    struct prb_watch *inner; /* owned: as that one knows it */
};

static struct sides *of(struct prb_api *api)
{
    return (struct sides *)api;
}

static int wrap(int r, const struct prb_gvr *gvr, struct prb_error *err)
{
    return r < 0 && prb_side_is_hub(gvr->group) ? prb_wrap(err, "on the hub") : r;
}

/* Who is asked for this collection, and under which name. */
static struct prb_api *route(
        struct sides *sides, const struct prb_gvr *gvr, struct prb_gvr *ret_there)
{
    *ret_there = *gvr;
    if (!prb_side_is_hub(gvr->group))
        return sides->own;
    prb_side_strip(gvr->group, ret_there->group);
    return sides->hub;
}

/* The same for one object. INVALID: it is on the hub, in a namespace that is not ours. */
static int route_ref(struct sides *sides, const struct prb_ref *ref, struct prb_ref *ret_there,
        struct prb_api **ret_api, struct prb_error *err)
{
    *ret_there = *ref;
    *ret_api = route(sides, &ref->gvr, &ret_there->gvr);
    if (!prb_side_is_hub(ref->gvr.group) || ref->namespace[0] == '\0' ||
            prb_streq(ref->namespace, sides->hub_namespace))
        return 0;
    return prb_fail(err, PRB_E_INVALID, "%s %s/%s on the hub: only the namespace %s is seen there",
            ref->gvr.resource, ref->namespace, ref->name, sides->hub_namespace);
}

/*
 * In which namespace to list or watch. On the hub it is ours, unless the collection has none:
 * only discovery knows. INVALID: another one was asked for.
 */
static int scope(struct sides *sides, const struct prb_gvr *gvr, const char **namespace,
        struct prb_error *err)
{
    struct prb_resource resource;
    struct prb_gvr there;
    struct prb_api *api = route(sides, gvr, &there);
    int r;

    if (!prb_side_is_hub(gvr->group) || prb_streq(*namespace, sides->hub_namespace))
        return 0;
    if (*namespace && **namespace)
        return prb_fail(err, PRB_E_INVALID,
                "%s in %s on the hub: only the namespace %s is seen there", gvr->resource,
                *namespace, sides->hub_namespace);
    r = prb_api_resolve(api, there.group, there.resource, &resource, err);
    if (r < 0)
        return wrap(r, gvr, err);
    if (resource.namespaced)
        *namespace = sides->hub_namespace;
    return 0;
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct prb_api *side;
    struct prb_ref there;
    int r = route_ref(of(api), ref, &there, &side, err);

    return r < 0 ? r : wrap(prb_api_get(side, &there, options, ret, err), &ref->gvr, err);
}

static int list(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_list_options *options, struct prb_page *ret, struct prb_error *err)
{
    struct prb_list_options scoped = *options;
    struct prb_gvr there;
    struct prb_api *side = route(of(api), gvr, &there);
    int r = scope(of(api), gvr, &scoped.namespace, err);

    return r < 0 ? r : wrap(prb_api_list(side, &there, &scoped, ret, err), gvr, err);
}

static int watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    prb_autofree struct prb_watch *started = prb_calloc(1, sizeof(*started));
    struct prb_watch_options scoped = *options;
    struct prb_gvr there;
    int r = scope(of(api), gvr, &scoped.namespace, err);

    if (r < 0)
        return r;
    started->api = route(of(api), gvr, &there);
    r = prb_api_watch(started->api, &there, &scoped, sink, &started->inner, err);
    if (r < 0)
        return wrap(r, gvr, err);
    *ret = prb_take(started);
    return 0;
}

static void watch_stop(struct prb_api *api, struct prb_watch *running)
{
    (void)api;
    prb_api_watch_stop(running->api, running->inner);
    free(running);
}

static int create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct prb_api *side;
    struct prb_ref there;
    int r = route_ref(of(api), ref, &there, &side, err);

    return r < 0 ? r : wrap(prb_api_create(side, &there, body, options, ret, err), &ref->gvr, err);
}

static int update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    struct prb_api *side;
    struct prb_ref there;
    int r = route_ref(of(api), ref, &there, &side, err);

    return r < 0 ? r : wrap(prb_api_update(side, &there, body, options, ret, err), &ref->gvr, err);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    struct prb_api *side;
    struct prb_ref there;
    int r = route_ref(of(api), ref, &there, &side, err);

    if (r < 0)
        return r;
    return wrap(prb_api_patch(side, &there, type, body, options, ret, err), &ref->gvr, err);
}

static int remove_object(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    struct prb_api *side;
    struct prb_ref there;
    int r = route_ref(of(api), ref, &there, &side, err);

    return r < 0 ? r : wrap(prb_api_delete(side, &there, options, err), &ref->gvr, err);
}

/* What is found on the hub keeps the group by which it is known here. */
static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    struct sides *sides = of(api);
    char there[PRB_GROUP_SIZE];
    int r;

    if (!prb_side_is_hub(group))
        return prb_api_resolve(sides->own, group, name, ret, err);
    prb_side_strip(group, there);
    r = prb_api_resolve(sides->hub, there, name, ret, err);
    if (r < 0)
        return prb_wrap(err, "on the hub");
    (void)prb_copy(ret->gvr.group, sizeof(ret->gvr.group), group);
    return 0;
}

static void forget(struct prb_api *api, const char *group)
{
    struct sides *sides = of(api);
    char there[PRB_GROUP_SIZE];

    if (!group || !prb_side_is_hub(group))
        prb_api_forget(sides->own, group);
    if (!group) {
        prb_api_forget(sides->hub, NULL);
    } else if (prb_side_is_hub(group)) {
        prb_side_strip(group, there);
        prb_api_forget(sides->hub, there);
    }
}

static int may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    struct prb_access_question asked = *question;
    struct sides *sides = of(api);
    char there[PRB_GROUP_SIZE];
    int r;

    if (!asked.group || !prb_side_is_hub(asked.group))
        return prb_api_may(sides->own, &asked, ret, err);
    prb_side_strip(asked.group, there);
    asked.group = there;
    r = prb_api_may(sides->hub, &asked, ret, err);
    return r < 0 ? prb_wrap(err, "on the hub") : r;
}

static void interrupt(struct prb_api *api)
{
    prb_api_interrupt(of(api)->own);
    prb_api_interrupt(of(api)->hub);
}

static void close_sides(struct prb_api *api)
{
    free(of(api)->hub_namespace);
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
    .close = close_sides,
};

struct prb_api *prb_sides_open(const struct prb_sides_options *options)
{
    struct sides *sides = prb_calloc(1, sizeof(*sides));

    sides->api.ops = &ops;
    sides->own = options->own;
    sides->hub = options->hub;
    sides->hub_namespace = prb_strdup(options->hub_namespace);
    return &sides->api;
}

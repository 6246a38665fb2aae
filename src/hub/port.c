/* Which calls of the port does the hub answer how? */

#include "port.h"

#include "fail.h"
#include "objects.h"
#include "pages.h"
#include "present.h"
#include "request.h"
#include "watchers.h"

static struct prb_hub_port *port_of(struct prb_api *api)
{
    return (struct prb_hub_port *)api; /* which is its first member */
}

struct prb_hub *prb_hub_of(struct prb_api *api)
{
    return port_of(api)->hub;
}

/* As seen in the version that was asked for. */
static struct prb_hub_view_as view_as(const struct prb_ref *ref, bool metadata_only)
{
    struct prb_hub_view_as as = { .metadata_only = metadata_only };

    prb_api_version_format(ref->gvr.group, ref->gvr.version, as.api_version);
    return as;
}

static int read_object(struct prb_hub *hub, const struct prb_ref *ref, struct prb_object **ret,
        struct prb_error *err)
{
    const struct prb_hub_entry *entry;
    struct prb_hub_kind *kind = NULL;
    int r = hub->interrupted ? prb_hub_cancelled(err) : prb_hub_kind_of_ref(hub, ref, &kind, err);

    if (r < 0)
        return r;
    entry = prb_hub_find(kind, ref->namespace, ref->name);
    if (!entry)
        return prb_hub_not_found(err, kind, ref->name);
    *ret = prb_object_ref(entry->object);
    return 0;
}

static int get(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_get_options *options, struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *stored = NULL;
    struct prb_hub_view_as as = view_as(ref, options->metadata_only);
    struct prb_hub *hub = prb_hub_of(api);
    int r;

    (void)pthread_mutex_lock(&hub->lock);
    r = read_object(hub, ref, &stored, err);
    (void)pthread_mutex_unlock(&hub->lock);
    if (r == 0)
        *ret = prb_hub_present(stored, &as);
    return r;
}

/* Perform a write and present what was written. */
static int write(struct prb_api *api, const struct prb_hub_request *request,
        struct prb_object **ret, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *written = NULL;
    struct prb_hub_view_as as = view_as(request->ref, false);
    int r = prb_hub_perform(prb_hub_of(api), request, &written, err);

    if (r == 0 && written)
        *ret = prb_hub_present(written, &as);
    return r;
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static int create(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    return write(api,
            &(struct prb_hub_request){ .verb = PRB_HUB_CREATE,
                    .user = port_of(api)->user,
                    .ref = ref,
                    .body = body,
                    .subresource = "",
                    .dry_run = options->dry_run },
            ret, err);
}

static int update(struct prb_api *api, const struct prb_ref *ref, const struct json_object *body,
        const struct prb_write_options *options, struct prb_object **ret, struct prb_error *err)
{
    return write(api,
            &(struct prb_hub_request){ .verb = PRB_HUB_UPDATE,
                    .user = port_of(api)->user,
                    .ref = ref,
                    .body = body,
                    .subresource = or_empty(options->subresource),
                    .dry_run = options->dry_run },
            ret, err);
}

/* NOLINTNEXTLINE(readability-function-size): as the port has it */
static int patch(struct prb_api *api, const struct prb_ref *ref, enum prb_patch_type type,
        const struct json_object *body, const struct prb_write_options *options,
        struct prb_object **ret, struct prb_error *err)
{
    return write(api,
            &(struct prb_hub_request){ .verb = PRB_HUB_PATCH,
                    .user = port_of(api)->user,
                    .ref = ref,
                    .body = body,
                    .patch = type,
                    .subresource = or_empty(options->subresource),
                    .resource_version = options->resource_version,
                    .dry_run = options->dry_run },
            ret, err);
}

static int remove_object(struct prb_api *api, const struct prb_ref *ref,
        const struct prb_delete_options *options, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *marked = NULL;

    return prb_hub_perform(prb_hub_of(api),
            &(struct prb_hub_request){ .verb = PRB_HUB_DELETE,
                    .user = port_of(api)->user,
                    .ref = ref,
                    .subresource = "",
                    .uid = options->uid,
                    .resource_version = options->resource_version,
                    .propagation = options->propagation,
                    .dry_run = options->dry_run },
            &marked, err);
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    struct prb_hub *hub = prb_hub_of(api);
    const struct prb_hub_kind *kind;
    int r = 0;

    (void)pthread_mutex_lock(&hub->lock);
    kind = prb_hub_kind_resolve(hub->kinds, group, name);
    if (hub->interrupted)
        r = prb_hub_cancelled(err);
    else if (kind)
        *ret = kind->resource;
    else
        r = prb_hub_fail(err, PRB_E_NOTFOUND, 404, "NotServed",
                "the hub serves no resource \"%s\" in group \"%s\"", name, group);
    (void)pthread_mutex_unlock(&hub->lock);
    return r;
}

/* There is no RBAC here: unless somebody was named who knows, every answer would be made up. */
static int may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    struct prb_hub *hub = prb_hub_of(api);
    prb_hub_access_fn access;
    void *ctx;

    (void)pthread_mutex_lock(&hub->lock);
    access = hub->access;
    ctx = hub->access_ctx;
    (void)pthread_mutex_unlock(&hub->lock);
    if (access)
        return access(ctx, question, ret, err);
    return prb_fail(err, PRB_E_UNSUPPORTED,
            "an embedded hub has no RBAC: whether %s may %s %s is unknown", question->user,
            question->verb, or_empty(question->resource));
}

static void interrupt(struct prb_api *api)
{
    struct prb_hub *hub = prb_hub_of(api);

    (void)pthread_mutex_lock(&hub->lock);
    hub->interrupted = true;
    prb_hub_watches_cancel(hub);
    (void)pthread_mutex_unlock(&hub->lock);
}

/* The port is the hub's; prb_hub_free ends both. */
static void close_port(struct prb_api *api)
{
    (void)api;
}

const struct prb_api_ops prb_hub_ops = {
    .get = get,
    .list = prb_hub_list,
    .watch = prb_hub_watch,
    .watch_stop = prb_hub_watch_stop,
    .create = create,
    .update = update,
    .patch = patch,
    .remove = remove_object,
    .resolve = resolve,
    .may = may,
    .interrupt = interrupt,
    .close = close_port,
};

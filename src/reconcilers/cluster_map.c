/* Which clusters have to be looked at when something has changed? */

#include "cluster_map.h"

#include <string.h>

#include "probate/base/str.h"

#include "cluster_departure.h"
#include "cluster_names.h"

/* On a hosted addon: the cluster whose namespace has its works. */
#define HOST_ANNOTATION "addon.open-cluster-management.io/hosting-cluster-name"

static void enqueue_cluster(const char *name, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    struct prb_ref key;

    if (prb_ref_init(&key, &prb_cluster_gvr, NULL, name))
        enqueue(ctx, &key);
}

/* What goes on inside of a live cluster's namespace is nothing to us, and happens all the time. */
static void enqueue_departing(
        const struct prb_view *view, const char *name, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    const struct prb_object *cluster;
    struct prb_ref key;

    if (!prb_ref_init(&key, &prb_cluster_gvr, NULL, name))
        return;
    cluster = prb_view_find(view, &key);
    if (!cluster || prb_object_is_deleting(cluster))
        enqueue(ctx, &key);
}

void prb_cluster_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    (void)view;
    (void)object;
    enqueue_cluster(ref->name, enqueue, ctx);
}

void prb_cluster_map_content(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    (void)object;
    enqueue_departing(view, ref->namespace, enqueue, ctx);
}

void prb_cluster_map_addon(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    const char *host = prb_object_annotation(object, HOST_ANNOTATION);

    enqueue_departing(view, ref->namespace, enqueue, ctx);
    if (host && !prb_streq(host, ref->namespace))
        enqueue_departing(view, host, enqueue, ctx);
}

void prb_cluster_map_binding(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    (void)object;
    if (prb_starts_with(ref->name, PRB_RBAC_PREFIX))
        enqueue_departing(view, ref->namespace, enqueue, ctx);
}

/* Of ClusterRoles and ClusterRoleBindings. */
void prb_cluster_map_role(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    (void)object;
    if (prb_starts_with(ref->name, PRB_RBAC_PREFIX))
        enqueue_departing(view, ref->name + strlen(PRB_RBAC_PREFIX), enqueue, ctx);
}

/* The keys of what is on its way out. */
struct departing {
    const struct prb_view *view;
    prb_cluster_enqueue_fn *enqueue;
    void *ctx;
};

static bool enqueue_deleting(void *ctx, const struct prb_object *cluster)
{
    const struct departing *departing = ctx;

    if (prb_object_is_deleting(cluster))
        enqueue_cluster(prb_object_name(cluster), departing->enqueue, departing->ctx);
    return true;
}

static bool enqueue_marked(void *ctx, const struct prb_object *namespace)
{
    const struct departing *departing = ctx;

    if (prb_mark_of(namespace) != PRB_MARK_NONE)
        enqueue_cluster(prb_object_name(namespace), departing->enqueue, departing->ctx);
    return true;
}

/* The namespaces in which works are read. */
struct naming {
    void (*name)(void *ctx, const char *namespace);
    void *ctx;
};

static bool name_deleting(void *ctx, const struct prb_object *cluster)
{
    const struct naming *naming = ctx;

    if (prb_object_is_deleting(cluster))
        naming->name(naming->ctx, prb_object_name(cluster));
    return true;
}

static bool name_marked(void *ctx, const struct prb_object *namespace)
{
    const struct naming *naming = ctx;

    if (prb_mark_of(namespace) != PRB_MARK_NONE)
        naming->name(naming->ctx, prb_object_name(namespace));
    return true;
}

void prb_cluster_name_departing(const struct prb_reconciler *self, const struct prb_view *view,
        void (*name)(void *ctx, const char *namespace), void *ctx)
{
    struct naming naming = { .name = name, .ctx = ctx };

    (void)self;
    prb_view_each(view, &prb_cluster_gvr, NULL, name_deleting, &naming);
    prb_view_each(view, &prb_cluster_namespaces, NULL, name_marked, &naming);
}

void prb_cluster_map_monitored(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx)
{
    struct departing departing = { .view = view, .enqueue = enqueue, .ctx = ctx };

    if (object) {
        enqueue_departing(view, ref->namespace, enqueue, ctx);
        return;
    }
    prb_view_each(view, &prb_cluster_gvr, NULL, enqueue_deleting, &departing);
    prb_view_each(view, &prb_cluster_namespaces, NULL, enqueue_marked, &departing);
}

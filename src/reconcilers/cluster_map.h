#ifndef SRC_RECONCILERS_CLUSTER_MAP_H
#define SRC_RECONCILERS_CLUSTER_MAP_H

/* Which clusters a change leads to: for the table of watches. */

#include "probate/core/reconciler.h"

typedef void prb_cluster_enqueue_fn(void *ctx, const struct prb_ref *key);
void prb_cluster_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);
void prb_cluster_map_content(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);
void prb_cluster_map_addon(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);
void prb_cluster_map_binding(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);
void prb_cluster_map_role(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);
void prb_cluster_map_monitored(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_cluster_enqueue_fn *enqueue, void *ctx);

/* The namespaces of clusters that are on their way out. */
void prb_cluster_name_departing(const struct prb_reconciler *self, const struct prb_view *view,
        void (*name)(void *ctx, const char *namespace), void *ctx);

#endif

#ifndef SRC_RECONCILERS_POLICY_MAP_H
#define SRC_RECONCILERS_POLICY_MAP_H

/* Which policies does a changed object concern, and which kinds are to be watched? */

#include "probate/core/reconciler.h"

typedef void prb_policy_enqueue_fn(void *ctx, const struct prb_ref *key);

void prb_policy_map_policy(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx);
void prb_policy_map_namespace(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx);
void prb_policy_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_policy_enqueue_fn *enqueue, void *ctx);
void prb_policy_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx);

#endif

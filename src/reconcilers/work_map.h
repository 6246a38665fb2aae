#ifndef SRC_RECONCILERS_WORK_MAP_H
#define SRC_RECONCILERS_WORK_MAP_H

/* Which pairs are concerned when something has changed, and which kinds are to be watched. */

#include "probate/core/reconciler.h"
#include "probate/reconcilers/work.h"

typedef void prb_work_enqueue_fn(void *ctx, const struct prb_ref *key);

/* The AppliedManifestWork of a work on this hub; false: no object can have that name. */
bool prb_work_key(const struct prb_work_settings *settings, const char *work, struct prb_ref *ret);

/* The work whose AppliedManifestWork this is; "": of another hub. Borrowed from `key`. */
const char *prb_work_of_key(const struct prb_work_settings *settings, const struct prb_ref *key);

void prb_work_map_work(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *ref, const struct prb_object *object, prb_work_enqueue_fn *enqueue,
        void *ctx);
void prb_work_want(const struct prb_reconciler *self, const struct prb_view *view,
        void (*want)(void *ctx, const char *group, const char *resource), void *ctx);
void prb_work_map_wanted(const struct prb_view *view, const struct prb_ref *ref,
        const struct prb_object *object, prb_work_enqueue_fn *enqueue, void *ctx);

#endif

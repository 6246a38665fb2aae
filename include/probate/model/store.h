#ifndef PROBATE_MODEL_STORE_H
#define PROBATE_MODEL_STORE_H

/*
 * The objects of one collection in memory, by namespace/name, indexed by namespace and by owner
 * uid. One writer (an informer) and any number of readers: readers go through a view, which holds
 * the read lock, so that what they see does not change under them.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/map.h"
#include "probate/model/object.h"

struct prb_store;

/* Counted: a view may still be open on a collection that nobody follows any more. */
struct prb_store *prb_store_new(const struct prb_gvr *gvr);

/* One that holds only what is in these namespaces: the keys of `namespaces_taken`. */
struct prb_store *prb_store_new_in(const struct prb_gvr *gvr, struct prb_map *namespaces_taken);
struct prb_store *prb_store_ref(struct prb_store *store);
void prb_store_unref(struct prb_store *store); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_store *, prb_store_unref)

const struct prb_gvr *prb_store_gvr(const struct prb_store *store);

/* Does it hold the objects of this namespace? NULL: of all? */
bool prb_store_covers(const struct prb_store *store, const char *namespace);

/*
 * Writers; each takes the write lock. What changed is told by the return value:
 * put: true when the object is new or its resourceVersion or tree differs from the one held.
 * remove: true when something was held under that name.
 */
bool prb_store_put(struct prb_store *store, const struct prb_object *object);
bool prb_store_remove(struct prb_store *store, const char *namespace, const char *name);

/*
 * Make the content exactly `objects`, in one step. `changed` (may be NULL) is called afterwards, so
 * that who looks because of it sees the new content, for each object added, altered or dropped; a
 * dropped one is passed as it was held. Other writers wait meanwhile: it must not touch the store.
 */
typedef void (*prb_store_changed_fn)(void *ctx, const struct prb_object *object);
void prb_store_replace(struct prb_store *store, struct prb_object *const *objects, size_t count,
        prb_store_changed_fn changed, void *ctx);

/* Has the collection been read whole at least once? Decisions must not trust one that has not. */
void prb_store_set_synced(struct prb_store *store);
bool prb_store_synced(const struct prb_store *store);

/* These two take the read lock themselves: not for a thread that has a view open. */
size_t prb_store_count(struct prb_store *store);

/* A counted reference to one object, or NULL. */
struct prb_object *prb_store_get(struct prb_store *store, const char *namespace, const char *name);

#endif

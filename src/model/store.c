/*
 * How does one collection change while others read it? Writers take turns on a mutex and compare
 * at leisure; readers are kept out only for the moment in which the content is exchanged.
 */

#include "probate/model/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "probate/base/mem.h"

#include "store_internal.h"

struct prb_store {
    atomic_uint refs;
    struct prb_gvr gvr;
    struct prb_map *namespaces; /* owned, never changed; NULL: all */
    atomic_bool synced;
    pthread_mutex_t writing; /* held by the one who writes */
    pthread_rwlock_t lock;   /* of `contents`: changed with both held, read with either */
    struct prb_contents contents;
};

struct prb_store *prb_store_new(const struct prb_gvr *gvr)
{
    struct prb_store *store = prb_calloc(1, sizeof(*store));
    pthread_rwlockattr_t attr;

    atomic_init(&store->refs, 1);
    store->gvr = *gvr;
    atomic_init(&store->synced, false);
    prb_contents_init(&store->contents);

    /* Views follow each other closely: without this a writer could wait for ever. */
    (void)pthread_rwlockattr_init(&attr);
    (void)pthread_rwlockattr_setkind_np(&attr, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    (void)pthread_rwlock_init(&store->lock, &attr);
    (void)pthread_rwlockattr_destroy(&attr);
    (void)pthread_mutex_init(&store->writing, NULL);
    return store;
}

struct prb_store *prb_store_new_in(const struct prb_gvr *gvr, struct prb_map *namespaces_taken)
{
    struct prb_store *store = prb_store_new(gvr);

    store->namespaces = namespaces_taken;
    return store;
}

struct prb_store *prb_store_ref(struct prb_store *store)
{
    /* Who adds a reference already has one: nothing has to be seen in order. */
    (void)atomic_fetch_add_explicit(&store->refs, 1, memory_order_relaxed);
    return store;
}

void prb_store_unref(struct prb_store *store)
{
    if (!store || atomic_fetch_sub_explicit(&store->refs, 1, memory_order_acq_rel) > 1)
        return;
    prb_contents_done(&store->contents);
    prb_map_free(store->namespaces);
    (void)pthread_rwlock_destroy(&store->lock);
    (void)pthread_mutex_destroy(&store->writing);
    free(store);
}

const struct prb_gvr *prb_store_gvr(const struct prb_store *store)
{
    return &store->gvr;
}

bool prb_store_covers(const struct prb_store *store, const char *namespace)
{
    return !store->namespaces || (namespace && prb_map_find(store->namespaces, namespace));
}

void prb_store_lock(struct prb_store *store)
{
    (void)pthread_rwlock_rdlock(&store->lock);
}

void prb_store_unlock(struct prb_store *store)
{
    (void)pthread_rwlock_unlock(&store->lock);
}

const struct prb_contents *prb_store_contents(const struct prb_store *store)
{
    return &store->contents;
}

/* Does `next` say anything that `old` did not? */
static bool differs(const struct prb_object *old, const struct prb_object *next)
{
    return !old ||
           strcmp(prb_object_resource_version(old), prb_object_resource_version(next)) != 0 ||
           !prb_object_defect(old) != !prb_object_defect(next) ||
           !prb_json_equal(prb_object_tree(old), prb_object_tree(next));
}

bool prb_store_put(struct prb_store *store, const struct prb_object *object)
{
    bool changed;

    (void)pthread_mutex_lock(&store->writing);
    changed = differs(prb_contents_find(&store->contents, prb_object_namespace(object),
                              prb_object_name(object)),
            object);
    if (changed) {
        (void)pthread_rwlock_wrlock(&store->lock);
        prb_contents_put(&store->contents, object);
        (void)pthread_rwlock_unlock(&store->lock);
    }
    (void)pthread_mutex_unlock(&store->writing);
    return changed;
}

bool prb_store_remove(struct prb_store *store, const char *namespace, const char *name)
{
    bool held;

    (void)pthread_mutex_lock(&store->writing);
    (void)pthread_rwlock_wrlock(&store->lock);
    held = prb_contents_remove(&store->contents, namespace ? namespace : "", name);
    (void)pthread_rwlock_unlock(&store->lock);
    (void)pthread_mutex_unlock(&store->writing);
    return held;
}

/* One of two contents, compared with the other. */
struct comparison {
    const struct prb_contents *other;
    prb_store_changed_fn changed;
    void *ctx;
};

static const struct prb_object *twin(
        const struct prb_contents *contents, const struct prb_object *object)
{
    return prb_contents_find(contents, prb_object_namespace(object), prb_object_name(object));
}

static bool tell_if_new_or_altered(void *ctx, const struct prb_object *object)
{
    const struct comparison *with_old = ctx;

    if (differs(twin(with_old->other, object), object))
        with_old->changed(with_old->ctx, object);
    return true;
}

static bool tell_if_dropped(void *ctx, const struct prb_object *object)
{
    const struct comparison *with_next = ctx;

    if (!twin(with_next->other, object))
        with_next->changed(with_next->ctx, object);
    return true;
}

void prb_store_replace(struct prb_store *store, struct prb_object *const *objects, size_t count,
        prb_store_changed_fn changed, void *ctx)
{
    struct prb_contents next, old;

    prb_contents_init(&next);
    for (size_t i = 0; i < count; i++)
        prb_contents_put(&next, objects[i]);

    (void)pthread_mutex_lock(&store->writing);
    (void)pthread_rwlock_wrlock(&store->lock);
    old = store->contents;
    store->contents = next;
    (void)pthread_rwlock_unlock(&store->lock);

    /* After the exchange, so that who hears of a change and looks finds it. */
    if (changed) {
        prb_contents_each(&next, NULL, tell_if_new_or_altered,
                &(struct comparison){ .other = &old, .changed = changed, .ctx = ctx });
        prb_contents_each(&old, NULL, tell_if_dropped,
                &(struct comparison){ .other = &next, .changed = changed, .ctx = ctx });
    }
    (void)pthread_mutex_unlock(&store->writing);
    prb_contents_done(&old);
}

void prb_store_set_synced(struct prb_store *store)
{
    atomic_store(&store->synced, true);
}

bool prb_store_synced(const struct prb_store *store)
{
    return atomic_load(&store->synced);
}

size_t prb_store_count(struct prb_store *store)
{
    size_t count;

    prb_store_lock(store);
    count = store->contents.count;
    prb_store_unlock(store);
    return count;
}

struct prb_object *prb_store_get(struct prb_store *store, const char *namespace, const char *name)
{
    const struct prb_object *found;
    struct prb_object *counted;

    prb_store_lock(store);
    found = prb_contents_find(&store->contents, namespace ? namespace : "", name);
    counted = found ? prb_object_ref(found) : NULL;
    prb_store_unlock(store);
    return counted;
}

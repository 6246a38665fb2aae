/* A collection of which only some namespaces are read: which are they, and by which watches? */

#include "namespaced.h"

#include <pthread.h>
#include <stdlib.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/queue.h"

#include "informer_internal.h"
#include "text.h"

#define LOOK_KEY "look"

/* Clusters and namespaces change all the time, and each change is a reason to look through all of
 * them: 50 times a second at most. */
#define LOOK_AFTER_MS 20

/* From so few namespaces on, each has a watch of its own again. Half, so that one that comes and
 * goes does not move all of them back and forth. */
#define WATCHES_AGAIN (PRB_NAMESPACED_WATCHES_MAX / 2)

/* One watch, and what it has brought. */
struct part {
    struct prb_informer *informer;
    struct prb_store *store; /* a reference */
    bool read;               /* it was told that it is */
};

struct entry {
    struct prb_namespaced_reader reader;
    bool on;
};

struct prb_namespaced {
    struct prb_gvr gvr;
    const char *const *annotations; /* static; NULL: all */
    struct prb_informers *set;      /* owned: of the watches below, and of nothing else */
    struct prb_queue *queue;        /* owned */
    struct entry *readers;          /* owned; fixed once something is read */
    size_t reader_count;

    pthread_mutex_t lock; /* for all below; held neither during calls nor with a view open */
    bool started, stopped;
    pthread_t thread;
    struct prb_map *own;                /* owned: namespace to struct part */
    struct part *wide;                  /* owned: of many namespaces; NULL: none */
    struct part *next;                  /* owned: takes its place when it was read; NULL: none */
    struct prb_namespaced_sight *sight; /* a reference; NULL: nothing is read */
};

/* Changes that the readers are told of once the lock is released. */
struct news {
    struct prb_map *namespaces; /* owned: of which something else is known now */
    struct prb_store **dropped; /* owned, references: what is not read any more */
    size_t dropped_count;
};

static void news_donep(struct news *news)
{
    for (size_t i = 0; i < news->dropped_count; i++)
        prb_store_unref(news->dropped[i]);
    free(news->dropped);
    prb_map_free(news->namespaces);
}

static void add_name(void *ctx, const char *namespace)
{
    struct prb_map *names = ctx;

    if (namespace && namespace[0])
        prb_map_set(names, namespace, names); /* a set: the value says nothing */
}

/* Add the keys of `from` to `names`. */
static void add_names(struct prb_map *names, const struct prb_map *from)
{
    const char *key;
    void *value;

    for (size_t at = 0; prb_map_next(from, &at, &key, &value);)
        add_name(names, key);
}

/* --- one watch --- */

static void part_free(void *value)
{
    struct part *part = value;

    if (!part)
        return;
    prb_informers_drop(part->informer);
    prb_store_unref(part->store);
    free(part);
}

/* One that was dropped may still tell for a moment; looking once too often harms nobody. */
static void on_changed(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    struct prb_namespaced *namespaced = ctx;

    (void)informer;
    (void)gone;
    for (size_t i = 0; i < namespaced->reader_count; i++) {
        const struct prb_namespaced_reader *reader = &namespaced->readers[i].reader;

        reader->changed(reader->ctx, prb_object_namespace(object), object);
    }
}

static void on_state(void *ctx, struct prb_informer *informer)
{
    (void)informer;
    prb_namespaced_look(ctx);
}

static struct part *part_new(struct prb_informer *informer)
{
    struct part *part = prb_calloc(1, sizeof(*part));

    part->informer = informer;
    part->store = prb_store_ref(prb_informer_store(informer));
    return part;
}

static struct prb_informer_listener listener_of(struct prb_namespaced *namespaced)
{
    return (struct prb_informer_listener){
        .changed = on_changed, .state = on_state, .ctx = namespaced
    };
}

static void read_one(struct prb_namespaced *namespaced, const char *namespace)
{
    const struct prb_informer_listener listener = listener_of(namespaced);

    prb_map_set(namespaced->own, namespace,
            part_new(prb_informers_join_in(namespaced->set, &namespaced->gvr,
                    namespaced->annotations, namespace, &listener)));
}

static struct part *read_many(struct prb_namespaced *namespaced, const struct prb_map *names)
{
    const struct prb_informer_listener listener = listener_of(namespaced);
    struct prb_map *copy = prb_map_new(NULL);

    add_names(copy, names);
    return part_new(prb_informers_join_some(
            namespaced->set, &namespaced->gvr, namespaced->annotations, copy, &listener));
}

/* --- opening and closing watches; the lock is held --- */

static void drop(struct part *part, struct news *news)
{
    if (!part)
        return;
    news->dropped = prb_realloc(news->dropped, news->dropped_count + 1, sizeof(struct prb_store *));
    news->dropped[news->dropped_count++] = prb_store_ref(part->store);
    part_free(part);
}

static void drop_unnamed(
        struct prb_namespaced *namespaced, const struct prb_map *names, struct news *news)
{
    const char *key;
    void *value;

    for (size_t at = 0; prb_map_next(namespaced->own, &at, &key, &value);) {
        if (prb_map_find(names, key))
            continue;
        add_name(news->namespaces, key);
        drop(prb_map_take(namespaced->own, key), news);
    }
}

/* The new watch on many namespaces has read them: the old one goes, and those that it covers. */
static void take_next(struct prb_namespaced *namespaced, struct news *news)
{
    const char *key;
    void *value;

    if (!namespaced->next || !prb_store_synced(namespaced->next->store))
        return;
    drop(namespaced->wide, news);
    namespaced->wide = prb_take(namespaced->next);
    for (size_t at = 0; prb_map_next(namespaced->own, &at, &key, &value);) {
        if (prb_store_covers(namespaced->wide->store, key))
            drop(prb_map_take(namespaced->own, key), news);
    }
}

static bool is_covered(const struct prb_namespaced *namespaced, const char *namespace)
{
    return prb_map_find(namespaced->own, namespace) ||
           (namespaced->wide && prb_store_covers(namespaced->wide->store, namespace)) ||
           (namespaced->next && prb_store_covers(namespaced->next->store, namespace));
}

static void cover(struct prb_namespaced *namespaced, const struct prb_map *names)
{
    prb_auto(prb_map_free) struct prb_map *missing = prb_map_new(NULL);
    const char *key;
    void *value;

    for (size_t at = 0; prb_map_next(names, &at, &key, &value);) {
        if (!is_covered(namespaced, key))
            add_name(missing, key);
    }
    if (prb_map_count(missing) == 0)
        return;
    if (!namespaced->next &&
            prb_map_count(namespaced->own) + prb_map_count(missing) > PRB_NAMESPACED_WATCHES_MAX) {
        namespaced->next = read_many(namespaced, names);
        return;
    }

    /* Namespaces that do not fit wait until the watch that is being opened has read its own. */
    for (size_t at = 0; prb_map_next(missing, &at, &key, &value) &&
                        prb_map_count(namespaced->own) < PRB_NAMESPACED_WATCHES_MAX;)
        read_one(namespaced, key);
}

/* So few are left that each can have its own watch: the one on many goes when all were read. */
static void dismiss_wide(
        struct prb_namespaced *namespaced, const struct prb_map *names, struct news *news)
{
    bool all_read = true;
    const char *key;
    void *value;

    if (!namespaced->wide || namespaced->next || prb_map_count(names) > WATCHES_AGAIN)
        return;
    for (size_t at = 0; prb_map_next(names, &at, &key, &value);) {
        const struct part *own = prb_map_find(namespaced->own, key);

        if (!own)
            read_one(namespaced, key);
        all_read = all_read && own && prb_store_synced(own->store);
    }
    if (all_read)
        drop(prb_take(namespaced->wide), news);
}

/* --- publishing what was read; the lock is held --- */

/* It was read just now: of which namespaces is that news? */
static void note_read(
        struct part *part, const char *namespace, const struct prb_map *names, struct news *news)
{
    if (!part || part->read || !prb_store_synced(part->store))
        return;
    part->read = true;
    if (namespace)
        add_name(news->namespaces, namespace);
    else
        add_names(news->namespaces, names);
}

static void note_trouble(const struct part *part, struct prb_namespaced_sight *sight)
{
    struct prb_informer_state state;

    if (!part || sight->trouble[0])
        return;
    prb_informer_state(part->informer, &state);
    if (!state.synced && state.error[0])
        prb_text_copy(sight->trouble, sizeof(sight->trouble), state.error);
}

static struct prb_namespaced_sight *make_sight(const struct prb_namespaced *namespaced)
{
    struct prb_namespaced_sight *sight = prb_calloc(1, sizeof(*sight));
    const char *key;
    void *value;

    atomic_init(&sight->refs, 1);
    sight->stores = prb_calloc(prb_map_count(namespaced->own) + 1, sizeof(struct prb_store *));
    for (size_t at = 0; prb_map_next(namespaced->own, &at, &key, &value);) {
        const struct part *part = value;

        sight->stores[sight->store_count++] = prb_store_ref(part->store);
        note_trouble(part, sight);
    }
    if (namespaced->wide)
        sight->stores[sight->store_count++] = prb_store_ref(namespaced->wide->store);
    note_trouble(namespaced->wide, sight);
    note_trouble(namespaced->next, sight);
    return sight;
}

static void publish(
        struct prb_namespaced *namespaced, const struct prb_map *names, struct news *news)
{
    struct prb_namespaced_sight *old = namespaced->sight;
    const char *key;
    void *value;

    for (size_t at = 0; prb_map_next(namespaced->own, &at, &key, &value);)
        note_read(value, key, names, news);
    note_read(namespaced->wide, NULL, names, news);
    namespaced->sight = make_sight(namespaced);
    if (!prb_text_says_same(old ? old->trouble : "", namespaced->sight->trouble))
        add_names(news->namespaces, names);
    prb_namespaced_sight_unref(old);
}

/* --- telling; no lock is held --- */

static void tell(const struct prb_namespaced *namespaced, const char *namespace,
        const struct prb_object *object)
{
    for (size_t i = 0; i < namespaced->reader_count; i++) {
        const struct prb_namespaced_reader *reader = &namespaced->readers[i].reader;

        reader->changed(reader->ctx, namespace, object);
    }
}

/* The objects of a store that is being left. */
struct leaving {
    struct prb_object **items; /* owned, as each reference in it */
    size_t count, cap;
    const struct prb_map *names; /* those in these namespaces are still read */
};

static bool add_leaving(void *ctx, const struct prb_object *object)
{
    struct leaving *leaving = ctx;

    if (prb_map_find(leaving->names, prb_object_namespace(object)))
        return true;
    if (leaving->count == leaving->cap) {
        leaving->cap = leaving->cap ? leaving->cap * 2 : 16;
        leaving->items = prb_realloc(leaving->items, leaving->cap, sizeof(struct prb_object *));
    }
    leaving->items[leaving->count++] = prb_object_ref(object);
    return true;
}

/* The readers look at each object of a dropped store again, and take back what they said of it. */
static void tell_dropped(const struct prb_namespaced *namespaced, struct prb_store *store,
        const struct prb_map *names)
{
    struct leaving leaving = { .names = names };
    struct prb_view *view = prb_view_open(&store, 1, 0);

    prb_view_each(view, &namespaced->gvr, NULL, add_leaving, &leaving);
    prb_view_close(view);
    for (size_t i = 0; i < leaving.count; i++) {
        tell(namespaced, prb_object_namespace(leaving.items[i]), leaving.items[i]);
        prb_object_unref(leaving.items[i]);
    }
    free(leaving.items);
}

static void tell_all(
        const struct prb_namespaced *namespaced, const struct prb_map *names, struct news *news)
{
    const char *key;
    void *value;

    for (size_t i = 0; i < news->dropped_count; i++)
        tell_dropped(namespaced, news->dropped[i], names);
    for (size_t at = 0; prb_map_next(news->namespaces, &at, &key, &value);)
        tell(namespaced, key, NULL);
}

/* --- the thread --- */

static bool is_on(struct prb_namespaced *namespaced, size_t i)
{
    bool on;

    (void)pthread_mutex_lock(&namespaced->lock);
    on = namespaced->readers[i].on && !namespaced->stopped;
    (void)pthread_mutex_unlock(&namespaced->lock);
    return on;
}

static void look(struct prb_namespaced *namespaced)
{
    prb_auto(prb_map_free) struct prb_map *names = prb_map_new(NULL);
    __attribute__((cleanup(news_donep))) struct news news = { .namespaces = prb_map_new(NULL) };

    for (size_t i = 0; i < namespaced->reader_count; i++) {
        const struct prb_namespaced_reader *reader = &namespaced->readers[i].reader;

        if (is_on(namespaced, i))
            reader->collect(reader->ctx, add_name, names);
    }
    (void)pthread_mutex_lock(&namespaced->lock);
    drop_unnamed(namespaced, names, &news);
    take_next(namespaced, &news);
    cover(namespaced, names);
    dismiss_wide(namespaced, names, &news);
    publish(namespaced, names, &news);
    (void)pthread_mutex_unlock(&namespaced->lock);
    tell_all(namespaced, names, &news);
}

static void *work(void *arg)
{
    struct prb_namespaced *namespaced = arg;
    char *key;

    while ((key = prb_queue_take(namespaced->queue))) {
        look(namespaced);
        prb_queue_finish(namespaced->queue, key);
        free(key);
    }
    return NULL;
}

/* --- for the set of informers and its users --- */

struct prb_namespaced *prb_namespaced_new(struct prb_api *api, const struct prb_clock *clock,
        const struct prb_gvr *gvr, const char *const *annotations)
{
    struct prb_namespaced *namespaced = prb_calloc(1, sizeof(*namespaced));

    namespaced->gvr = *gvr;
    namespaced->annotations = annotations;
    namespaced->set = prb_informers_new_named(api, clock, "namespaced-informers");
    namespaced->queue = prb_queue_new("namespaced", clock);
    namespaced->own = prb_map_new(part_free);
    (void)pthread_mutex_init(&namespaced->lock, NULL);
    return namespaced;
}

bool prb_namespaced_reads(const struct prb_namespaced *namespaced, const struct prb_gvr *gvr,
        const char *const *annotations)
{
    return prb_gvr_equal(&namespaced->gvr, gvr) && namespaced->annotations == annotations;
}

void prb_namespaced_stop(struct prb_namespaced *namespaced)
{
    bool was_running;

    (void)pthread_mutex_lock(&namespaced->lock);
    was_running = namespaced->started && !namespaced->stopped;
    namespaced->stopped = true;
    (void)pthread_mutex_unlock(&namespaced->lock);
    prb_queue_shut_down(namespaced->queue);
    if (was_running)
        (void)pthread_join(namespaced->thread, NULL);
    prb_informers_stop(namespaced->set);
}

void prb_namespaced_free(struct prb_namespaced *namespaced)
{
    prb_namespaced_stop(namespaced);
    prb_map_free(namespaced->own);
    part_free(namespaced->wide);
    part_free(namespaced->next);
    prb_namespaced_sight_unref(namespaced->sight);
    prb_informers_free(namespaced->set);
    prb_queue_free(namespaced->queue);
    (void)pthread_mutex_destroy(&namespaced->lock);
    free(namespaced->readers);
    free(namespaced);
}

void prb_namespaced_join(
        struct prb_namespaced *namespaced, const struct prb_namespaced_reader *reader)
{
    namespaced->readers = prb_realloc(
            namespaced->readers, namespaced->reader_count + 1, sizeof(*namespaced->readers));
    namespaced->readers[namespaced->reader_count++] = (struct entry){ .reader = *reader };
}

/* With the lock held. */
static int ensure_thread(struct prb_namespaced *namespaced, struct prb_error *err)
{
    if (namespaced->started || namespaced->stopped)
        return 0;
    if (prb_informers_start(namespaced->set, err) < 0)
        return err->code;
    if (pthread_create(&namespaced->thread, NULL, work, namespaced) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "cannot start a thread for collections by namespace");
    namespaced->started = true;
    return 0;
}

int prb_namespaced_switch(
        struct prb_namespaced *namespaced, const void *ctx, bool on, struct prb_error *err)
{
    int r;

    (void)pthread_mutex_lock(&namespaced->lock);
    r = on ? ensure_thread(namespaced, err) : 0;
    for (size_t i = 0; r == 0 && i < namespaced->reader_count; i++) {
        if (namespaced->readers[i].reader.ctx == ctx)
            namespaced->readers[i].on = on;
    }
    (void)pthread_mutex_unlock(&namespaced->lock);
    prb_namespaced_look(namespaced);
    return r;
}

void prb_namespaced_look(struct prb_namespaced *namespaced)
{
    prb_queue_add_after(namespaced->queue, LOOK_KEY, LOOK_AFTER_MS);
}

struct prb_namespaced_sight *prb_namespaced_sight(struct prb_namespaced *namespaced)
{
    struct prb_namespaced_sight *sight;

    (void)pthread_mutex_lock(&namespaced->lock);
    sight = namespaced->sight;
    if (sight)
        (void)atomic_fetch_add_explicit(&sight->refs, 1, memory_order_relaxed);
    (void)pthread_mutex_unlock(&namespaced->lock);
    return sight;
}

void prb_namespaced_sight_unref(struct prb_namespaced_sight *sight)
{
    if (!sight || atomic_fetch_sub_explicit(&sight->refs, 1, memory_order_acq_rel) > 1)
        return;
    for (size_t i = 0; i < sight->store_count; i++)
        prb_store_unref(sight->stores[i]);
    free(sight->stores);
    free(sight);
}

void prb_namespaced_poke(struct prb_namespaced *namespaced)
{
    prb_queue_poke(namespaced->queue);
    prb_informers_poke(namespaced->set);
}

void prb_namespaced_state(struct prb_namespaced *namespaced, struct prb_namespaced_state *ret)
{
    prb_auto(prb_namespaced_sight_unref) struct prb_namespaced_sight *sight =
            prb_namespaced_sight(namespaced);

    *ret = (struct prb_namespaced_state){ .gvr = namespaced->gvr };
    for (size_t i = 0; sight && i < sight->store_count; i++) {
        ret->watches++;
        ret->unread += prb_store_synced(sight->stores[i]) ? 0 : 1;
        ret->objects += prb_store_count(sight->stores[i]);
    }
    if (sight)
        (void)prb_copy(ret->trouble, sizeof(ret->trouble), sight->trouble);
}

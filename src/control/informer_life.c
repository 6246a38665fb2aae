/* Which collections are read, how deep, and from when to when? */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/informer.h"
#include "probate/model/defect.h"

#include "informer_internal.h"

/* What an informer is to read. */
struct reading {
    struct prb_gvr gvr;
    const char *namespace;
    const char *label_selector;
    bool whole;
    const char *const *keeps;
    const char *const *annotations;
};

static bool has_path(const char *const *paths, const char *path)
{
    for (; *paths; paths++) {
        if (prb_streq(*paths, path))
            return true;
    }
    return false;
}

static bool all_in(const char *const *paths, const char *const *others)
{
    for (; *paths; paths++) {
        if (!has_path(others, *paths))
            return false;
    }
    return true;
}

/* Do both name the same members, in whatever order? */
static bool keeps_same(const char *const *a, const char *const *b)
{
    if (!a || !b)
        return a == b;
    return all_in(a, b) && all_in(b, a);
}

static bool reads(const struct prb_informer *informer, const struct reading *reading)
{
    return prb_gvr_equal(&informer->gvr, &reading->gvr) &&
           prb_streq(informer->namespace, reading->namespace) &&
           prb_streq(informer->label_selector, reading->label_selector) &&
           informer->whole == reading->whole && keeps_same(informer->keeps, reading->keeps) &&
           keeps_same(informer->annotations, reading->annotations);
}

static struct prb_informer *find(struct prb_informers *set, const struct reading *reading)
{
    for (size_t i = 0; i < set->count; i++) {
        if (reads(set->items[i], reading))
            return set->items[i];
    }
    return NULL;
}

/* With the lock of the set held. */
static struct prb_informer *make(
        struct prb_informers *set, const struct reading *reading, struct prb_store *store_taken)
{
    struct prb_informer *informer = prb_calloc(1, sizeof(*informer));

    informer->set = set;
    (void)snprintf(informer->id, sizeof(informer->id), "%zu", set->made++);
    informer->gvr = reading->gvr;
    prb_side_describe_group(reading->gvr.group, informer->group_text);
    informer->namespace = prb_strdup(reading->namespace);
    informer->label_selector = prb_strdup(reading->label_selector);
    informer->whole = reading->whole;
    informer->keeps = reading->keeps;
    informer->annotations = reading->annotations;
    informer->store = store_taken;
    informer->must_list = true;
    (void)pthread_mutex_init(&informer->lock, NULL);

    set->items = prb_realloc(set->items, set->count + 1, sizeof(struct prb_informer *));
    set->items[set->count++] = informer;
    return informer;
}

struct prb_informer *prb_informers_add(
        struct prb_informers *set, const struct prb_watch_spec *spec, const char *namespace)
{
    PRB_HOLD(&set->progress);
    struct reading reading = {
        .namespace = namespace ? namespace : "",
        .label_selector = spec->label_selector ? spec->label_selector : "",
        .whole = spec->whole,
        .keeps = spec->whole ? spec->keeps : NULL,
        .annotations = spec->annotations,
    };
    struct prb_informer *informer;

    assert(!set->started);
    if (!prb_gvr_init(&reading.gvr, spec->group, spec->version, spec->resource))
        prb_defect("what is to be watched is no resource");
    informer = find(set, &reading);
    return informer ? informer : make(set, &reading, prb_store_new(&reading.gvr));
}

static struct prb_informer *join(struct prb_informers *set, const struct reading *reading,
        struct prb_store *store_taken, const struct prb_informer_listener *listener)
{
    PRB_HOLD(&set->progress);
    struct prb_informer *informer = make(set, reading, store_taken);

    prb_informer_add_listener(informer, listener);
    if (set->started)
        prb_queue_add(set->queue, informer->id);
    return informer;
}

struct prb_informer *prb_informers_join(struct prb_informers *set, const struct prb_gvr *gvr,
        const struct prb_informer_listener *listener)
{
    struct reading reading = { .gvr = *gvr, .namespace = "", .label_selector = "" };

    return join(set, &reading, prb_store_new(gvr), listener);
}

static struct prb_map *set_of(const char *namespace)
{
    struct prb_map *names = prb_map_new(NULL);

    prb_map_set(names, namespace, names);
    return names;
}

struct prb_informer *prb_informers_join_in(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *annotations, const char *namespace,
        const struct prb_informer_listener *listener)
{
    struct reading reading = {
        .gvr = *gvr, .namespace = namespace, .label_selector = "", .annotations = annotations
    };

    return join(set, &reading, prb_store_new_in(gvr, set_of(namespace)), listener);
}

struct prb_informer *prb_informers_join_some(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *annotations, struct prb_map *namespaces_taken,
        const struct prb_informer_listener *listener)
{
    struct reading reading = {
        .gvr = *gvr, .namespace = "", .label_selector = "", .annotations = annotations
    };

    return join(set, &reading, prb_store_new_in(gvr, namespaces_taken), listener);
}

struct prb_informer *prb_informers_join_whole(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *keeps, const struct prb_informer_listener *listener)
{
    struct reading reading = {
        .gvr = *gvr, .namespace = "", .label_selector = "", .whole = true, .keeps = keeps
    };

    return join(set, &reading, prb_store_new(gvr), listener);
}

void prb_informers_drop(struct prb_informer *informer)
{
    struct prb_informers *set = informer->set;
    char id[PRB_INFORMER_ID_SIZE];

    memcpy(id, informer->id, sizeof(id)); /* it may be gone as soon as it is marked */
    (void)pthread_mutex_lock(&informer->lock);
    informer->dropped = true;
    (void)pthread_mutex_unlock(&informer->lock);
    prb_queue_add(set->queue, id);
}

static void take_out(struct prb_informers *set, const struct prb_informer *informer)
{
    PRB_HOLD(&set->progress);
    size_t i = 0;

    while (set->items[i] != informer)
        i++;
    memmove(&set->items[i], &set->items[i + 1],
            (set->count - i - 1) * sizeof(struct prb_informer *));
    set->count--;
    prb_waker_wake(&set->progress); /* who waited for it need not any more */
}

void prb_informer_end(struct prb_informer *informer)
{
    take_out(informer->set, informer);
    prb_store_unref(informer->store);
    (void)pthread_mutex_destroy(&informer->lock);
    free(informer->namespace);
    free(informer->label_selector);
    free(informer->listeners);
    free(informer->resource_version);
    free(informer);
}

/* Which collections are kept, by which threads, and have all been read? */

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/informer.h"

#include "informer_internal.h"

struct prb_informers *prb_informers_new(struct prb_api *api, const struct prb_clock *clock)
{
    struct prb_informers *set = prb_calloc(1, sizeof(*set));

    set->api = api;
    set->clock = clock ? clock : prb_clock_system();
    set->objects_max = PRB_INFORMER_OBJECTS_MAX;
    set->queue = prb_queue_new("informers", clock);
    prb_waker_init(&set->progress, NULL);
    return set;
}

void prb_informers_limit(struct prb_informers *set, size_t objects_max)
{
    set->objects_max = objects_max;
}

static void informer_free(struct prb_informer *informer)
{
    prb_store_unref(informer->store);
    (void)pthread_mutex_destroy(&informer->lock);
    free(informer->namespace);
    free(informer->label_selector);
    free(informer->listeners);
    free(informer->resource_version);
    free(informer);
}

void prb_informers_free(struct prb_informers *set)
{
    if (!set)
        return;
    prb_informers_stop(set);
    for (size_t i = 0; i < set->count; i++)
        informer_free(set->items[i]);
    free(set->items);
    prb_queue_free(set->queue);
    prb_waker_done(&set->progress);
    free(set);
}

static struct prb_informer *find_informer(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *namespace, const char *label_selector, bool whole)
{
    for (size_t i = 0; i < set->count; i++) {
        struct prb_informer *informer = set->items[i];

        if (prb_gvr_equal(&informer->gvr, gvr) && prb_streq(informer->namespace, namespace) &&
                prb_streq(informer->label_selector, label_selector) && informer->whole == whole)
            return informer;
    }
    return NULL;
}

struct prb_informer *prb_informers_add(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *namespace, const char *label_selector, bool whole)
{
    struct prb_informer *informer;

    assert(!set->started);
    namespace = namespace ? namespace : "";
    label_selector = label_selector ? label_selector : "";
    informer = find_informer(set, gvr, namespace, label_selector, whole);
    if (informer)
        return informer;

    informer = prb_calloc(1, sizeof(*informer));
    informer->set = set;
    (void)snprintf(informer->id, sizeof(informer->id), "%zu", set->count);
    informer->gvr = *gvr;
    informer->namespace = prb_strdup(namespace);
    informer->label_selector = prb_strdup(label_selector);
    informer->whole = whole;
    informer->store = prb_store_new(gvr);
    informer->must_list = true;
    (void)pthread_mutex_init(&informer->lock, NULL);

    set->items = prb_realloc(set->items, set->count + 1, sizeof(struct prb_informer *));
    set->items[set->count++] = informer;
    return informer;
}

static void *list_thread(void *arg)
{
    struct prb_informers *set = arg;
    char *id;

    while ((id = prb_queue_take(set->queue))) {
        int64_t index;

        if (prb_parse_int(id, 0, (int64_t)set->count - 1, &index))
            prb_informer_step(set->items[index]);
        prb_queue_finish(set->queue, id);
        free(id);
    }
    return NULL;
}

/* False when it was done before. */
static bool mark_once(struct prb_informers *set, bool *mark)
{
    PRB_HOLD(&set->progress);

    if (*mark)
        return false;
    *mark = true;
    prb_waker_wake(&set->progress);
    return true;
}

int prb_informers_start(struct prb_informers *set, struct prb_error *err)
{
    if (!mark_once(set, &set->started))
        return prb_fail(err, PRB_E_INTERNAL, "informers were started before");

    for (; set->thread_count < PRB_INFORMER_THREADS; set->thread_count++) {
        if (pthread_create(&set->threads[set->thread_count], NULL, list_thread, set) == 0)
            continue;
        prb_informers_stop(set);
        return prb_fail(err, PRB_E_INTERNAL, "cannot start a thread for informers");
    }
    for (size_t i = 0; i < set->count; i++)
        prb_queue_add(set->queue, set->items[i]->id);
    return 0;
}

void prb_informers_stop(struct prb_informers *set)
{
    if (!mark_once(set, &set->stopped))
        return;

    prb_queue_shut_down(set->queue);
    for (size_t i = 0; i < set->thread_count; i++)
        (void)pthread_join(set->threads[i], NULL);

    /* A watch may still end by itself now; its `closed` finds the queue shut, and is harmless. */
    for (size_t i = 0; i < set->count; i++) {
        struct prb_informer *informer = set->items[i];

        prb_api_watch_stop(set->api, prb_take(informer->watch));
        (void)pthread_mutex_lock(&informer->lock);
        informer->watching = false;
        informer->state.connected = false;
        (void)pthread_mutex_unlock(&informer->lock);
    }
}

bool prb_informers_synced(struct prb_informers *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!prb_informer_settled(set->items[i]))
            return false;
    }
    return true;
}

bool prb_informers_wait_synced(struct prb_informers *set, int64_t timeout_ms)
{
    PRB_HOLD(&set->progress);
    int64_t deadline = prb_waker_after(&set->progress, timeout_ms);

    while (!prb_informers_synced(set)) {
        if (set->stopped || prb_waker_now(&set->progress) >= deadline)
            return false;
        prb_waker_wait(&set->progress, deadline);
    }
    return true;
}

void prb_informers_poke(struct prb_informers *set)
{
    prb_queue_poke(set->queue);
}

void prb_informers_each(struct prb_informers *set,
        void (*each)(void *ctx, struct prb_informer *informer), void *ctx)
{
    for (size_t i = 0; i < set->count; i++)
        each(ctx, set->items[i]);
}

/* By which threads are collections kept, and have all been read? */

#include <assert.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/informer.h"
#include "probate/model/defect.h"

#include "informer_internal.h"

struct prb_informers *prb_informers_new(struct prb_api *api, const struct prb_clock *clock)
{
    return prb_informers_new_named(api, clock, "informers");
}

struct prb_informers *prb_informers_new_named(
        struct prb_api *api, const struct prb_clock *clock, const char *name)
{
    struct prb_informers *set = prb_calloc(1, sizeof(*set));

    set->api = api;
    set->clock = clock ? clock : prb_clock_system();
    set->queue = prb_queue_new(name, clock);
    prb_waker_init(&set->progress, NULL);
    return set;
}

void prb_informers_free(struct prb_informers *set)
{
    if (!set)
        return;
    prb_informers_stop(set);
    while (set->namespaced_count > 0)
        prb_namespaced_free(set->namespaced[--set->namespaced_count]);
    free(set->namespaced);
    while (set->count > 0)
        prb_informer_end(set->items[set->count - 1]);
    free(set->items);
    prb_queue_free(set->queue);
    prb_waker_done(&set->progress);
    free(set);
}

/* Only who has the id in hand may end the informer, so it is there until then. */
static struct prb_informer *find_by_id(struct prb_informers *set, const char *id)
{
    PRB_HOLD(&set->progress);

    for (size_t i = 0; i < set->count; i++) {
        if (prb_streq(set->items[i]->id, id))
            return set->items[i];
    }
    return NULL;
}

static void *list_thread(void *arg)
{
    struct prb_informers *set = arg;
    char *id;

    while ((id = prb_queue_take(set->queue))) {
        struct prb_informer *informer = find_by_id(set, id);

        if (informer)
            prb_informer_step(informer);
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

static void add_all(struct prb_informers *set)
{
    PRB_HOLD(&set->progress);

    for (size_t i = 0; i < set->count; i++)
        prb_queue_add(set->queue, set->items[i]->id);
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
    add_all(set);
    return 0;
}

void prb_informers_stop(struct prb_informers *set)
{
    if (!mark_once(set, &set->stopped))
        return;

    for (size_t i = 0; i < set->namespaced_count; i++)
        prb_namespaced_stop(set->namespaced[i]);
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

/* With the lock held. */
static bool all_settled(const struct prb_informers *set)
{
    for (size_t i = 0; i < set->count; i++) {
        if (!prb_informer_settled(set->items[i]))
            return false;
    }
    return true;
}

bool prb_informers_synced(struct prb_informers *set)
{
    PRB_HOLD(&set->progress);

    return all_settled(set);
}

bool prb_informers_wait_synced(struct prb_informers *set, int64_t timeout_ms)
{
    PRB_HOLD(&set->progress);
    int64_t deadline = prb_waker_after(&set->progress, timeout_ms);

    while (!all_settled(set)) {
        if (set->stopped || prb_waker_now(&set->progress) >= deadline)
            return false;
        prb_waker_wait(&set->progress, deadline);
    }
    return true;
}

void prb_informers_poke(struct prb_informers *set)
{
    prb_queue_poke(set->queue);
    for (size_t i = 0; i < set->namespaced_count; i++)
        prb_namespaced_poke(set->namespaced[i]);
}

struct prb_namespaced *prb_informers_add_namespaced(
        struct prb_informers *set, const struct prb_watch_spec *spec)
{
    struct prb_gvr gvr;

    assert(!set->started);
    if (!prb_gvr_init(&gvr, spec->group, spec->version, spec->resource))
        prb_defect("what is to be watched is no resource");
    for (size_t i = 0; i < set->namespaced_count; i++) {
        if (prb_namespaced_reads(set->namespaced[i], &gvr, spec->annotations))
            return set->namespaced[i];
    }
    set->namespaced = prb_realloc(
            set->namespaced, set->namespaced_count + 1, sizeof(struct prb_namespaced *));
    set->namespaced[set->namespaced_count] =
            prb_namespaced_new(set->api, set->clock, &gvr, spec->annotations);
    return set->namespaced[set->namespaced_count++];
}

void prb_informers_each_namespaced(struct prb_informers *set,
        void (*each)(void *ctx, const struct prb_namespaced_state *state), void *ctx)
{
    for (size_t i = 0; i < set->namespaced_count; i++) {
        struct prb_namespaced_state state;

        prb_namespaced_state(set->namespaced[i], &state);
        each(ctx, &state);
    }
}

void prb_informers_each(struct prb_informers *set,
        void (*each)(void *ctx, struct prb_informer *informer), void *ctx)
{
    PRB_HOLD(&set->progress);

    for (size_t i = 0; i < set->count; i++)
        each(ctx, set->items[i]);
}

/* What does one informer know, and who hears of its changes? */

#include "probate/control/informer.h"

#include <assert.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "informer_internal.h"

static struct prb_metric unreadable = {
    .name = "probate_unreadable_objects_total",
    .help = "Objects read of which a member cannot be built: nested too deeply, say.",
    .type = PRB_COUNTER,
    .labels = { "resource" },
};

void prb_informer_add_listener(
        struct prb_informer *informer, const struct prb_informer_listener *listener)
{
    informer->listeners = prb_realloc(
            informer->listeners, informer->listener_count + 1, sizeof(*informer->listeners));
    informer->listeners[informer->listener_count++] = *listener;
}

void prb_informer_listen(
        struct prb_informer *informer, const struct prb_informer_listener *listener)
{
    assert(!informer->set->started);
    prb_informer_add_listener(informer, listener);
}

void prb_informer_announce(
        struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    for (size_t i = 0; i < informer->listener_count; i++) {
        const struct prb_informer_listener *listener = &informer->listeners[i];

        if (listener->changed)
            listener->changed(listener->ctx, informer, object, gone);
    }
}

void prb_informer_state_changed(struct prb_informer *informer)
{
    for (size_t i = 0; i < informer->listener_count; i++) {
        const struct prb_informer_listener *listener = &informer->listeners[i];

        if (listener->state)
            listener->state(listener->ctx, informer);
    }
}

/* The object is there, and a member of it is not known: decisions that need it wait. */
static void tell_defect(const struct prb_informer *informer, const struct prb_object *object)
{
    prb_metric_add(&unreadable, 1, informer->gvr.resource);
    prb_warn("object cannot be read whole", KV("resource", informer->gvr.resource),
            KV("group", informer->group_text), KV("namespace", prb_object_namespace(object)),
            KV("name", prb_object_name(object)), KV("defect", prb_object_defect(object)));
}

struct prb_object *prb_informer_kept(
        const struct prb_informer *informer, const struct prb_object *object)
{
    struct prb_object *kept =
            informer->keeps ? prb_object_prune(object, informer->keeps) : prb_object_ref(object);

    if (informer->annotations) {
        struct prb_object *lean = prb_object_keep_annotations(kept, informer->annotations);

        prb_object_unref(kept);
        kept = lean;
    }
    if (prb_object_defect(kept))
        tell_defect(informer, kept);
    return kept;
}

struct prb_store *prb_informer_store(struct prb_informer *informer)
{
    return informer->store;
}

const struct prb_gvr *prb_informer_gvr(const struct prb_informer *informer)
{
    return &informer->gvr;
}

void prb_informer_state(struct prb_informer *informer, struct prb_informer_state *ret)
{
    size_t objects = prb_store_count(informer->store);

    (void)pthread_mutex_lock(&informer->lock);
    *ret = informer->state;
    (void)pthread_mutex_unlock(&informer->lock);
    ret->synced = prb_store_synced(informer->store);
    ret->objects = objects;
    if (ret->connected) {
        ret->error[0] = '\0'; /* kept inside until the watch has proven itself */
        ret->code = PRB_OK;
    }
}

bool prb_informer_settled(struct prb_informer *informer)
{
    bool out_of_reach;

    /* Neither is a matter of waiting: somebody has to install a kind, or grant a right. */
    (void)pthread_mutex_lock(&informer->lock);
    out_of_reach = informer->state.not_served || informer->state.code == PRB_E_FORBIDDEN;
    (void)pthread_mutex_unlock(&informer->lock);
    return out_of_reach || prb_store_synced(informer->store);
}

void prb_informer_progressed(struct prb_informer *informer)
{
    (void)prb_waker_lock(&informer->set->progress);
    prb_waker_wake(&informer->set->progress);
    prb_waker_unlock(&informer->set->progress);
    prb_informer_state_changed(informer);
}

static bool is_dropped(struct prb_informer *informer, bool *ret_must_list)
{
    bool dropped;

    (void)pthread_mutex_lock(&informer->lock);
    dropped = informer->dropped;
    *ret_must_list = informer->must_list;
    (void)pthread_mutex_unlock(&informer->lock);
    return dropped;
}

void prb_informer_step(struct prb_informer *informer)
{
    bool must_list;

    /* It has ended, or was given up; what it might still bring would be older than a list. */
    prb_api_watch_stop(informer->set->api, prb_take(informer->watch));

    if (is_dropped(informer, &must_list)) {
        prb_informer_end(informer);
        return;
    }
    if (must_list && !prb_informer_list(informer))
        return;
    prb_informer_watch(informer);
}

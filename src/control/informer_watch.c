/* What changes in the collection from here on? */

#include <stdlib.h>

#include "probate/base/mem.h"

#include "informer_internal.h"

static bool is_watching(struct prb_informer *informer)
{
    bool watching;

    (void)pthread_mutex_lock(&informer->lock);
    watching = informer->watching;
    (void)pthread_mutex_unlock(&informer->lock);
    return watching;
}

/* The event is in the store: a watch may resume after it. */
static void note_event(struct prb_informer *informer, const char *resource_version)
{
    (void)pthread_mutex_lock(&informer->lock);
    if (resource_version && resource_version[0] != '\0') {
        free(informer->resource_version);
        informer->resource_version = prb_strdup(resource_version);
    }
    informer->delivered = true;
    prb_informer_all_well(informer);
    (void)pthread_mutex_unlock(&informer->lock);
}

/*
 * The order within one watch is the order of the changes, and a watch resumes after the last event
 * that was stored; so the newest event is the newest state, without comparing resourceVersions,
 * which are opaque. An event that comes twice changes nothing and is announced once.
 */
static void on_event(void *ctx, const struct prb_watch_event *event)
{
    struct prb_informer *informer = ctx;
    prb_auto(prb_object_unref) struct prb_object *kept = NULL;
    bool gone = event->type == PRB_WATCH_DELETED, changed = false;

    if (!is_watching(informer))
        return;

    if (gone) {
        changed = prb_store_remove(informer->store, prb_object_namespace(event->object),
                prb_object_name(event->object));
    } else if (event->type != PRB_WATCH_BOOKMARK &&
               prb_store_covers(informer->store, prb_object_namespace(event->object))) {
        kept = prb_informer_kept(informer, event->object);
        changed = prb_store_put(informer->store, kept);
    }

    note_event(informer, event->resource_version);
    if (changed)
        prb_informer_announce(informer, kept ? kept : event->object, gone);
}

static void on_closed(void *ctx, const struct prb_error *why)
{
    prb_informer_watch_ended(ctx, why);
}

/* A copy of the resourceVersion to start after; events count from now on. */
static char *begin(struct prb_informer *informer)
{
    char *resource_version;

    (void)pthread_mutex_lock(&informer->lock);
    resource_version = prb_strdup(informer->resource_version);
    informer->watching = true;
    informer->delivered = false;
    informer->opened_ms = informer->set->clock->mono_ms(informer->set->clock);
    informer->state.connected = true;
    informer->state.opened_ms = informer->opened_ms;
    informer->state.watches++;
    (void)pthread_mutex_unlock(&informer->lock);
    return resource_version;
}

void prb_informer_watch(struct prb_informer *informer)
{
    prb_autofree char *resource_version = begin(informer);
    struct prb_watch_options options = {
        .namespace = informer->namespace,
        .label_selector = informer->label_selector,
        .metadata_only = !informer->whole,
        .resource_version = resource_version,
    };
    struct prb_watch_sink sink = { .event = on_event, .closed = on_closed, .ctx = informer };
    struct prb_error err;

    prb_informer_state_changed(informer);

    /* Events and `closed` may come before this returns; the id in hand keeps the next step away. */
    if (prb_api_watch(
                informer->set->api, &informer->gvr, &options, &sink, &informer->watch, &err) != 0)
        prb_informer_watch_ended(informer, &err);
}

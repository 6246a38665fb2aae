#ifndef PROBATE_HUB_WATCHERS_INTERNAL_H
#define PROBATE_HUB_WATCHERS_INTERNAL_H

/*
 * Watches, and the one thread that tells them what happened, each in order. A watch is a place in
 * the event log; what it is told is taken from there with the lock held and handed over without.
 */

#include <stdatomic.h>

#include "filter.h"
#include "present.h"
#include "state.h"

/* Events handed to one watch before the next one has its turn. */
#define PRB_HUB_BATCH_MAX 64

struct prb_watch {
    struct prb_watch *next;
    const struct prb_hub_kind *kind; /* borrowed */
    struct prb_hub_filter filter;    /* owned, as all below */
    struct prb_hub_view_as as;
    struct prb_watch_sink sink;
    struct prb_object **initial; /* what was there at the start, to be told as ADDED */
    size_t initial_count;
    size_t initial_at; /* which of them is next */
    uint64_t start;    /* events up to this resourceVersion are not for it */
    uint64_t seq;      /* the next event in the log */
    uint64_t turn;     /* when it was told something last; the lowest is next */
    int64_t heard_ms;  /* monotonic: likewise, for bookmarks */
    bool ending;       /* to be closed with `why` when it was told everything */
    struct prb_error why;
    bool closed;          /* it was */
    bool busy;            /* a callback runs */
    _Atomic bool stopped; /* prb_api_watch_stop waits: no more callbacks */
};

/* The operations of the port; they take the lock themselves. */
int prb_hub_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err);
void prb_hub_watch_stop(struct prb_api *api, struct prb_watch *watch);

/* The lowest sequence number of the log that a watch has yet to be told; UINT64_MAX: none. */
uint64_t prb_hub_watches_need(const struct prb_hub *hub);

/* A kind is no longer served: its watches end when they were told everything. */
void prb_hub_watches_end(struct prb_hub *hub, const struct prb_hub_kind *kind);

/* The hub is interrupted: all watches end now. */
void prb_hub_watches_cancel(struct prb_hub *hub);

/* Start the thread, unless it runs. End it, and free the watches that are left; takes the lock
 * itself. */
int prb_hub_notifier_start(struct prb_hub *hub, struct prb_error *err);
void prb_hub_notifier_stop(struct prb_hub *hub);

/* Free a watch that is in no list. */
void prb_hub_watch_free(struct prb_watch *watch);

#endif

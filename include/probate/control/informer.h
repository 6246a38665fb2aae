#ifndef PROBATE_CONTROL_INFORMER_H
#define PROBATE_CONTROL_INFORMER_H

/*
 * Informers keep stores equal to collections of the API: list, then watch; resume by
 * resourceVersion when the connection is cut; relist once, paged and with jitter, on 410; keep the
 * last state while the server is away. A set of informers shares a few threads for (re)lists;
 * watch events arrive on a thread of the port. Collections asked for twice are read once.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/base/map.h"
#include "probate/core/reconciler.h"
#include "probate/model/store.h"

struct prb_informers;
struct prb_informer;

/* `api` is borrowed and must outlive the set. */
struct prb_informers *prb_informers_new(struct prb_api *api, const struct prb_clock *clock);

/* A second set, whose queue has a name of its own in the metrics; static. */
struct prb_informers *prb_informers_new_named(
        struct prb_api *api, const struct prb_clock *clock, const char *name);

/* Stops every watch and thread, frees the stores. */
void prb_informers_free(struct prb_informers *set);
PRB_DEFINE_CLEANUP(struct prb_informers *, prb_informers_free)

/*
 * The informer for a collection, made when there is none with the same gvr, selector and depth of
 * reading: which members are kept is part of that. Of `spec`, borrowed for the call but for what
 * `keeps` names, only what says what to read counts. `namespace` NULL: all. Before
 * prb_informers_start only.
 */
struct prb_informer *prb_informers_add(
        struct prb_informers *set, const struct prb_watch_spec *spec, const char *namespace);

/* Who hears of an informer: called from the watch thread or a list thread, with no lock held; must
 * return soon. */
struct prb_informer_listener {
    /* An object changed: `object` is its new state, or the last known one when it went. */
    void (*changed)(void *ctx, struct prb_informer *informer, const struct prb_object *object,
            bool gone); /* NULL: not told */

    /* What prb_informer_state says may have changed. NULL: not told. */
    void (*state)(void *ctx, struct prb_informer *informer);
    void *ctx; /* borrowed */
};

/* Before prb_informers_start only; `listener` is copied. */
void prb_informer_listen(
        struct prb_informer *informer, const struct prb_informer_listener *listener);

/*
 * At run time: one more informer, shared with nobody, on the metadata of a whole collection. It
 * starts at once, or with the set. Never waits.
 */
struct prb_informer *prb_informers_join(struct prb_informers *set, const struct prb_gvr *gvr,
        const struct prb_informer_listener *listener);

/* The same with bodies, of which the members that `keeps` names stay; static, NULL: everything. */
struct prb_informer *prb_informers_join_whole(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *keeps, const struct prb_informer_listener *listener);

/* The same on the metadata of one namespace, with `annotations` (see struct prb_watch_spec). */
struct prb_informer *prb_informers_join_in(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *annotations, const char *namespace,
        const struct prb_informer_listener *listener);

/* The same on a whole collection, of which only what is in these namespaces (the keys of the map)
 * is kept: one watch instead of many. */
struct prb_informer *prb_informers_join_some(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *const *annotations, struct prb_map *namespaces_taken,
        const struct prb_informer_listener *listener);

/*
 * End one that was joined. Never waits: its watch ends soon after, its listener may still be called
 * until then, and who has a reference to its store may still read it. Not to be touched any more.
 */
void prb_informers_drop(struct prb_informer *informer);

struct prb_store *prb_informer_store(struct prb_informer *informer);
const struct prb_gvr *prb_informer_gvr(const struct prb_informer *informer);

/* Start listing. Returns at once. Once only. */
int prb_informers_start(struct prb_informers *set, struct prb_error *err);

/*
 * Stop watches and threads; stores stay readable until free. Idempotent. Waits for the page that is
 * being read: prb_api_interrupt first where that must not take its time.
 */
void prb_informers_stop(struct prb_informers *set);

/*
 * Wait until every collection was read once or is out of reach: positively not served, or refused
 * for want of a right (both may change, and it is looked for again), at most `timeout_ms`; false
 * when not. Whoever must know such a collection waits by itself: it holds up nobody else.
 */
bool prb_informers_wait_synced(struct prb_informers *set, int64_t timeout_ms);
bool prb_informers_synced(struct prb_informers *set);

/* A fake clock was moved: look at it again. */
void prb_informers_poke(struct prb_informers *set);

/* State of one informer for /readyz and tests. */
struct prb_informer_state {
    bool synced;           /* read whole at least once */
    bool not_served;       /* never read, because the server does not have the kind */
    bool connected;        /* a watch is open now */
    int64_t opened_ms;     /* monotonic: when the last watch was; 0: none yet */
    unsigned long lists;   /* complete lists done */
    unsigned long watches; /* watches opened */
    size_t objects;
    enum prb_errc code; /* PRB_OK with an error: nothing to worry about */
    char error[256];    /* why it is not connected; "" */
};
void prb_informer_state(struct prb_informer *informer, struct prb_informer_state *ret);

/* A collection that is read by namespace (see struct prb_watch_spec). */
struct prb_namespaced_state {
    struct prb_gvr gvr;
    size_t watches; /* open or being opened: one for each namespace, or one for many */
    size_t unread;  /* of them, those that have not read their objects yet */
    size_t objects;
    char trouble[256]; /* why one cannot be read; "" */
};
void prb_informers_each_namespaced(struct prb_informers *set,
        void (*each)(void *ctx, const struct prb_namespaced_state *state), void *ctx);

/* Call `each` for every informer of the set; it must not touch the set. */
void prb_informers_each(struct prb_informers *set,
        void (*each)(void *ctx, struct prb_informer *informer), void *ctx);

#endif

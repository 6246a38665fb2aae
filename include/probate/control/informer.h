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
#include "probate/core/reconciler.h"
#include "probate/model/store.h"

struct prb_informers;
struct prb_informer;

/*
 * Objects one collection may have. Kubernetes itself is meant for 150,000 pods in a cluster; at the
 * 2 KB that metadata takes here this is 400 MB. Past it the collection counts as unreadable and
 * says so, instead of being held in part.
 */
#define PRB_INFORMER_OBJECTS_MAX 200000

/* `api` is borrowed and must outlive the set. */
struct prb_informers *prb_informers_new(struct prb_api *api, const struct prb_clock *clock);

/* Another ceiling than PRB_INFORMER_OBJECTS_MAX, for each collection. Before the start only. */
void prb_informers_limit(struct prb_informers *set, size_t objects_max);

/* Stops every watch and thread, frees the stores. */
void prb_informers_free(struct prb_informers *set);
PRB_DEFINE_CLEANUP(struct prb_informers *, prb_informers_free)

/*
 * The informer for a collection, made when there is none with the same gvr, selector and depth of
 * reading. `namespace` NULL: all. Before prb_informers_start only.
 */
struct prb_informer *prb_informers_add(struct prb_informers *set, const struct prb_gvr *gvr,
        const char *namespace, const char *label_selector, bool whole);

/*
 * Hear of every change; called from the watch thread or a list thread, with no lock of the store
 * held; must return soon. `object` is the new state, or the last known one when it went. Before
 * prb_informers_start only.
 */
typedef void (*prb_informer_changed_fn)(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone);
void prb_informer_listen(struct prb_informer *informer, prb_informer_changed_fn changed, void *ctx);

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
 * Wait until every collection was read once or is positively not served (its kind may be installed
 * later; it is looked for again), at most `timeout_ms`; false when not.
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
    unsigned long lists;   /* complete lists done */
    unsigned long watches; /* watches opened */
    size_t objects;
    char error[256]; /* why it is not connected; "" */
};
void prb_informer_state(struct prb_informer *informer, struct prb_informer_state *ret);

/* Call `each` for every informer of the set. */
void prb_informers_each(struct prb_informers *set,
        void (*each)(void *ctx, struct prb_informer *informer), void *ctx);

#endif

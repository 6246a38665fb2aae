#ifndef SRC_CONTROL_NAMESPACED_H
#define SRC_CONTROL_NAMESPACED_H

/*
 * A collection that is read only in the namespaces that its readers name, metadata only. Up to
 * PRB_NAMESPACED_WATCHES_MAX namespaces have a watch each. More are served by one watch on the
 * whole collection, of which only what is in these namespaces is kept; it is replaced by a new one
 * when so many more have been named. So neither memory nor the number of watches grows with what is
 * outside of the namespaces, and a thousand namespaces cost 25 lists of the collection.
 *
 * All decisions are made on one thread. Thread-safe.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "probate/control/informer.h"

/*
 * Namespaces with a watch of their own. Each is a connection, some 200 KB with TLS and buffers, and
 * a store that every decision locks; a list of the whole collection is 500 pages for 250,000
 * objects.
 */
#define PRB_NAMESPACED_WATCHES_MAX 40

/* The stores that a decision looks at. Counted, and never changed. */
struct prb_namespaced_sight {
    atomic_uint refs;
    struct prb_store **stores; /* owned, references */
    size_t store_count;
    char trouble[256]; /* why a namespace cannot be read; "" */
};
void prb_namespaced_sight_unref(struct prb_namespaced_sight *sight); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_namespaced_sight *, prb_namespaced_sight_unref)

/* Called with no lock held and no view open. */
struct prb_namespaced_reader {
    /* Call `name` for each namespace that is to be read now. */
    void (*collect)(void *ctx, void (*name)(void *ctx, const char *namespace), void *name_ctx);

    /* An object changed, or is not read any more. NULL: what is known of the namespace changed. */
    void (*changed)(void *ctx, const char *namespace, const struct prb_object *object);
    void *ctx; /* borrowed */
};

struct prb_namespaced;

/* For the set of informers, which has one for each collection that is read so. */
struct prb_namespaced *prb_namespaced_new(struct prb_api *api, const struct prb_clock *clock,
        const struct prb_gvr *gvr, const char *const *annotations);
void prb_namespaced_free(struct prb_namespaced *namespaced);
void prb_namespaced_stop(struct prb_namespaced *namespaced); /* idempotent */
bool prb_namespaced_reads(const struct prb_namespaced *namespaced, const struct prb_gvr *gvr,
        const char *const *annotations);
void prb_namespaced_poke(struct prb_namespaced *namespaced);
void prb_namespaced_state(struct prb_namespaced *namespaced, struct prb_namespaced_state *ret);

/* Before anything is read; `reader` is copied. It names nothing until it is switched on. */
void prb_namespaced_join(
        struct prb_namespaced *namespaced, const struct prb_namespaced_reader *reader);
int prb_namespaced_switch(
        struct prb_namespaced *namespaced, const void *ctx, bool on, struct prb_error *err);

/* Ask the readers for their namespaces again, soon. */
void prb_namespaced_look(struct prb_namespaced *namespaced);

/* A reference; NULL: nothing is read. */
struct prb_namespaced_sight *prb_namespaced_sight(struct prb_namespaced *namespaced);

/* Found, or made when there is none. Before prb_informers_start only. */
struct prb_namespaced *prb_informers_add_namespaced(
        struct prb_informers *set, const struct prb_watch_spec *spec);

#endif

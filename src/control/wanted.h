#ifndef SRC_CONTROL_WANTED_H
#define SRC_CONTROL_WANTED_H

/*
 * Collections that are known at run time only, because objects name them: found by discovery, read,
 * metadata only unless more is asked for, as long as they are named, and what became of each.
 *
 * All work is keys of a queue, taken by two threads: which collections are wanted, what is this
 * name, how is this collection. Discovery is asked with no lock held and nothing else waits for the
 * server, so that neither a start nor a stop does. Thread-safe.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/control/informer.h"
#include "probate/model/view.h"

/*
 * Names that are looked for. Each is a watch at the server and a store here; a hub has some tens of
 * critical services that name a kind or two each.
 */
#define PRB_WANTED_MAX 256

/* Names that are remembered. Of what is named beyond that it is told that it is too many, too. */
#define PRB_WANTED_NAMES_MAX 1024

/* What a decision sees of them: counted, and never changed. */
struct prb_wanted_sight {
    atomic_uint refs;
    struct prb_store **stores; /* owned, references; none that the owner reads anyhow */
    size_t store_count;
    struct prb_known_resource *known; /* owned */
    size_t known_count;
    bool more; /* others are wanted, of which nothing is known */
};
void prb_wanted_sight_unref(struct prb_wanted_sight *sight); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_wanted_sight *, prb_wanted_sight_unref)

/* Is this one of the collections that were found? NULL has none. */
bool prb_wanted_sight_has(const struct prb_wanted_sight *sight, const struct prb_gvr *gvr);

/* Whose collections they are. Called with no lock held. */
struct prb_wanted_owner {
    const char *name; /* static: for the log */

    /* Call `want` for each collection that is wanted now. */
    void (*collect)(void *ctx, void (*want)(void *ctx, const char *group, const char *resource),
            void *want_ctx);

    /* The same for those that are read with their bodies, of which `keeps` stays. NULL: none. */
    void (*collect_whole)(void *ctx,
            void (*want)(void *ctx, const char *group, const char *resource), void *want_ctx);
    const char *const *keeps; /* static; NULL: everything */
    bool confirms_absence;    /* what is not served is absent only if no definition has it */

    /* An object of a collection changed; NULL: what is known of the collection itself did, and
     * `gvr` is NULL when it is not found. */
    void (*changed)(void *ctx, const struct prb_gvr *gvr, const struct prb_object *object);

    /* The owner's own informer on the whole collection, with a lock held; NULL: it has none. */
    struct prb_informer *(*find_informer)(void *ctx, const struct prb_gvr *gvr);
    void *ctx; /* borrowed */
};

struct prb_wanted;

/* `owner` is copied. Nothing is read before the start. */
struct prb_wanted *prb_wanted_new(
        struct prb_api *api, const struct prb_clock *clock, const struct prb_wanted_owner *owner);

/* Waits for the calls in progress. */
void prb_wanted_free(struct prb_wanted *wanted);
PRB_DEFINE_CLEANUP(struct prb_wanted *, prb_wanted_free)

/* May be started again after a stop. After a stop nothing is known, and what is read ends soon. */
int prb_wanted_start(struct prb_wanted *wanted, struct prb_error *err);
void prb_wanted_stop(struct prb_wanted *wanted);

/* Something that names collections may have changed. */
void prb_wanted_look(struct prb_wanted *wanted);

/* The state of the owner's informer on this collection changed. */
void prb_wanted_look_at(struct prb_wanted *wanted, const struct prb_gvr *gvr);

/* An object changed: if it defines a kind, names of its group are looked for at once. */
void prb_wanted_look_for(
        struct prb_wanted *wanted, const struct prb_gvr *gvr, const struct prb_object *object);

/* A reference; NULL: nothing is known. */
struct prb_wanted_sight *prb_wanted_sight(struct prb_wanted *wanted);

/* A fake clock was moved: look at it again. */
void prb_wanted_poke(struct prb_wanted *wanted);

#endif

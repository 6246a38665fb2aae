#ifndef PROBATE_MODEL_VIEW_H
#define PROBATE_MODEL_VIEW_H

/*
 * What decisions see: a set of stores, held still, and the instant it was taken. An open view
 * holds the read lock of every store in it (taken in one fixed order), so it must be short-lived:
 * open, decide, close; never across I/O. Objects found are borrowed until the view is closed.
 *
 * A view belongs to the thread that opened it, and a thread must never have two open at once: with
 * a writer waiting between them they would wait for each other. That is a defect, and ends the
 * process at once instead of hanging it some day.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/model/store.h"

struct prb_view;

/*
 * Locks the stores, which are borrowed, for reading. Each gvr at most once, but for stores that
 * hold only some namespaces: where two of these hold the same one, a store that was read is looked
 * at.
 */
struct prb_view *prb_view_open(struct prb_store *const *stores, size_t count, int64_t now_ms);
void prb_view_close(struct prb_view *view);
PRB_DEFINE_CLEANUP(struct prb_view *, prb_view_close)

/* Wall time of the snapshot. */
int64_t prb_view_now_ms(const struct prb_view *view);

/* Is the collection in the view and was it read whole before the view was opened? Otherwise absence
 * means "unknown". An object with a defect (prb_object_defect) makes it unknown what is in it. */
bool prb_view_knows(const struct prb_view *view, const struct prb_gvr *gvr);

/* The same for the objects of one namespace, where only some namespaces are read. */
bool prb_view_knows_in(
        const struct prb_view *view, const struct prb_gvr *gvr, const char *namespace);

/* The same for who goes by names and metadata only, or asks each object for its defect. */
bool prb_view_has_read(const struct prb_view *view, const struct prb_gvr *gvr);

/* Borrowed, or NULL. */
const struct prb_object *prb_view_find(const struct prb_view *view, const struct prb_ref *ref);

/*
 * Call `each` for the objects of a collection, in one namespace (NULL: all), in no order; it
 * returns false to stop.
 */
typedef bool (*prb_view_each_fn)(void *ctx, const struct prb_object *object);
void prb_view_each(const struct prb_view *view, const struct prb_gvr *gvr, const char *namespace,
        prb_view_each_fn each, void *ctx);

/* The same for the objects that have an owner reference with this uid. */
void prb_view_each_owned(const struct prb_view *view, const struct prb_gvr *gvr,
        const char *owner_uid, prb_view_each_fn each, void *ctx);

/*
 * Something that was worked out from this view and would be again: an index for who looks at many
 * objects of one view. One for each view; `free_memo` is called when it is closed. NULL: none yet.
 */
void *prb_view_memo(const struct prb_view *view);
void prb_view_set_memo(
        const struct prb_view *view, void *memo_taken, void (*free_memo)(void *memo));

/*
 * Why acting on what is decided now failed when it was tried last, where trying again will not help
 * by itself (a right is missing, say). Borrowed until the view is closed; NULL: it did not. To be
 * set by who opens the view.
 */
void prb_view_set_trouble(struct prb_view *view, const char *text);
const char *prb_view_trouble(const struct prb_view *view);

/*
 * For reconcilers that decide in rounds (core/changes.h): what became of a read or a write of this
 * pass; NULL: not tried in it. And what the key's last pass left behind with prb_changes_remember;
 * NULL: nothing, or it was lost. Both borrowed until the view is closed, set by who opens it.
 */
struct prb_outcome;
struct prb_outcomes;
void prb_view_set_outcomes(struct prb_view *view, const struct prb_outcomes *outcomes);
const struct prb_outcome *prb_view_outcome(const struct prb_view *view, const char *slot);
void prb_view_set_memory(struct prb_view *view, const struct json_object *memory);
const struct json_object *prb_view_memory(const struct prb_view *view);

/*
 * Of a collection of which only some namespaces are read: why that fails. NULL: nothing is wrong,
 * and what is not known is about to be. `why` is borrowed until the view is closed; set by who
 * opens it.
 */
void prb_view_set_unread(struct prb_view *view, const struct prb_gvr *gvr, const char *why);
const char *prb_view_unread(const struct prb_view *view, const struct prb_gvr *gvr);

/* `trouble` of what is wanted and will be looked for in a moment: nothing is wrong. */
#define PRB_NOT_LOOKED_FOR "not looked for yet"

/* And of what is not, as long as so much is wanted. */
#define PRB_TOO_MANY_NAMED "too many collections are named to look for this one"

/* What is known of a collection that was looked for by what people call it. */
struct prb_known_resource {
    char group[PRB_GROUP_SIZE];   /* as it was asked for, as is the name: */
    char name[PRB_RESOURCE_SIZE]; /* plural, singular, kind or short name */
    enum {
        PRB_RESOURCE_UNKNOWN, /* not found out yet, or discovery failed: see `trouble` */
        PRB_RESOURCE_ABSENT,  /* the server positively does not serve it */
        PRB_RESOURCE_PRESENT, /* served; whether it is read too says prb_view_knows */
    } state;
    bool left_out; /* too many are named, and nobody looks at this one: see `trouble` */
    struct prb_gvr gvr; /* PRESENT, as the two below */
    char kind[PRB_RESOURCE_SIZE];
    bool namespaced;
    bool forbidden;    /* it may not be listed or watched: a right is missing */
    char trouble[256]; /* why it is unknown, or served and not read; "" */
};

/* Let the view know of these; borrowed until it is closed. For who opens it. */
void prb_view_set_resources(
        struct prb_view *view, const struct prb_known_resource *items, size_t count);

/* More are wanted than these: what is not among them is unknown, with PRB_TOO_MANY_NAMED. */
void prb_view_set_more_resources(struct prb_view *view);

/* Borrowed; NULL: nobody looked for it yet, which is "unknown". Case of the name does not count. */
const struct prb_known_resource *prb_view_resource(
        const struct prb_view *view, const char *group, const char *name);

#endif

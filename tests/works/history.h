#ifndef TESTS_WORKS_HISTORY_H
#define TESTS_WORKS_HISTORY_H

/*
 * What really happened on the managed cluster: a watch on each collection, begun before the first
 * work, that has no part in anything and goes past every proxy. It keeps one life for each uid, so
 * that "never missing", "made once" and "never touched" can be told afterwards. Thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"

/* One object of one uid, from its first event to its last. */
struct life {
    struct prb_ref ref;
    char *uid;                 /* owned */
    unsigned changes;          /* events between the first and the last */
    int64_t made, begun, gone; /* resourceVersion of its first event, of its deletion's begin, of
                                  its end; 0: not yet */
    struct prb_object *newest; /* owned: metadata alone */
};

struct history;

struct history *history_new(struct prb_api *api);
void history_free(struct history *history);
PRB_DEFINE_CLEANUP(struct history *, history_free)

/* Watch one more collection, once; returns when the watch runs. Its kind must be served. */
int history_watch(struct history *history, const struct prb_gvr *gvr, struct prb_error *err);

/* Did a watch break so that something may have been missed? Says which. */
bool history_is_blind(struct history *history, char *why, size_t size);

typedef void (*life_fn)(void *ctx, const struct life *life);

/* All lives under this name, in the order in which they began; NULL: all there are. The lock is
 * held meanwhile. */
void history_each(struct history *history, const struct prb_ref *ref, life_fn each, void *ctx);

/* A summary of all lives under this name. */
struct lives {
    unsigned count, gone, begun, changes;
    int64_t newest_made;
};
struct lives history_of(struct history *history, const struct prb_ref *ref);

/* Has it seen this object in this version, or a later one? */
bool history_has_seen(
        struct history *history, const struct prb_ref *ref, const struct prb_object *object);

/* Events so far, of all objects in this namespace. */
uint64_t history_events(struct history *history, const char *namespace);

#endif

#ifndef PROBATE_HUB_QUEUE_INTERNAL_H
#define PROBATE_HUB_QUEUE_INTERNAL_H

/*
 * What the controllers of the hub have to look at, each once, first come first served. An item
 * names an object, never its state: who works on it reads what is there by then.
 *
 * Several threads work, each on what follows from its own writes. Nobody waits for another: an item
 * that somebody works on is not looked at by a second one, but again by the first.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/map.h"

#include "kinds.h"

enum prb_hub_item_type {
    PRB_HUB_ITEM_OBJECT,     /* for the garbage collector */
    PRB_HUB_ITEM_NAMESPACE,  /* for namespace termination */
    PRB_HUB_ITEM_DEFINITION, /* a CRD, for what it defines */
};

struct prb_hub_item {
    enum prb_hub_item_type type;
    struct prb_hub_kind *kind; /* borrowed */
    char *key;                 /* owned: "namespace/name" */
    struct prb_hub_item *next;
};
void prb_hub_item_free(struct prb_hub_item *item);
PRB_DEFINE_CLEANUP(struct prb_hub_item *, prb_hub_item_free)

/* An item for which admission refused a write, until it was looked at without that. */
struct prb_hub_refusal {
    struct prb_hub_item *item; /* owned */
    int64_t due_ms;            /* monotonic: when it is looked at again */
    int64_t pause_ms;          /* before that */
    bool again;                /* refused once more since the last look began */
    bool touched;              /* something happened to it since then */
};

struct prb_hub_items {
    struct prb_hub_item *head, *tail; /* owned */
    struct prb_map *queued;           /* owned: texts of what is in the list */
};

struct prb_hub_queue {
    struct prb_hub_items list; /* of the thread that has the lock */
    struct prb_map *busy;      /* owned: struct prb_hub_busy by text, what threads work on */
    struct prb_map *refused;   /* owned: struct prb_hub_refusal by text */
    int64_t min_ms, max_ms;    /* between two looks at what was refused */
};

/* What is refused comes again after `min_ms`, then after twice as long each time, `max_ms` at
 * most. */
void prb_hub_queue_init(struct prb_hub_queue *queue, int64_t min_ms, int64_t max_ms);
void prb_hub_queue_done(struct prb_hub_queue *queue);

/* An item that was refused is not queued: it is looked at when it is due. One that is worked on is
 * queued when that is over, by the thread that works on it. */
void prb_hub_queue_push(struct prb_hub_queue *queue, enum prb_hub_item_type type,
        struct prb_hub_kind *kind, const char *key);

/* The next item, the caller's to work on; NULL when there is none. */
struct prb_hub_item *prb_hub_queue_pop(struct prb_hub_queue *queue);

/* The work on it is over. */
void prb_hub_queue_worked(struct prb_hub_queue *queue, const struct prb_hub_item *item);

/* Before the lock is given up amidst work: what is queued stays with this thread. */
struct prb_hub_items prb_hub_queue_set_aside(struct prb_hub_queue *queue);

/* When the lock is back. */
void prb_hub_queue_take_up(struct prb_hub_queue *queue, struct prb_hub_items list_taken);

/* Admission refused a write for this item. */
void prb_hub_queue_refuse(
        struct prb_hub_queue *queue, const struct prb_hub_item *item, int64_t now_ms);

/* Of what was refused, the one that is due first; NULL when there is none. Borrowed, and there
 * until prb_hub_queue_looked. */
struct prb_hub_refusal *prb_hub_queue_first(const struct prb_hub_queue *queue);

/* A look at it begins, and is over: unless it was refused again it is an item like others, and
 * queued if something happened to it meanwhile. */
void prb_hub_queue_look(struct prb_hub_refusal *refusal);
void prb_hub_queue_looked(struct prb_hub_queue *queue, struct prb_hub_refusal *refusal);

#endif

#ifndef PROBATE_HUB_QUEUE_INTERNAL_H
#define PROBATE_HUB_QUEUE_INTERNAL_H

/*
 * What the controllers of the hub have to look at, each once, first come first served. An item
 * names an object, never its state: who works on it reads what is there by then.
 */

#include <stdbool.h>
#include <stddef.h>

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

struct prb_hub_queue {
    struct prb_hub_item *head, *tail; /* owned */
    struct prb_map *queued;           /* owned: texts of what is in the list */
    struct prb_map *refused;          /* owned: struct prb_hub_item by text; see below */
};

void prb_hub_queue_init(struct prb_hub_queue *queue);
void prb_hub_queue_done(struct prb_hub_queue *queue);

void prb_hub_queue_push(struct prb_hub_queue *queue, enum prb_hub_item_type type,
        struct prb_hub_kind *kind, const char *key);

/* The next item, the caller's; NULL when there is none. */
struct prb_hub_item *prb_hub_queue_pop(struct prb_hub_queue *queue);

/*
 * Admission refused a write for this item. The API server's controllers would try again every few
 * seconds; here it is tried again with the next write, when the reason may be gone.
 */
void prb_hub_queue_refuse(struct prb_hub_queue *queue, const struct prb_hub_item *item);
void prb_hub_queue_retry(struct prb_hub_queue *queue);

#endif

#ifndef SRC_CONTROL_QUEUE_ENTRY_H
#define SRC_CONTROL_QUEUE_ENTRY_H

/* What the queue knows of one key, and a heap of those keys that are delayed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct prb_queue_entry {
    char *key;                    /* owned */
    struct prb_queue_entry *next; /* borrowed; behind it in the line */
    bool due;                     /* in the line, or to be put there when the worker is done */
    bool in_hand;                 /* a worker has it */
    int failures;                 /* since it last went well */
    int postponed;                /* since it was last forgotten */
    int64_t due_since_ms;         /* monotonic, as all times here */
    int64_t taken_ms;
    int64_t delayed_until_ms; /* meaningful in a heap only */
    size_t heap_place;        /* from 1; 0: not delayed */
};

/* The delayed entries, the earliest on top. Owns the table, not the entries. */
struct prb_delays {
    struct prb_queue_entry **heap;
    size_t count;
    size_t cap;
};

void prb_delays_done(struct prb_delays *delays);

/* Delay an entry until `until_ms`; one that is delayed already keeps the earlier time. */
void prb_delays_add(struct prb_delays *delays, struct prb_queue_entry *entry, int64_t until_ms);

/* Nothing happens to an entry that is not delayed. */
void prb_delays_remove(struct prb_delays *delays, struct prb_queue_entry *entry);

/* The earliest, or NULL. */
struct prb_queue_entry *prb_delays_first(const struct prb_delays *delays);

#endif

#ifndef PROBATE_HUB_LOG_INTERNAL_H
#define PROBATE_HUB_LOG_INTERNAL_H

/*
 * What happened, in order, so that a watch can start in the past. The latest `max` events can be
 * resumed from. Older ones are kept only as long as a running watch has yet to be told of them,
 * and never more than PRB_HUB_LOG_BACKLOG_MAX of them. Not thread-safe: the hub's lock is held.
 */

#include <stddef.h>
#include <stdint.h>

#include "probate/api/api.h"

#include "kinds.h"

/* Events a slow watch may be behind; about what one settling of a full hub writes. */
#define PRB_HUB_LOG_BACKLOG_MAX 65536

struct prb_hub_event {
    uint64_t version;               /* the resourceVersion it made */
    struct prb_hub_kind *kind;      /* borrowed from the registry */
    enum prb_watch_event_type type; /* never BOOKMARK */
    struct prb_object *object;      /* owned; DELETED: the last state with the new version */
    struct prb_object *before;      /* owned; the state before; NULL when ADDED */
};

struct prb_hub_log {
    struct prb_hub_event *ring; /* owned; a ring of `cap` */
    size_t cap;
    size_t head; /* index of the oldest */
    size_t count;
    size_t max;     /* events one can resume from */
    uint64_t first; /* sequence number of the oldest; they count up by one */
    uint64_t floor; /* resourceVersion from which on a watch can start */
};

void prb_hub_log_init(struct prb_hub_log *log, size_t max);
void prb_hub_log_done(struct prb_hub_log *log);

/* Append; takes references of its own. `needed` is the lowest sequence number that a running
 * watch still has to see (UINT64_MAX: none has). */
void prb_hub_log_add(struct prb_hub_log *log, const struct prb_hub_event *event, uint64_t needed);

/* The sequence number after the newest event. */
uint64_t prb_hub_log_end(const struct prb_hub_log *log);

/* Borrowed; `seq` must be in [log->first, prb_hub_log_end). */
const struct prb_hub_event *prb_hub_log_at(const struct prb_hub_log *log, uint64_t seq);

/* The sequence number of the first event after `version`. */
uint64_t prb_hub_log_after(const struct prb_hub_log *log, uint64_t version);

#endif

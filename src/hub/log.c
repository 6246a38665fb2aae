/* What happened in the hub, in order, and from where on is it still known? */

#include "log.h"

#include "probate/base/mem.h"

/* Where the ring starts; it doubles up to what it has to hold. */
#define RING_START 64

void prb_hub_log_init(struct prb_hub_log *log, size_t max)
{
    *log = (struct prb_hub_log){ .max = max };
}

static void event_done(struct prb_hub_event *event)
{
    prb_object_unref(event->object);
    prb_object_unref(event->before);
}

static void drop_oldest(struct prb_hub_log *log)
{
    event_done(&log->ring[log->head]);
    log->head = (log->head + 1) % log->cap;
    log->count--;
    log->first++;
}

void prb_hub_log_done(struct prb_hub_log *log)
{
    while (log->count > 0)
        drop_oldest(log);
    free(log->ring);
    log->ring = NULL;
}

static void grow(struct prb_hub_log *log)
{
    size_t cap = log->cap ? log->cap * 2 : RING_START;
    struct prb_hub_event *ring = prb_calloc(cap, sizeof(*ring));

    for (size_t i = 0; i < log->count; i++)
        ring[i] = log->ring[(log->head + i) % log->cap];
    free(log->ring);
    log->ring = ring;
    log->cap = cap;
    log->head = 0;
}

void prb_hub_log_add(struct prb_hub_log *log, const struct prb_hub_event *event, uint64_t needed)
{
    struct prb_hub_event *at;

    if (log->count == log->cap)
        grow(log);
    at = &log->ring[(log->head + log->count) % log->cap];
    *at = *event;
    at->object = prb_object_ref(event->object);
    at->before = event->before ? prb_object_ref(event->before) : NULL;
    log->count++;
    if (log->count > log->max)
        log->floor = prb_hub_log_at(log, prb_hub_log_end(log) - log->max - 1)->version;
    while (log->count > log->max &&
            (log->first < needed || log->count > log->max + PRB_HUB_LOG_BACKLOG_MAX))
        drop_oldest(log);
}

uint64_t prb_hub_log_end(const struct prb_hub_log *log)
{
    return log->first + log->count;
}

const struct prb_hub_event *prb_hub_log_at(const struct prb_hub_log *log, uint64_t seq)
{
    return &log->ring[(log->head + (size_t)(seq - log->first)) % log->cap];
}

uint64_t prb_hub_log_after(const struct prb_hub_log *log, uint64_t version)
{
    uint64_t low = log->first, high = prb_hub_log_end(log);

    while (low < high) {
        uint64_t middle = low + (high - low) / 2;

        if (prb_hub_log_at(log, middle)->version <= version)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

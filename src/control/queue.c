/*
 * Which key is next, and is it time? Every key has one entry, which is in the line, delayed, in a
 * worker's hand, or several of these; the entry goes when it is none of them and owes no backoff.
 */

#include "probate/control/queue.h"

#include <stdlib.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"

#include "queue_entry.h"
#include "waker.h"

struct prb_queue {
    const char *name; /* static */
    struct prb_waker waker;
    struct prb_map *entries;           /* owned: key -> struct prb_queue_entry; under the lock, */
    struct prb_queue_entry *line;      /* as all below; first in line, borrowed */
    struct prb_queue_entry **line_end; /* where the next one is hung */
    size_t depth;                      /* entries in the line */
    size_t in_hand;
    struct prb_delays delays;
    bool shut;
};

/* From a millisecond, the unit of our clock, to a quarter of an hour. */
static const double buckets[] = { 0.001, 0.01, 0.1, 1, 10, 100, 1000 };

#define QUEUE_METRIC(variable, metric, kind, text)                                          \
    static struct prb_metric variable = {                                                   \
        .name = (metric),                                                                   \
        .help = (text),                                                                     \
        .type = (kind),                                                                     \
        .labels = { "name" },                                                               \
        .buckets = (kind) == PRB_HISTOGRAM ? buckets : NULL,                                \
        .bucket_count = (kind) == PRB_HISTOGRAM ? sizeof(buckets) / sizeof(buckets[0]) : 0, \
    }
QUEUE_METRIC(depth_gauge, "workqueue_depth", PRB_GAUGE, "Keys that are due.");
QUEUE_METRIC(adds_total, "workqueue_adds_total", PRB_COUNTER, "Keys that became due.");
QUEUE_METRIC(retries_total, "workqueue_retries_total", PRB_COUNTER,
        "Keys that failed, in whole or in part, and come again.");
QUEUE_METRIC(queue_seconds, "workqueue_queue_duration_seconds", PRB_HISTOGRAM,
        "How long a key was due before a worker took it.");
QUEUE_METRIC(work_seconds, "workqueue_work_duration_seconds", PRB_HISTOGRAM,
        "How long a worker had a key in hand.");

static void entry_free(void *value)
{
    struct prb_queue_entry *entry = value;

    free(entry->key);
    free(entry);
}

struct prb_queue *prb_queue_new(const char *name, const struct prb_clock *clock)
{
    struct prb_queue *queue = prb_calloc(1, sizeof(*queue));

    queue->name = name;
    prb_waker_init(&queue->waker, clock);
    queue->entries = prb_map_new(entry_free);
    queue->line_end = &queue->line;
    prb_metric_set(&depth_gauge, 0, name);
    return queue;
}

void prb_queue_free(struct prb_queue *queue)
{
    if (!queue)
        return;
    prb_delays_done(&queue->delays);
    prb_map_free(queue->entries);
    prb_waker_done(&queue->waker);
    free(queue);
}

static struct prb_queue_entry *ensure_entry(struct prb_queue *queue, const char *key)
{
    struct prb_queue_entry *entry = prb_map_find(queue->entries, key);

    if (!entry) {
        entry = prb_calloc(1, sizeof(*entry));
        entry->key = prb_strdup(key);
        prb_map_set(queue->entries, key, entry);
    }
    return entry;
}

static bool is_needed(const struct prb_queue_entry *entry)
{
    return entry->due || entry->in_hand || entry->heap_place != 0 || entry->failures > 0 ||
           entry->postponed > 0;
}

static void drop_if_unneeded(struct prb_queue *queue, struct prb_queue_entry *entry)
{
    if (!is_needed(entry))
        (void)prb_map_remove(queue->entries, entry->key);
}

static void line_up(struct prb_queue *queue, struct prb_queue_entry *entry)
{
    entry->next = NULL;
    *queue->line_end = entry;
    queue->line_end = &entry->next;
    queue->depth++;
    prb_metric_set(&depth_gauge, (double)queue->depth, queue->name);
    prb_waker_wake(&queue->waker);
}

static void make_due(struct prb_queue *queue, struct prb_queue_entry *entry)
{
    if (entry->due)
        return;
    entry->due = true;
    entry->due_since_ms = prb_waker_now(&queue->waker);
    prb_metric_add(&adds_total, 1, queue->name);
    if (!entry->in_hand)
        line_up(queue, entry);
}

static void delay(struct prb_queue *queue, struct prb_queue_entry *entry, int64_t ms)
{
    if (ms <= 0) {
        make_due(queue, entry);
        return;
    }
    prb_delays_add(&queue->delays, entry, prb_waker_after(&queue->waker, ms));
    if (prb_delays_first(&queue->delays) == entry)
        prb_waker_wake(&queue->waker); /* workers sleep until a later instant than this */
}

void prb_queue_add(struct prb_queue *queue, const char *key)
{
    prb_queue_add_after(queue, key, 0);
}

void prb_queue_add_after(struct prb_queue *queue, const char *key, int64_t ms)
{
    PRB_HOLD(&queue->waker);

    if (!queue->shut)
        delay(queue, ensure_entry(queue, key), ms);
}

static int64_t backoff_ms(int64_t min_ms, int times, int64_t max_ms)
{
    int64_t ms = min_ms;

    for (int i = 0; i < times && ms < max_ms; i++)
        ms *= 2;
    return ms < max_ms ? ms : max_ms;
}

void prb_queue_retry(struct prb_queue *queue, const char *key, int64_t at_least_ms)
{
    prb_queue_retry_within(queue, key, at_least_ms, PRB_QUEUE_BACKOFF_MAX_MS);
}

void prb_queue_retry_within(
        struct prb_queue *queue, const char *key, int64_t at_least_ms, int64_t at_most_ms)
{
    PRB_HOLD(&queue->waker);
    struct prb_queue_entry *entry;
    int64_t ms;

    if (queue->shut)
        return;
    entry = ensure_entry(queue, key);
    ms = backoff_ms(PRB_QUEUE_BACKOFF_MIN_MS, entry->failures, at_most_ms);
    entry->failures++;
    prb_metric_add(&retries_total, 1, queue->name);
    delay(queue, entry, ms > at_least_ms ? ms : at_least_ms);
}

void prb_queue_postpone(struct prb_queue *queue, const char *key, int64_t min_ms, int64_t max_ms)
{
    PRB_HOLD(&queue->waker);
    struct prb_queue_entry *entry;

    if (queue->shut)
        return;
    entry = ensure_entry(queue, key);
    entry->failures = 0;
    delay(queue, entry, backoff_ms(min_ms, entry->postponed, max_ms));
    entry->postponed++;
    prb_metric_add(&retries_total, 1, queue->name);
}

void prb_queue_forget(struct prb_queue *queue, const char *key)
{
    PRB_HOLD(&queue->waker);
    struct prb_queue_entry *entry = prb_map_find(queue->entries, key);

    if (!entry)
        return;
    entry->failures = 0;
    entry->postponed = 0;
    drop_if_unneeded(queue, entry);
}

static void line_up_what_is_due(struct prb_queue *queue)
{
    int64_t now = prb_waker_now(&queue->waker);
    struct prb_queue_entry *first = prb_delays_first(&queue->delays);

    for (; first && first->delayed_until_ms <= now; first = prb_delays_first(&queue->delays)) {
        prb_delays_remove(&queue->delays, first);
        make_due(queue, first);
    }
}

static double seconds_since(const struct prb_queue *queue, int64_t since_ms)
{
    return (double)(prb_waker_now(&queue->waker) - since_ms) / 1000;
}

/* NULL when nothing is due; lock held. */
static char *take_first(struct prb_queue *queue)
{
    struct prb_queue_entry *entry;

    line_up_what_is_due(queue);
    entry = queue->line;
    if (!entry)
        return NULL;

    queue->line = entry->next;
    if (!queue->line)
        queue->line_end = &queue->line;
    queue->depth--;
    queue->in_hand++;
    entry->due = false;
    entry->in_hand = true;
    entry->taken_ms = prb_waker_now(&queue->waker);

    /* Whoever has the key sees the world as it is and says anew when to look again. */
    prb_delays_remove(&queue->delays, entry);

    prb_metric_set(&depth_gauge, (double)queue->depth, queue->name);
    prb_metric_observe(&queue_seconds, seconds_since(queue, entry->due_since_ms), queue->name);
    return prb_strdup(entry->key);
}

char *prb_queue_take(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    while (!queue->shut) {
        char *key = take_first(queue);
        const struct prb_queue_entry *next = prb_delays_first(&queue->delays);

        if (key)
            return key;
        prb_waker_wait(&queue->waker, next ? next->delayed_until_ms : PRB_WAKER_NEVER);
    }
    return NULL;
}

char *prb_queue_try_take(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    return queue->shut ? NULL : take_first(queue);
}

void prb_queue_finish(struct prb_queue *queue, const char *key)
{
    PRB_HOLD(&queue->waker);
    struct prb_queue_entry *entry = prb_map_find(queue->entries, key);

    if (!entry || !entry->in_hand)
        return;
    entry->in_hand = false;
    queue->in_hand--;
    prb_metric_observe(&work_seconds, seconds_since(queue, entry->taken_ms), queue->name);
    if (entry->due)
        line_up(queue, entry);
    drop_if_unneeded(queue, entry);
}

void prb_queue_shut_down(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);
    const char *key;
    void *value;

    queue->shut = true;
    queue->line = NULL;
    queue->line_end = &queue->line;
    queue->depth = 0;
    for (size_t at = 0; prb_map_next(queue->entries, &at, &key, &value);) {
        struct prb_queue_entry *entry = value;

        prb_delays_remove(&queue->delays, entry);
        entry->due = false;
        entry->failures = 0;
        entry->postponed = 0;
        drop_if_unneeded(queue, entry);
    }
    prb_metric_set(&depth_gauge, 0, queue->name);
    prb_waker_wake(&queue->waker);
}

void prb_queue_reopen(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    queue->shut = false;
}

size_t prb_queue_depth(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    if (!queue->shut)
        line_up_what_is_due(queue);
    return queue->depth;
}

bool prb_queue_idle(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    return queue->depth == 0 && queue->in_hand == 0 && queue->delays.count == 0;
}

bool prb_queue_resting(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    if (!queue->shut)
        line_up_what_is_due(queue);
    return queue->depth == 0 && queue->in_hand == 0;
}

int prb_queue_failures(struct prb_queue *queue, const char *key)
{
    PRB_HOLD(&queue->waker);
    const struct prb_queue_entry *entry = prb_map_find(queue->entries, key);

    return entry ? entry->failures : 0;
}

void prb_queue_poke(struct prb_queue *queue)
{
    PRB_HOLD(&queue->waker);

    prb_waker_wake(&queue->waker);
}

#ifndef PROBATE_CONTROL_QUEUE_H
#define PROBATE_CONTROL_QUEUE_H

/*
 * A queue of keys: de-duplicating, delaying, rate-limited. A key is handed to one worker at a
 * time; added while a worker has it, it comes again afterwards. Failures come back with
 * exponential delay, forgotten on success. It holds each key once, so it is bounded by what keys
 * are made from. Thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/clock.h"

struct prb_queue;

/* First and longest delay after a failure, as client-go has them but for a longest of 5 min: a
 * deletion that waits must not sleep for the 16 min of client-go. */
#define PRB_QUEUE_BACKOFF_MIN_MS 5
#define PRB_QUEUE_BACKOFF_MAX_MS 300000

/* `name` labels the workqueue_* metrics; static. `clock` NULL: the system's. */
struct prb_queue *prb_queue_new(const char *name, const struct prb_clock *clock);
void prb_queue_free(struct prb_queue *queue); /* after every worker has left */
PRB_DEFINE_CLEANUP(struct prb_queue *, prb_queue_free)

/*
 * Of several delays the earliest holds. Taking the key cancels those asked for before: whoever has
 * it sees the world as it is and says anew when to look again.
 */
void prb_queue_add(struct prb_queue *queue, const char *key);
void prb_queue_add_after(struct prb_queue *queue, const char *key, int64_t ms);

/* Come back after the key's backoff, which doubles, but not before `at_least_ms`. */
void prb_queue_retry(struct prb_queue *queue, const char *key, int64_t at_least_ms);

/* The same with a lower ceiling than PRB_QUEUE_BACKOFF_MAX_MS; `at_least_ms` is stronger. */
void prb_queue_retry_within(
        struct prb_queue *queue, const char *key, int64_t at_least_ms, int64_t at_most_ms);

/* The key went well, but for parts that have to be tried again: it comes back after a time that
 * doubles from `min_ms` to `max_ms` until it is forgotten. Its backoff after failures starts anew.
 */
void prb_queue_postpone(struct prb_queue *queue, const char *key, int64_t min_ms, int64_t max_ms);

/* The key went well: its backoff starts anew. */
void prb_queue_forget(struct prb_queue *queue, const char *key);

/* Wait for a key; the caller frees it after prb_queue_finish. NULL: shut down. */
char *prb_queue_take(struct prb_queue *queue);

/* The same without waiting: NULL when nothing is due. */
char *prb_queue_try_take(struct prb_queue *queue);
void prb_queue_finish(struct prb_queue *queue, const char *key);

/* Workers get NULL from now on; what waits is dropped and what is added is ignored; keys in hand
 * may still be finished. */
void prb_queue_shut_down(struct prb_queue *queue);

/* Undo a shut down; the queue starts empty, without backoffs. */
void prb_queue_reopen(struct prb_queue *queue);

size_t prb_queue_depth(struct prb_queue *queue); /* due now */
bool prb_queue_idle(struct prb_queue *queue);    /* nothing due, delayed or in hand */
bool prb_queue_resting(struct prb_queue *queue); /* nothing due or in hand: at most delayed */
int prb_queue_failures(struct prb_queue *queue, const char *key); /* since it last went well */

/* A fake clock was moved: look at it again. */
void prb_queue_poke(struct prb_queue *queue);

#endif

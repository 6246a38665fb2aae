#ifndef SRC_CONTROL_WAITS_H
#define SRC_CONTROL_WAITS_H

/*
 * What each key of a controller waits for, or why working on it failed, and since when; logs when
 * that changes. Thread-safe.
 */

#include <stdint.h>

#include "probate/base/cleanup.h"

struct prb_waits;

struct prb_waits *prb_waits_new(const char *controller); /* static */
void prb_waits_free(struct prb_waits *waits);
PRB_DEFINE_CLEANUP(struct prb_waits *, prb_waits_free)

/* It went well; it waits for `text`, or for nothing (NULL). `now_ms` is wall time, as below. */
void prb_waits_set(struct prb_waits *waits, const char *key, const char *text, int64_t now_ms);

void prb_waits_set_failed(
        struct prb_waits *waits, const char *key, const char *why, int64_t now_ms);

/* The same where trying again will not help by itself (a right is missing, say). */
void prb_waits_set_refused(
        struct prb_waits *waits, const char *key, const char *why, int64_t now_ms);

/* Why it was refused last, numbers in it as they were told first; owned, NULL: it was not. */
char *prb_waits_refusal(struct prb_waits *waits, const char *key);

/* Forget all, without a word. */
void prb_waits_clear(struct prb_waits *waits);

/* Sorted by key; the lock is held. */
void prb_waits_each(struct prb_waits *waits,
        void (*each)(void *ctx, const char *key, const char *text, int64_t since_ms), void *ctx);

#endif

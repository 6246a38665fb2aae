/* What does each key wait for, and is that worth a line in the log? */

#include "waits.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/map.h"
#include "probate/base/mem.h"

#include "text.h"

/* A text of which only numbers move ("3 of 7 left") is news, but not each time. */
#define REPEAT_MS 60000

struct wait {
    char *text; /* owned */
    bool failed;
    char *refusal;     /* owned; NULL: it was not refused */
    int64_t since_ms;  /* wall, as below: since it says this, numbers aside */
    int64_t logged_ms; /* when that was logged last */
};

struct prb_waits {
    const char *controller; /* static */
    pthread_mutex_t lock;
    struct prb_map *waits; /* owned: key -> struct wait; under the lock */
};

static void wait_free(void *value)
{
    struct wait *wait = value;

    free(wait->text);
    free(wait->refusal);
    free(wait);
}

struct prb_waits *prb_waits_new(const char *controller)
{
    struct prb_waits *waits = prb_calloc(1, sizeof(*waits));

    waits->controller = controller;
    waits->waits = prb_map_new(wait_free);
    (void)pthread_mutex_init(&waits->lock, NULL);
    return waits;
}

void prb_waits_free(struct prb_waits *waits)
{
    if (!waits)
        return;
    prb_map_free(waits->waits);
    (void)pthread_mutex_destroy(&waits->lock);
    free(waits);
}

static void say(const struct prb_waits *waits, const char *key, const struct wait *wait)
{
    if (wait->failed)
        prb_warn("failed, will try again", KV("controller", waits->controller), KV("key", key),
                KV("error", wait->text));
    else
        prb_info("waiting", KV("controller", waits->controller), KV("key", key),
                KV("for", wait->text));
}

static void note(struct prb_waits *waits, const char *key, struct wait *wait, int64_t now_ms)
{
    struct wait *before = prb_map_find(waits->waits, key);
    bool same = before && before->failed == wait->failed &&
                prb_text_says_same(before->text, wait->text);
    bool is_news = !same || (!wait->failed && strcmp(before->text, wait->text) != 0 &&
                                    now_ms - before->logged_ms >= REPEAT_MS);

    if (wait->refusal && same && before->refusal) {
        free(wait->refusal);
        wait->refusal = prb_take(before->refusal);
    }
    wait->since_ms = same ? before->since_ms : now_ms;
    wait->logged_ms = is_news || !before ? now_ms : before->logged_ms;
    if (is_news)
        say(waits, key, wait);
    prb_map_set(waits->waits, key, wait);
}

static void end(struct prb_waits *waits, const char *key, int64_t now_ms)
{
    const struct wait *wait = prb_map_find(waits->waits, key);
    char waited[PRB_TIME_SIZE];

    if (!wait)
        return;
    prb_duration_format(now_ms - wait->since_ms, waited);
    prb_info(wait->failed ? "no longer failing" : "no longer waiting",
            KV("controller", waits->controller), KV("key", key), KV("after", waited));
    (void)prb_map_remove(waits->waits, key);
}

enum outcome { WENT_WELL, FAILED, REFUSED };

static void set(struct prb_waits *waits, const char *key, const char *text, enum outcome outcome,
        int64_t now_ms)
{
    struct wait *wait;

    (void)pthread_mutex_lock(&waits->lock);
    if (text) {
        wait = prb_calloc(1, sizeof(*wait));
        wait->text = prb_strdup(text);
        wait->failed = outcome != WENT_WELL;
        wait->refusal = outcome == REFUSED ? prb_strdup(text) : NULL;
        note(waits, key, wait, now_ms);
    } else {
        end(waits, key, now_ms);
    }
    (void)pthread_mutex_unlock(&waits->lock);
}

void prb_waits_set(struct prb_waits *waits, const char *key, const char *text, int64_t now_ms)
{
    set(waits, key, text, WENT_WELL, now_ms);
}

void prb_waits_set_failed(struct prb_waits *waits, const char *key, const char *why, int64_t now_ms)
{
    set(waits, key, why, FAILED, now_ms);
}

void prb_waits_set_refused(
        struct prb_waits *waits, const char *key, const char *why, int64_t now_ms)
{
    set(waits, key, why, REFUSED, now_ms);
}

char *prb_waits_refusal(struct prb_waits *waits, const char *key)
{
    const struct wait *wait;
    char *refusal;

    (void)pthread_mutex_lock(&waits->lock);
    wait = prb_map_find(waits->waits, key);
    refusal = wait ? prb_strdup(wait->refusal) : NULL;
    (void)pthread_mutex_unlock(&waits->lock);
    return refusal;
}

void prb_waits_clear(struct prb_waits *waits)
{
    (void)pthread_mutex_lock(&waits->lock);
    prb_map_clear(waits->waits);
    (void)pthread_mutex_unlock(&waits->lock);
}

static int compare_keys(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void prb_waits_each(struct prb_waits *waits,
        void (*each)(void *ctx, const char *key, const char *text, int64_t since_ms), void *ctx)
{
    prb_autofree const char **keys = NULL;
    size_t count = 0;
    void *value;

    (void)pthread_mutex_lock(&waits->lock);
    keys = prb_calloc(prb_map_count(waits->waits) + 1, sizeof(char *));
    for (size_t at = 0; prb_map_next(waits->waits, &at, &keys[count], &value);)
        count++;
    qsort(keys, count, sizeof(char *), compare_keys);
    for (size_t i = 0; i < count; i++) {
        const struct wait *wait = prb_map_find(waits->waits, keys[i]);

        each(ctx, keys[i], wait->text, wait->since_ms);
    }
    (void)pthread_mutex_unlock(&waits->lock);
}

/* What did the watch tell, and in which order? */

#include "support/watch_log.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

struct prb_watch_log {
    struct prb_api *api;     /* borrowed */
    struct prb_watch *watch; /* owned; NULL: halted */
    pthread_mutex_t lock;    /* over all below */
    pthread_cond_t changed;
    struct prb_watch_log_event **events; /* owned; entries never move, so they can be lent out */
    size_t count;
    size_t bookmarks;
    char *version; /* owned */
    bool closed;
    struct prb_error why; /* when closed */
};

static void remember(void *ctx, const struct prb_watch_event *event)
{
    struct prb_watch_log *log = ctx;

    (void)pthread_mutex_lock(&log->lock);
    free(log->version);
    log->version = prb_strdup(event->resource_version);
    if (event->type == PRB_WATCH_BOOKMARK) {
        log->bookmarks++;
    } else {
        struct prb_watch_log_event *entry = prb_calloc(1, sizeof(*entry));

        entry->type = event->type;
        entry->object = prb_object_ref(event->object);
        entry->resource_version = prb_strdup(event->resource_version);
        log->events =
                prb_realloc(log->events, log->count + 1, sizeof(struct prb_watch_log_event *));
        log->events[log->count++] = entry;
    }
    (void)pthread_cond_broadcast(&log->changed);
    (void)pthread_mutex_unlock(&log->lock);
}

static void note_end(void *ctx, const struct prb_error *why)
{
    struct prb_watch_log *log = ctx;

    (void)pthread_mutex_lock(&log->lock);
    log->closed = true;
    log->why = *why;
    (void)pthread_cond_broadcast(&log->changed);
    (void)pthread_mutex_unlock(&log->lock);
}

int prb_watch_log_start(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, struct prb_watch_log **ret, struct prb_error *err)
{
    struct prb_watch_log *log = prb_calloc(1, sizeof(*log));
    const struct prb_watch_sink sink = { .event = remember, .closed = note_end, .ctx = log };
    int r;

    log->api = api;
    (void)pthread_mutex_init(&log->lock, NULL);
    (void)pthread_cond_init(&log->changed, NULL);
    r = prb_api_watch(api, gvr, options, &sink, &log->watch, err);
    if (r < 0)
        prb_watch_log_stop(log);
    else
        *ret = log;
    return r;
}

void prb_watch_log_halt(struct prb_watch_log *log)
{
    prb_api_watch_stop(log->api, log->watch);
    log->watch = NULL;
}

void prb_watch_log_stop(struct prb_watch_log *log)
{
    if (!log)
        return;
    prb_watch_log_halt(log);
    for (size_t i = 0; i < log->count; i++) {
        prb_object_unref(log->events[i]->object);
        free(log->events[i]->resource_version);
        free(log->events[i]);
    }
    free(log->events);
    free(log->version);
    (void)pthread_cond_destroy(&log->changed);
    (void)pthread_mutex_destroy(&log->lock);
    free(log);
}

/* Lock held. */
static int find(const struct prb_watch_log *log, enum prb_watch_event_type type, const char *name)
{
    for (size_t i = 0; i < log->count; i++) {
        if (log->events[i]->type == type &&
                prb_streq(prb_object_name(log->events[i]->object), name))
            return (int)i;
    }
    return -1;
}

/* What is waited for: whatever is set. */
struct wish {
    size_t count, bookmarks;
    bool closed;
    const char *name; /* an event of `type` for it */
    enum prb_watch_event_type type;
};

static const char *type_name(enum prb_watch_event_type type)
{
    static const char *const names[] = { [PRB_WATCH_ADDED] = "ADDED ",
        [PRB_WATCH_MODIFIED] = "MODIFIED ",
        [PRB_WATCH_DELETED] = "DELETED ",
        [PRB_WATCH_BOOKMARK] = "BOOKMARK " };

    return names[type];
}

static struct prb_test_wait begin_wait(const struct wish *wish, int base_ms)
{
    if (wish->name)
        return prb_test_wait_for(
                base_ms, "the watch tells: %s%s", type_name(wish->type), wish->name);
    if (wish->closed)
        return prb_test_wait_for(base_ms, "the watch ends");
    if (wish->bookmarks > 0)
        return prb_test_wait_for(base_ms, "the watch tells a bookmark");
    return prb_test_wait_for(base_ms, "the watch tells %zu events", wish->count);
}

/* Lock held. */
static bool is_fulfilled(const struct prb_watch_log *log, const struct wish *wish)
{
    return log->count >= wish->count && log->bookmarks >= wish->bookmarks &&
           (!wish->closed || log->closed) &&
           (!wish->name || find(log, wish->type, wish->name) >= 0);
}

/* Lock held. */
static void describe(const struct prb_watch_log *log, char *text, size_t size)
{
    const struct prb_watch_log_event *last = log->count > 0 ? log->events[log->count - 1] : NULL;

    (void)snprintf(text, size, "%zu events%s%s%s, %zu bookmarks%s%.200s", log->count,
            last ? ", the last " : "", last ? type_name(last->type) : "",
            last ? prb_object_name(last->object) : "", log->bookmarks,
            log->closed ? "; the watch has ended: " : "", log->closed ? log->why.msg : "");
}

/* Nothing comes any more after the end of a watch. */
static bool wait_for(struct prb_watch_log *log, const struct wish *wish, int base_ms)
{
    struct prb_test_wait wait = begin_wait(wish, base_ms);
    char text[384];
    bool fulfilled;

    (void)pthread_mutex_lock(&log->lock);
    while (!(fulfilled = is_fulfilled(log, wish))) {
        describe(log, text, sizeof(text));
        (void)prb_test_saw("%s", text);
        if (log->closed)
            prb_test_wait_give_up(&wait);
        if (log->closed || !prb_test_wait_cond(&wait, &log->changed, &log->lock))
            break;
    }
    (void)pthread_mutex_unlock(&log->lock);
    return fulfilled;
}

bool prb_watch_log_wait(struct prb_watch_log *log, size_t count, int base_ms)
{
    return wait_for(log, &(struct wish){ .count = count }, base_ms);
}

bool prb_watch_log_wait_for(
        struct prb_watch_log *log, enum prb_watch_event_type type, const char *name, int base_ms)
{
    return wait_for(log, &(struct wish){ .type = type, .name = name }, base_ms);
}

bool prb_watch_log_wait_bookmark(struct prb_watch_log *log, int base_ms)
{
    return wait_for(log, &(struct wish){ .bookmarks = 1 }, base_ms);
}

bool prb_watch_log_is_closed(struct prb_watch_log *log, struct prb_error *why)
{
    bool closed;

    (void)pthread_mutex_lock(&log->lock);
    closed = log->closed;
    if (closed && why)
        *why = log->why;
    (void)pthread_mutex_unlock(&log->lock);
    return closed;
}

bool prb_watch_log_wait_closed(struct prb_watch_log *log, int base_ms, struct prb_error *why)
{
    return wait_for(log, &(struct wish){ .closed = true }, base_ms) &&
           prb_watch_log_is_closed(log, why);
}

bool prb_watch_log_stays_silent(struct prb_watch_log *log, int ms)
{
    int64_t until_ms = prb_test_now_ms() + ms;

    while (prb_watch_log_count(log) == 0) {
        if (prb_test_now_ms() >= until_ms)
            return true;
        prb_test_pause();
    }
    return false;
}

size_t prb_watch_log_count(struct prb_watch_log *log)
{
    size_t count;

    (void)pthread_mutex_lock(&log->lock);
    count = log->count;
    (void)pthread_mutex_unlock(&log->lock);
    return count;
}

const struct prb_watch_log_event *prb_watch_log_at(struct prb_watch_log *log, size_t index)
{
    const struct prb_watch_log_event *event;

    (void)pthread_mutex_lock(&log->lock);
    event = index < log->count ? log->events[index] : NULL;
    (void)pthread_mutex_unlock(&log->lock);
    return event;
}

int prb_watch_log_find(struct prb_watch_log *log, enum prb_watch_event_type type, const char *name)
{
    int at;

    (void)pthread_mutex_lock(&log->lock);
    at = find(log, type, name);
    (void)pthread_mutex_unlock(&log->lock);
    return at;
}

char *prb_watch_log_version(struct prb_watch_log *log)
{
    char *version;

    (void)pthread_mutex_lock(&log->lock);
    version = prb_strdup(log->version);
    (void)pthread_mutex_unlock(&log->lock);
    return version;
}

void prb_watch_log_describe(struct prb_watch_log *log, char *text, size_t size)
{
    (void)pthread_mutex_lock(&log->lock);
    describe(log, text, size);
    (void)pthread_mutex_unlock(&log->lock);
}

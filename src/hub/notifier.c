/* Who is told what next? One thread goes around the watches that have something to hear. */

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "fail.h"
#include "watchers.h"

/* What is handed to one watch in one go; the references are owned. */
struct batch {
    struct prb_hub_event events[PRB_HUB_BATCH_MAX];
    size_t count;
    bool closed; /* then the end, with `why` */
    struct prb_error why;
    bool bookmark;
    uint64_t version; /* of the bookmark */
};

static int64_t now_ms(void)
{
    return prb_clock_system()->mono_ms(prb_clock_system());
}

static void take_initial(struct prb_watch *watch, struct batch *batch)
{
    while (batch->count < PRB_HUB_BATCH_MAX && watch->initial_at < watch->initial_count)
        batch->events[batch->count++] = (struct prb_hub_event){ .type = PRB_WATCH_ADDED,
            .object = watch->initial[watch->initial_at++] };
}

static void take_events(const struct prb_hub *hub, struct prb_watch *watch, struct batch *batch)
{
    while (batch->count < PRB_HUB_BATCH_MAX && watch->seq < prb_hub_log_end(&hub->log)) {
        const struct prb_hub_event *event = prb_hub_log_at(&hub->log, watch->seq++);
        struct prb_hub_event *taken;

        if (event->kind != watch->kind || event->version <= watch->start)
            continue;
        taken = &batch->events[batch->count++];
        *taken = *event;
        taken->object = prb_object_ref(event->object);
        taken->before = event->before ? prb_object_ref(event->before) : NULL;
    }
}

/* What the watch hears next. Nothing: it has to wait. */
static void take(struct prb_hub *hub, struct prb_watch *watch, struct batch *batch)
{
    take_initial(watch, batch);
    if (batch->count == 0 && watch->seq < hub->log.first) {
        (void)prb_hub_gone(&watch->why, "too slow: the events to be told next were given up");
        watch->ending = true;
        watch->seq = prb_hub_log_end(&hub->log);
    }
    if (batch->count == 0)
        take_events(hub, watch, batch);
    if (batch->count > 0 || watch->seq < prb_hub_log_end(&hub->log))
        return;
    batch->closed = watch->ending;
    batch->why = watch->why;
    batch->bookmark = !watch->ending && now_ms() - watch->heard_ms >= hub->bookmark_ms;
    batch->version = hub->version;
}

static void say(const struct prb_watch *watch, enum prb_watch_event_type type,
        struct prb_object *object, const char *version)
{
    watch->sink.event(
            watch->sink.ctx, &(struct prb_watch_event){
                                     .type = type, .object = object, .resource_version = version });
}

/* An object that begins or ends to match the selector is added or deleted for this watch. */
static void say_event(const struct prb_watch *watch, const struct prb_hub_event *event)
{
    prb_auto(prb_object_unref) struct prb_object *seen = NULL, *last = NULL;
    bool is = event->type != PRB_WATCH_DELETED &&
              prb_hub_filter_matches(&watch->filter, event->object);
    bool was = event->before && prb_hub_filter_matches(&watch->filter, event->before);
    const char *version = prb_object_resource_version(event->object);

    if (is) {
        seen = prb_hub_present(event->object, &watch->as);
        say(watch, was ? PRB_WATCH_MODIFIED : PRB_WATCH_ADDED, seen, version);
    } else if (was) {
        last = event->type == PRB_WATCH_DELETED ? prb_object_ref(event->object)
                                                : prb_hub_present_at(event->before, version);
        seen = prb_hub_present(last, &watch->as);
        say(watch, PRB_WATCH_DELETED, seen, version);
    }
}

/* Hand a batch over; the lock is not held. */
static void deliver(struct prb_watch *watch, struct batch *batch)
{
    char version[24];

    for (size_t i = 0; i < batch->count; i++) {
        if (!atomic_load(&watch->stopped))
            say_event(watch, &batch->events[i]);
        prb_object_unref(batch->events[i].object);
        prb_object_unref(batch->events[i].before);
    }
    if (atomic_load(&watch->stopped))
        return;
    if (batch->closed)
        watch->sink.closed(watch->sink.ctx, &batch->why);
    if (batch->bookmark) {
        (void)snprintf(version, sizeof(version), "%" PRIu64, batch->version);
        say(watch, PRB_WATCH_BOOKMARK, NULL, version);
    }
}

/* Has the watch something to hear, or to be read for it in the log? */
static bool has_work(const struct prb_hub *hub, const struct prb_watch *watch)
{
    if (watch->closed)
        return false;
    return watch->initial_at < watch->initial_count || watch->seq < prb_hub_log_end(&hub->log) ||
           watch->ending || now_ms() - watch->heard_ms >= hub->bookmark_ms;
}

/* Of the watches with work the one whose turn is longest ago. */
static struct prb_watch *pick(const struct prb_hub *hub)
{
    struct prb_watch *best = NULL;

    for (struct prb_watch *watch = hub->watches; watch; watch = watch->next) {
        if (has_work(hub, watch) && (!best || watch->turn < best->turn))
            best = watch;
    }
    return best;
}

/* Let one watch hear what there is for it; the lock is given up meanwhile. */
static void tell(struct prb_hub *hub, struct prb_watch *watch)
{
    struct batch batch = { .count = 0 };

    watch->turn = ++hub->turns;
    take(hub, watch, &batch);
    if (batch.count == 0 && !batch.closed && !batch.bookmark)
        return;
    watch->heard_ms = now_ms();
    watch->closed = batch.closed;
    watch->busy = true;
    (void)pthread_mutex_unlock(&hub->lock);
    deliver(watch, &batch);
    (void)pthread_mutex_lock(&hub->lock);
    watch->busy = false;
    (void)pthread_cond_broadcast(&hub->calm);
}

/* Sleep until something happens or the next bookmark is due. */
static void doze(struct prb_hub *hub)
{
    int64_t due = INT64_MAX;
    struct timespec until;

    for (const struct prb_watch *watch = hub->watches; watch; watch = watch->next) {
        if (!watch->closed && watch->heard_ms + hub->bookmark_ms < due)
            due = watch->heard_ms + hub->bookmark_ms;
    }
    if (due == INT64_MAX) {
        (void)pthread_cond_wait(&hub->wake, &hub->lock);
        return;
    }
    until.tv_sec = (time_t)(due / 1000);
    until.tv_nsec = (long)(due % 1000) * 1000000L;
    (void)pthread_cond_timedwait(&hub->wake, &hub->lock, &until);
}

static void *run(void *ctx)
{
    struct prb_hub *hub = ctx;

    (void)pthread_mutex_lock(&hub->lock);
    while (!hub->stopping) {
        struct prb_watch *watch = pick(hub);

        if (watch)
            tell(hub, watch);
        else
            doze(hub);
    }
    (void)pthread_mutex_unlock(&hub->lock);
    return NULL;
}

int prb_hub_notifier_start(struct prb_hub *hub, struct prb_error *err)
{
    if (hub->notifying)
        return 0;
    if (pthread_create(&hub->notifier, NULL, run, hub) != 0)
        return prb_fail(err, PRB_E_UNAVAILABLE, "no thread for the watches can be started");
    hub->notifying = true;
    return 0;
}

void prb_hub_notifier_stop(struct prb_hub *hub)
{
    (void)pthread_mutex_lock(&hub->lock);
    hub->stopping = true;
    (void)pthread_cond_signal(&hub->wake);
    (void)pthread_mutex_unlock(&hub->lock);
    if (hub->notifying)
        (void)pthread_join(hub->notifier, NULL);
    while (hub->watches) {
        struct prb_watch *watch = hub->watches;

        hub->watches = watch->next;
        prb_hub_watch_free(watch);
    }
}

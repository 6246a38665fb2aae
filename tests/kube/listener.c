/* What has a watch told so far? */

#include "listener.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probate/base/mem.h"

#include "support/wait.h"

static void on_event(void *ctx, const struct prb_watch_event *event)
{
    static const char *const names[] = {
        [PRB_WATCH_ADDED] = "ADDED",
        [PRB_WATCH_MODIFIED] = "MODIFIED",
        [PRB_WATCH_DELETED] = "DELETED",
        [PRB_WATCH_BOOKMARK] = "BOOKMARK",
    };
    struct prb_test_listener *listener = ctx;

    (void)pthread_mutex_lock(&listener->lock);
    prb_str_addf(&listener->events, "%s %s %s;", names[event->type],
            event->object ? prb_object_name(event->object) : "", event->resource_version);
    (void)prb_copy(listener->version, sizeof(listener->version), event->resource_version);
    (void)pthread_cond_broadcast(&listener->heard);
    (void)pthread_mutex_unlock(&listener->lock);
}

static void on_closed(void *ctx, const struct prb_error *why)
{
    struct prb_test_listener *listener = ctx;

    (void)pthread_mutex_lock(&listener->lock);
    listener->closed++;
    listener->why = *why;
    (void)pthread_cond_broadcast(&listener->heard);
    (void)pthread_mutex_unlock(&listener->lock);
}

void prb_test_listener_init(struct prb_test_listener *listener)
{
    pthread_condattr_t attr;

    *listener = (struct prb_test_listener){ .closed = 0 };
    prb_str_init(&listener->events, (size_t)1024 * 1024);
    (void)pthread_mutex_init(&listener->lock, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&listener->heard, &attr);
    (void)pthread_condattr_destroy(&attr);
}

void prb_test_listener_done(struct prb_test_listener *listener)
{
    prb_str_done(&listener->events);
    (void)pthread_cond_destroy(&listener->heard);
    (void)pthread_mutex_destroy(&listener->lock);
}

struct prb_watch_sink prb_test_listener_sink(struct prb_test_listener *listener)
{
    return (struct prb_watch_sink){ .event = on_event, .closed = on_closed, .ctx = listener };
}

/* With the lock held. `events` NULL: closed. */
static bool holds(struct prb_test_listener *listener, const char *events)
{
    return events ? strstr(prb_str_get(&listener->events), events) != NULL : listener->closed > 0;
}

static bool wait_for(struct prb_test_listener *listener, const char *events)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "the watch %s%s",
            events ? "tells " : "is closed", events ? events : "");
    bool came;

    (void)pthread_mutex_lock(&listener->lock);
    while (!(came = holds(listener, events))) {
        (void)prb_test_saw("\"%s\"%s", prb_str_get(&listener->events),
                listener->closed > 0 ? ", and it is closed" : "");
        if (!prb_test_wait_cond(&wait, &listener->heard, &listener->lock))
            break;
    }
    (void)pthread_mutex_unlock(&listener->lock);
    return came;
}

bool prb_test_listener_wait(struct prb_test_listener *listener, const char *events)
{
    return wait_for(listener, events);
}

bool prb_test_listener_wait_closed(struct prb_test_listener *listener)
{
    return wait_for(listener, NULL);
}

bool prb_test_listener_is_closed(struct prb_test_listener *listener)
{
    bool closed;

    (void)pthread_mutex_lock(&listener->lock);
    closed = listener->closed > 0;
    (void)pthread_mutex_unlock(&listener->lock);
    return closed;
}

char *prb_test_listener_events(struct prb_test_listener *listener)
{
    char *copy;

    (void)pthread_mutex_lock(&listener->lock);
    copy = prb_strdup(prb_str_get(&listener->events));
    (void)pthread_mutex_unlock(&listener->lock);
    return copy;
}

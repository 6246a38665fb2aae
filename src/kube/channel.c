/* Over what does a call speak, and how is it stopped from outside? */

#include "channel.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"

struct prb_kube_channels {
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t moved; /* a channel came back, or we are interrupted */
    struct prb_kube_channel *idle;
    struct prb_kube_channel *used;
    unsigned idle_count, used_count;
    bool interrupted;
};

int64_t prb_kube_now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

static void init_cond(pthread_cond_t *cond)
{
    pthread_condattr_t attr;

    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(cond, &attr);
    (void)pthread_condattr_destroy(&attr);
}

/* False when `until_ms` has come. */
static bool wait_until(struct prb_kube_channels *channels, int64_t until_ms)
{
    struct timespec until = { .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000 };

    return pthread_cond_timedwait(&channels->moved, &channels->lock, &until) != ETIMEDOUT;
}

struct prb_kube_channels *prb_kube_channels_new(void)
{
    struct prb_kube_channels *channels = prb_calloc(1, sizeof(*channels));

    (void)pthread_mutex_init(&channels->lock, NULL);
    init_cond(&channels->moved);
    return channels;
}

static struct prb_kube_channel *channel_new(void)
{
    struct prb_kube_channel *channel = prb_calloc(1, sizeof(*channel));

    channel->multi = curl_multi_init();
    channel->easy = curl_easy_init();
    if (!channel->multi || !channel->easy)
        abort(); /* out of memory, as prb_malloc */
    return channel;
}

static void channel_free(struct prb_kube_channel *channel)
{
    curl_easy_cleanup(channel->easy);
    (void)curl_multi_cleanup(channel->multi);
    free(channel);
}

void prb_kube_channels_free(struct prb_kube_channels *channels)
{
    if (!channels)
        return;
    while (channels->idle) {
        struct prb_kube_channel *next = channels->idle->next;

        channel_free(channels->idle);
        channels->idle = next;
    }
    (void)pthread_cond_destroy(&channels->moved);
    (void)pthread_mutex_destroy(&channels->lock);
    free(channels);
}

static int fail_cancelled(struct prb_error *err)
{
    return prb_fail(err, PRB_E_CANCELLED, "interrupted: shutting down");
}

/* With the lock held. */
static int wait_for_room(
        struct prb_kube_channels *channels, int64_t deadline_ms, struct prb_error *err)
{
    while (!channels->interrupted && channels->used_count >= PRB_KUBE_CALLS_MAX) {
        if (!wait_until(channels, deadline_ms) && channels->used_count >= PRB_KUBE_CALLS_MAX)
            return prb_fail(err, PRB_E_IO,
                    "%d calls of the API server are running already: no turn within the deadline",
                    PRB_KUBE_CALLS_MAX);
    }
    return channels->interrupted ? fail_cancelled(err) : 0;
}

/* With the lock held. The one given back last: the others' connections may grow old and go. */
static struct prb_kube_channel *take_channel(struct prb_kube_channels *channels)
{
    struct prb_kube_channel *channel = channels->idle;

    if (channel) {
        channels->idle = channel->next;
        channels->idle_count--;
    } else {
        channel = channel_new();
    }
    channel->next = channels->used;
    channels->used = channel;
    channels->used_count++;
    return channel;
}

int prb_kube_channels_take(struct prb_kube_channels *channels, int64_t deadline_ms,
        struct prb_kube_channel **ret, struct prb_error *err)
{
    int r;

    (void)pthread_mutex_lock(&channels->lock);
    r = wait_for_room(channels, deadline_ms, err);
    if (r == 0)
        *ret = take_channel(channels);
    (void)pthread_mutex_unlock(&channels->lock);
    return r;
}

void prb_kube_channels_give(struct prb_kube_channels *channels, struct prb_kube_channel *channel)
{
    struct prb_kube_channel **at = &channels->used;
    bool keep;

    /* Ready for the next call; it may hold the token of the call, and pointers into its stack. */
    curl_easy_reset(channel->easy);

    (void)pthread_mutex_lock(&channels->lock);
    while (*at != channel)
        at = &(*at)->next;
    *at = channel->next;
    channels->used_count--;
    keep = channels->idle_count < PRB_KUBE_IDLE_MAX;
    if (keep) {
        channel->next = channels->idle;
        channels->idle = channel;
        channels->idle_count++;
    }
    (void)pthread_cond_broadcast(&channels->moved); /* sleepers wait on it too */
    (void)pthread_mutex_unlock(&channels->lock);

    if (!keep)
        channel_free(channel);
}

/* The result of the one transfer, once it is there. */
static bool find_result(CURLM *multi, CURLcode *ret)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg == CURLMSG_DONE) {
            *ret = message->data.result;
            return true;
        }
    }
    return false;
}

static int drive(struct prb_kube_channels *channels, CURLM *multi, int64_t deadline_ms,
        CURLcode *ret, struct prb_error *err)
{
    for (;;) {
        int64_t left_ms;
        int running;

        (void)curl_multi_perform(multi, &running);
        if (find_result(multi, ret))
            return 0;
        if (prb_kube_channels_interrupted(channels))
            return fail_cancelled(err);
        left_ms = deadline_ms - prb_kube_now_ms();
        if (left_ms <= 0)
            return prb_fail(err, PRB_E_IO, "no answer within the deadline");
        if (curl_multi_poll(multi, NULL, 0, left_ms < INT32_MAX ? (int)left_ms : INT32_MAX, NULL))
            return prb_fail(err, PRB_E_INTERNAL, "curl cannot poll its connections");
    }
}

int prb_kube_channels_run(struct prb_kube_channels *channels, struct prb_kube_channel *channel,
        int64_t deadline_ms, CURLcode *ret, struct prb_error *err)
{
    int r;

    if (curl_multi_add_handle(channel->multi, channel->easy) != CURLM_OK)
        return prb_fail(err, PRB_E_INTERNAL, "curl does not take its own handle");
    r = drive(channels, channel->multi, deadline_ms, ret, err);
    (void)curl_multi_remove_handle(channel->multi, channel->easy);
    return r;
}

int prb_kube_channels_sleep(
        struct prb_kube_channels *channels, int64_t until_ms, struct prb_error *err)
{
    bool interrupted;

    (void)pthread_mutex_lock(&channels->lock);
    while (!channels->interrupted && wait_until(channels, until_ms))
        continue;
    interrupted = channels->interrupted;
    (void)pthread_mutex_unlock(&channels->lock);
    return interrupted ? fail_cancelled(err) : 0;
}

void prb_kube_channels_interrupt(struct prb_kube_channels *channels)
{
    (void)pthread_mutex_lock(&channels->lock);
    channels->interrupted = true;
    for (struct prb_kube_channel *c = channels->used; c; c = c->next)
        (void)curl_multi_wakeup(c->multi);
    (void)pthread_cond_broadcast(&channels->moved);
    (void)pthread_mutex_unlock(&channels->lock);
}

bool prb_kube_channels_interrupted(struct prb_kube_channels *channels)
{
    bool interrupted;

    (void)pthread_mutex_lock(&channels->lock);
    interrupted = channels->interrupted;
    (void)pthread_mutex_unlock(&channels->lock);
    return interrupted;
}

/*
 * Who carries the watches? One thread, which sleeps in poll until bytes come, a watch is started or
 * stopped (a wake-up), or one of them has been silent for too long.
 */

#include "watcher.h"

#include <pthread.h>
#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "channel.h"
#include "metrics.h"
#include "watch.h"

struct prb_kube_watcher {
    const struct prb_kube_endpoint *endpoint; /* borrowed */
    int silence_ms;
    CURLM *multi; /* of the thread, but for wake-ups */
    pthread_t thread;

    pthread_mutex_t lock; /* guards all below, and what struct prb_watch says it guards */
    pthread_cond_t ended; /* a watch has */
    struct prb_watch *watches;
    bool started; /* the thread was */
    bool interrupted;
    bool quit;
};

struct prb_kube_watcher *prb_kube_watcher_new(
        const struct prb_kube_endpoint *endpoint, int silence_ms)
{
    struct prb_kube_watcher *watcher = prb_calloc(1, sizeof(*watcher));

    watcher->endpoint = endpoint;
    watcher->silence_ms = silence_ms;
    watcher->multi = curl_multi_init();
    if (!watcher->multi)
        abort(); /* out of memory, as prb_malloc */
    (void)pthread_mutex_init(&watcher->lock, NULL);
    (void)pthread_cond_init(&watcher->ended, NULL);
    return watcher;
}

/* Count and tell; then nobody but its owner touches the watch any more. */
static void end_watch(struct prb_kube_watcher *watcher, struct prb_watch *watch, CURLcode code)
{
    struct prb_error why;
    bool listening;

    (void)curl_multi_remove_handle(watcher->multi, watch->easy);
    prb_kube_watch_explain(watch, watcher->endpoint, code, &why);
    prb_kube_count_request(watcher->endpoint->host, "GET", watch->status);
    prb_debug("watch ended", KV("path", watch->path), KV_INT("status", watch->status),
            KV("why", why.msg));

    (void)pthread_mutex_lock(&watcher->lock);
    listening = !watch->stopping;
    (void)pthread_mutex_unlock(&watcher->lock);
    if (listening)
        watch->sink.closed(watch->sink.ctx, &why);

    (void)pthread_mutex_lock(&watcher->lock);
    watch->state = PRB_KUBE_WATCH_ENDED;
    (void)pthread_cond_broadcast(&watcher->ended);
    (void)pthread_mutex_unlock(&watcher->lock);
}

/* Something to do for a watch, if there is: one to take up, or one to end. */
static struct prb_watch *find_work(struct prb_kube_watcher *watcher, bool *ret_end)
{
    struct prb_watch *watch;

    (void)pthread_mutex_lock(&watcher->lock);
    for (watch = watcher->watches; watch; watch = watch->next) {
        *ret_end = watch->stopping || watcher->interrupted;
        if (watch->state == PRB_KUBE_WATCH_NEW) {
            watch->state = PRB_KUBE_WATCH_RUNNING;
            break;
        }
        if (watch->state == PRB_KUBE_WATCH_RUNNING && *ret_end)
            break;
    }
    (void)pthread_mutex_unlock(&watcher->lock);
    return watch;
}

static void take_up(struct prb_kube_watcher *watcher)
{
    struct prb_watch *watch;
    bool end;

    while ((watch = find_work(watcher, &end))) {
        if (end) {
            (void)prb_fail(&watch->error, PRB_E_CANCELLED, "interrupted: shutting down");
            end_watch(watcher, watch, CURLE_OK);
            continue;
        }
        watch->heard_ms = prb_kube_now_ms();
        if (curl_multi_add_handle(watcher->multi, watch->easy) != CURLM_OK)
            end_watch(watcher, watch, CURLE_FAILED_INIT);
    }
}

static void end_finished(struct prb_kube_watcher *watcher)
{
    CURLMsg *message;
    int left;

    while ((message = curl_multi_info_read(watcher->multi, &left))) {
        struct prb_watch *watch = NULL;
        CURLcode code = message->data.result;

        if (message->msg != CURLMSG_DONE)
            continue;
        (void)curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&watch);
        if (watch)
            end_watch(watcher, watch, code);
    }
}

/* A watch that has been silent for too long, or NULL and the time until there may be one. */
static struct prb_watch *find_silent(
        struct prb_kube_watcher *watcher, int64_t now_ms, int *ret_wait_ms)
{
    struct prb_watch *watch;

    *ret_wait_ms = watcher->silence_ms;
    (void)pthread_mutex_lock(&watcher->lock);
    for (watch = watcher->watches; watch; watch = watch->next) {
        int64_t left_ms;

        if (watch->state != PRB_KUBE_WATCH_RUNNING)
            continue;
        left_ms = watch->heard_ms + watcher->silence_ms - now_ms;
        if (left_ms <= 0)
            break;
        if (left_ms < *ret_wait_ms)
            *ret_wait_ms = (int)left_ms;
    }
    (void)pthread_mutex_unlock(&watcher->lock);
    return watch;
}

/*
 * Taken for dead. After an answer had begun, that is no failure to tell: an old API server sends
 * no bookmark for a collection in which nothing ever happened. The listener resumes, and if the
 * server is gone that will fail.
 */
static int end_silent(struct prb_kube_watcher *watcher)
{
    struct prb_watch *watch;
    int wait_ms;

    while ((watch = find_silent(watcher, prb_kube_now_ms(), &wait_ms))) {
        prb_debug("watch silent, resuming", KV("path", watch->path));
        if (watch->status != 200)
            (void)prb_fail(&watch->error, PRB_E_IO, "%s: no answer to the watch within %d ms",
                    watcher->endpoint->host, watcher->silence_ms);
        end_watch(watcher, watch, CURLE_OK);
    }
    return wait_ms;
}

static bool quits(struct prb_kube_watcher *watcher)
{
    bool quit;

    (void)pthread_mutex_lock(&watcher->lock);
    quit = watcher->quit;
    (void)pthread_mutex_unlock(&watcher->lock);
    return quit;
}

static void *run(void *ctx)
{
    struct prb_kube_watcher *watcher = ctx;

    while (!quits(watcher)) {
        int running, wait_ms;

        take_up(watcher);
        (void)curl_multi_perform(watcher->multi, &running);
        end_finished(watcher);
        wait_ms = end_silent(watcher);
        (void)curl_multi_poll(watcher->multi, NULL, 0, wait_ms, NULL);
    }
    return NULL;
}

/* With the lock held. */
static int ensure_thread(struct prb_kube_watcher *watcher, struct prb_error *err)
{
    if (watcher->interrupted)
        return prb_fail(err, PRB_E_CANCELLED, "interrupted: shutting down");
    if (watcher->started)
        return 0;
    if (pthread_create(&watcher->thread, NULL, run, watcher) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "the thread for watches cannot be started");
    watcher->started = true;
    return 0;
}

int prb_kube_watcher_start(struct prb_kube_watcher *watcher, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    prb_auto(prb_kube_watch_free) struct prb_watch *watch = NULL;
    int r = prb_kube_watch_new(watcher->endpoint, gvr, options, sink, &watch, err);

    if (r < 0)
        return r;
    (void)pthread_mutex_lock(&watcher->lock);
    r = ensure_thread(watcher, err);
    if (r == 0) {
        watch->next = watcher->watches;
        watcher->watches = watch;
        *ret = prb_take(watch); /* before a callback can come that wants it */
    }
    (void)pthread_mutex_unlock(&watcher->lock);
    if (r == 0)
        (void)curl_multi_wakeup(watcher->multi);
    return r;
}

/* With the lock held. */
static void unlink_watch(struct prb_kube_watcher *watcher, const struct prb_watch *watch)
{
    struct prb_watch **at = &watcher->watches;

    while (*at != watch)
        at = &(*at)->next;
    *at = watch->next;
}

void prb_kube_watcher_stop(struct prb_kube_watcher *watcher, struct prb_watch *watch)
{
    if (!watch)
        return;
    (void)pthread_mutex_lock(&watcher->lock);
    watch->stopping = true;
    (void)curl_multi_wakeup(watcher->multi);
    while (watch->state == PRB_KUBE_WATCH_RUNNING)
        (void)pthread_cond_wait(&watcher->ended, &watcher->lock);
    unlink_watch(watcher, watch); /* a new one the thread has not seen and never will */
    (void)pthread_mutex_unlock(&watcher->lock);
    prb_kube_watch_free(watch);
}

void prb_kube_watcher_interrupt(struct prb_kube_watcher *watcher)
{
    (void)pthread_mutex_lock(&watcher->lock);
    watcher->interrupted = true;
    (void)curl_multi_wakeup(watcher->multi);
    (void)pthread_mutex_unlock(&watcher->lock);
}

void prb_kube_watcher_free(struct prb_kube_watcher *watcher)
{
    if (!watcher)
        return;
    (void)pthread_mutex_lock(&watcher->lock);
    watcher->quit = true;
    (void)curl_multi_wakeup(watcher->multi);
    (void)pthread_mutex_unlock(&watcher->lock);
    if (watcher->started)
        (void)pthread_join(watcher->thread, NULL);

    while (watcher->watches) {
        struct prb_watch *watch = watcher->watches;

        watcher->watches = watch->next;
        (void)curl_multi_remove_handle(watcher->multi, watch->easy);
        prb_kube_watch_free(watch);
    }
    (void)curl_multi_cleanup(watcher->multi);
    (void)pthread_cond_destroy(&watcher->ended);
    (void)pthread_mutex_destroy(&watcher->lock);
    free(watcher);
}

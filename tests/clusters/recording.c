/* How are the collections watched, for as long as it takes? */

#include "recording.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"
#include "traces.h"

#define OBJECTS_MAX 200000

/* Between two tries while the API server is away, or a kind is not served. */
#define RETRY_MS 200

#define RBAC_PREFIX "open-cluster-management:managedcluster:"

enum state { UNREAD, WATCHED, ENDED };

struct channel {
    struct recording *recording; /* borrowed */
    struct traces traces;
    struct prb_watch *watch; /* owned; of the thread alone */
    enum state state;
    bool is_absent; /* not served when it was last asked for */
    bool is_lost;   /* the watch cannot be resumed: list again */
};

struct recording {
    struct prb_api *api; /* borrowed */
    struct recording_listener listener;
    pthread_t thread;
    bool started;

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    bool over;
    struct channel channels[SORTS];
};

static void tell(const struct recording *recording, enum sort sort, const struct prb_object *object)
{
    if (recording->listener.seen)
        recording->listener.seen(recording->listener.ctx, sort, object);
}

static void hear(void *ctx, const struct prb_watch_event *event)
{
    struct channel *channel = ctx;
    struct recording *recording = channel->recording;

    (void)pthread_mutex_lock(&recording->lock);
    traces_tell(&channel->traces, event);
    (void)pthread_mutex_unlock(&recording->lock);
    if (event->type == PRB_WATCH_ADDED || event->type == PRB_WATCH_MODIFIED)
        tell(recording, channel->traces.sort, event->object);
}

static void hear_end(void *ctx, const struct prb_error *why)
{
    struct channel *channel = ctx;

    (void)pthread_mutex_lock(&channel->recording->lock);
    channel->state = ENDED;
    channel->is_lost = why->code != PRB_OK;
    (void)pthread_cond_broadcast(&channel->recording->changed);
    (void)pthread_mutex_unlock(&channel->recording->lock);
}

static void set_state(struct channel *channel, enum state state, bool absent)
{
    (void)pthread_mutex_lock(&channel->recording->lock);
    channel->state = state;
    channel->is_absent = absent;
    (void)pthread_mutex_unlock(&channel->recording->lock);
}

static bool list(struct channel *channel, char version[32])
{
    struct recording *recording = channel->recording;
    const struct prb_list_options options = { .metadata_only = channel->traces.sort != CLUSTER };
    const struct prb_gvr gvr = sort_gvr(channel->traces.sort);
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;
    int r;

    prb_page_init(&page);
    prb_api_forget(recording->api, gvr.group);
    r = prb_api_list_all(recording->api, &gvr, &options, OBJECTS_MAX, &page, &err);
    if (r < 0) {
        set_state(channel, UNREAD, r == PRB_E_NOTFOUND);
        return false;
    }
    (void)pthread_mutex_lock(&recording->lock);
    traces_renew(&channel->traces, &page);
    (void)pthread_mutex_unlock(&recording->lock);
    for (size_t i = 0; i < page.count; i++)
        tell(recording, channel->traces.sort, page.objects[i]);
    return prb_copy(version, 32, page.resource_version);
}

/* Go on where it ended, or begin with a list. */
static void watch(struct channel *channel, bool resume)
{
    struct recording *recording = channel->recording;
    const struct prb_watch_sink sink = { .event = hear, .closed = hear_end, .ctx = channel };
    const struct prb_gvr gvr = sort_gvr(channel->traces.sort);
    struct prb_watch_options options = { .metadata_only = channel->traces.sort != CLUSTER };
    prb_autofree char *last = prb_asprintf("%lld", (long long)channel->traces.version);
    struct prb_error err;
    char version[32];

    prb_api_watch_stop(recording->api, prb_take(channel->watch));
    if (!resume && !list(channel, version))
        return;
    options.resource_version = resume ? last : version;
    set_state(channel, WATCHED, false);
    if (prb_api_watch(recording->api, &gvr, &options, &sink, &channel->watch, &err) < 0)
        set_state(channel, UNREAD, false);
}

/* The lock is held, and is not while it watches. */
static bool mend(struct recording *recording)
{
    bool whole = true;

    for (size_t i = 0; i < SORTS; i++) {
        struct channel *channel = &recording->channels[i];
        bool resume = channel->state == ENDED && !channel->is_lost;

        if (channel->state == WATCHED)
            continue;
        (void)pthread_mutex_unlock(&recording->lock);
        watch(channel, resume);
        (void)pthread_mutex_lock(&recording->lock);
        whole = whole && channel->state == WATCHED;
    }
    return whole;
}

static void *work(void *arg)
{
    struct recording *recording = arg;

    (void)pthread_mutex_lock(&recording->lock);
    while (!recording->over) {
        struct timespec until;

        (void)mend(recording);
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += RETRY_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (!recording->over)
            (void)pthread_cond_timedwait(&recording->changed, &recording->lock, &until);
    }
    (void)pthread_mutex_unlock(&recording->lock);
    return NULL;
}

static bool is_whole(void *ctx)
{
    struct recording *recording = ctx;
    bool whole = true;

    (void)pthread_mutex_lock(&recording->lock);
    for (size_t i = 0; i < SORTS; i++)
        if (recording->channels[i].state != WATCHED && !recording->channels[i].is_absent)
            whole = prb_test_saw("no watch of a %s", sort_name((enum sort)i));
    (void)pthread_mutex_unlock(&recording->lock);
    return whole;
}

int recording_start(struct prb_api *api, const struct recording_listener *listener,
        struct recording **ret, struct prb_error *err)
{
    struct recording *recording = prb_calloc(1, sizeof(*recording));

    recording->api = api;
    if (listener)
        recording->listener = *listener;
    (void)pthread_mutex_init(&recording->lock, NULL);
    (void)pthread_cond_init(&recording->changed, NULL);
    for (enum sort i = 0; i < SORTS; i++) {
        recording->channels[i].recording = recording;
        traces_init(&recording->channels[i].traces, i);
    }
    recording->started = pthread_create(&recording->thread, NULL, work, recording) == 0;
    if (!recording->started ||
            !prb_test_await("every collection is watched", is_whole, recording, PRB_TEST_SOON_MS)) {
        recording_stop(recording);
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    }
    *ret = recording;
    return 0;
}

void recording_stop(struct recording *recording)
{
    if (!recording)
        return;
    (void)pthread_mutex_lock(&recording->lock);
    recording->over = true;
    (void)pthread_cond_broadcast(&recording->changed);
    (void)pthread_mutex_unlock(&recording->lock);
    if (recording->started)
        (void)pthread_join(recording->thread, NULL);
    for (size_t i = 0; i < SORTS; i++) {
        prb_api_watch_stop(recording->api, recording->channels[i].watch);
        traces_done(&recording->channels[i].traces);
    }
    (void)pthread_cond_destroy(&recording->changed);
    (void)pthread_mutex_destroy(&recording->lock);
    free(recording);
}

/* Whose is it? */
static bool belongs_to(const struct trace *trace, const char *cluster)
{
    const char *name = trace->ref.name;

    if (sort_is_namespaced(trace->sort))
        return prb_streq(trace->ref.namespace, cluster);
    if (trace->sort == ROLE || trace->sort == ROLE_BINDING)
        return prb_starts_with(name, RBAC_PREFIX) && prb_streq(name + strlen(RBAC_PREFIX), cluster);
    return prb_streq(name, cluster);
}

void recording_each(struct recording *recording, const char *cluster, trace_fn each, void *ctx)
{
    (void)pthread_mutex_lock(&recording->lock);
    for (size_t i = 0; i < SORTS; i++) {
        const char *uid;
        void *value;
        size_t at = 0;

        while (prb_map_next(recording->channels[i].traces.by_uid, &at, &uid, &value)) {
            if (!cluster || belongs_to(value, cluster))
                each(ctx, value);
        }
    }
    (void)pthread_mutex_unlock(&recording->lock);
}

struct search {
    const struct prb_ref *ref;
    struct prb_object *found;
};

static void match(void *ctx, const struct trace *trace)
{
    struct search *search = ctx;

    if (trace->gone.by == 0 && prb_ref_equal(&trace->ref, search->ref)) {
        prb_object_unref(search->found);
        search->found = prb_object_ref(trace->newest);
    }
}

struct prb_object *recording_find(struct recording *recording, const struct prb_ref *ref)
{
    struct search search = { .ref = ref };

    recording_each(recording, NULL, match, &search);
    return search.found;
}

/* How are the collections of a cluster watched, for as long as it takes? */

#include "history.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

#define CHANNELS_MAX 32

/* More than any test has of a kind. */
#define OBJECTS_MAX 100000

/* Between two looks at watches that have ended. */
#define MEND_MS 100

struct channel {
    struct history *history; /* borrowed */
    struct prb_gvr gvr;
    struct prb_watch *watch; /* owned; of the mender, or of who adds it */
    char version[32];        /* to resume from */
    bool ended;              /* to be resumed */
};

struct history {
    struct prb_api *api; /* borrowed */
    pthread_t mender;
    bool started;
    pthread_mutex_t adding; /* one history_watch at a time */

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    bool over;
    char blind[256];
    struct channel channels[CHANNELS_MAX];
    size_t count;
    struct life **lives; /* owned, as each */
    size_t life_count;
    struct prb_map *by_uid; /* "resource/uid": borrowed from `lives` */
};

static int64_t number_of(const char *version)
{
    int64_t number;

    return prb_parse_int(version, 0, INT64_MAX, &number) ? number : 0;
}

/* Lock held. */
static struct life *find_life(struct channel *channel, const struct prb_object *object)
{
    struct history *history = channel->history;
    prb_autofree char *key = prb_asprintf("%s/%s", channel->gvr.resource, prb_object_uid(object));
    struct life *life = prb_map_find(history->by_uid, key);

    if (life)
        return life;
    life = prb_calloc(1, sizeof(*life));
    life->uid = prb_strdup(prb_object_uid(object));
    (void)prb_object_ref_in(object, &channel->gvr, &life->ref);
    prb_map_set(history->by_uid, key, life);
    history->lives = prb_realloc(history->lives, history->life_count + 1, sizeof(struct life *));
    history->lives[history->life_count++] = life;
    return life;
}

/* Lock held. */
static void enter(struct channel *channel, const struct prb_watch_event *event)
{
    int64_t version = number_of(event->resource_version);
    struct life *life = find_life(channel, event->object);

    if (life->made == 0)
        life->made = version;
    else if (event->type != PRB_WATCH_DELETED)
        life->changes++;
    if (life->begun == 0 &&
            (event->type == PRB_WATCH_DELETED || prb_object_is_deleting(event->object)))
        life->begun = version;
    if (event->type == PRB_WATCH_DELETED)
        life->gone = version;
    prb_object_unref(life->newest);
    life->newest = prb_object_ref(event->object);
}

static void hear(void *ctx, const struct prb_watch_event *event)
{
    struct channel *channel = ctx;

    (void)pthread_mutex_lock(&channel->history->lock);
    (void)prb_copy(channel->version, sizeof(channel->version), event->resource_version);
    if (event->type != PRB_WATCH_BOOKMARK)
        enter(channel, event);
    (void)pthread_mutex_unlock(&channel->history->lock);
}

/* Lock held. What is resumed after the last event misses nothing, whatever cut it off. */
static bool can_resume(enum prb_errc code)
{
    return code == PRB_OK || (prb_errc_is_transient(code) && code != PRB_E_GONE);
}

/* A kind whose definition is gone has no history to miss. */
static void hear_end(void *ctx, const struct prb_error *why)
{
    struct channel *channel = ctx;
    struct history *history = channel->history;

    (void)pthread_mutex_lock(&history->lock);
    channel->ended = can_resume(why->code);
    if (!channel->ended && why->code != PRB_E_NOTFOUND && !history->over && !history->blind[0])
        (void)snprintf(history->blind, sizeof(history->blind), "the watch of %s broke: %.160s",
                channel->gvr.resource, why->msg);
    (void)pthread_cond_broadcast(&history->changed);
    (void)pthread_mutex_unlock(&history->lock);
}

/* Where it ended. */
static int start(struct channel *channel, struct prb_error *err)
{
    struct history *history = channel->history;
    const struct prb_watch_sink sink = { .event = hear, .closed = hear_end, .ctx = channel };
    char version[sizeof(channel->version)];

    (void)pthread_mutex_lock(&history->lock);
    (void)prb_copy(version, sizeof(version), channel->version);
    channel->ended = false;
    (void)pthread_mutex_unlock(&history->lock);
    prb_api_watch_stop(history->api, prb_take(channel->watch));
    return prb_api_watch(history->api, &channel->gvr,
            &(struct prb_watch_options){ .metadata_only = true, .resource_version = version },
            &sink, &channel->watch, err);
}

/* Lock held, and not while it starts one. */
static void mend(struct history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        struct channel *channel = &history->channels[i];
        struct prb_error err;

        if (!channel->ended)
            continue;
        (void)pthread_mutex_unlock(&history->lock);
        if (start(channel, &err) < 0)
            hear_end(channel, &err);
        (void)pthread_mutex_lock(&history->lock);
    }
}

static void *keep_mending(void *arg)
{
    struct history *history = arg;

    (void)pthread_mutex_lock(&history->lock);
    while (!history->over) {
        struct timespec until;

        mend(history);
        (void)clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += MEND_MS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        if (!history->over)
            (void)pthread_cond_timedwait(&history->changed, &history->lock, &until);
    }
    (void)pthread_mutex_unlock(&history->lock);
    return NULL;
}

struct history *history_new(struct prb_api *api)
{
    struct history *history = prb_calloc(1, sizeof(*history));

    history->api = api;
    history->by_uid = prb_map_new(NULL);
    (void)pthread_mutex_init(&history->lock, NULL);
    (void)pthread_mutex_init(&history->adding, NULL);
    (void)pthread_cond_init(&history->changed, NULL);
    history->started = pthread_create(&history->mender, NULL, keep_mending, history) == 0;
    return history;
}

void history_free(struct history *history)
{
    if (!history)
        return;
    (void)pthread_mutex_lock(&history->lock);
    history->over = true;
    (void)pthread_cond_broadcast(&history->changed);
    (void)pthread_mutex_unlock(&history->lock);
    if (history->started)
        (void)pthread_join(history->mender, NULL);
    for (size_t i = 0; i < history->count; i++)
        prb_api_watch_stop(history->api, history->channels[i].watch);
    for (size_t i = 0; i < history->life_count; i++) {
        prb_object_unref(history->lives[i]->newest);
        free(history->lives[i]->uid);
        free(history->lives[i]);
    }
    free(history->lives);
    prb_map_free(history->by_uid);
    (void)pthread_cond_destroy(&history->changed);
    (void)pthread_mutex_destroy(&history->adding);
    (void)pthread_mutex_destroy(&history->lock);
    free(history);
}

/* A place for it; NULL: it is watched already, or there is no room (`full`). */
static struct channel *make_channel(struct history *history, const struct prb_gvr *gvr, bool *full)
{
    struct channel *channel = NULL;
    bool known = false;

    (void)pthread_mutex_lock(&history->lock);
    for (size_t i = 0; i < history->count; i++)
        known = known || prb_gvr_equal(&history->channels[i].gvr, gvr);
    *full = !known && history->count == CHANNELS_MAX;
    if (!known && !*full) {
        channel = &history->channels[history->count++];
        *channel = (struct channel){ .history = history, .gvr = *gvr };
    }
    (void)pthread_mutex_unlock(&history->lock);
    return channel;
}

/* The next history_watch tries again. */
static void forget_newest(struct history *history)
{
    (void)pthread_mutex_lock(&history->lock);
    history->count--;
    (void)pthread_mutex_unlock(&history->lock);
}

/*
 * What is there, and the version to watch from. A server that has just learned of the kind may
 * refuse the first calls for a moment; a watch from a known version misses nothing meanwhile.
 */
static int look_around(struct channel *channel, struct prb_error *err)
{
    const struct prb_list_options options = { .metadata_only = true };
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "a list of %s", channel->gvr.resource);
    prb_auto(prb_page_done) struct prb_page page;
    int r;

    prb_page_init(&page);
    while ((r = prb_api_list_all(
                    channel->history->api, &channel->gvr, &options, OBJECTS_MAX, &page, err)) < 0) {
        (void)prb_test_saw("%s", err->msg);
        if (!prb_errc_is_transient(err->code) || !prb_test_wait_more(&wait))
            return r;
    }
    (void)pthread_mutex_lock(&channel->history->lock);
    (void)prb_copy(channel->version, sizeof(channel->version), page.resource_version);
    for (size_t i = 0; i < page.count; i++)
        enter(channel, &(struct prb_watch_event){ .type = PRB_WATCH_ADDED,
                               .object = page.objects[i],
                               .resource_version = prb_object_resource_version(page.objects[i]) });
    (void)pthread_mutex_unlock(&channel->history->lock);
    return 0;
}

int history_watch(struct history *history, const struct prb_gvr *gvr, struct prb_error *err)
{
    struct channel *channel;
    bool full;
    int r = 0;

    (void)pthread_mutex_lock(&history->adding);
    channel = make_channel(history, gvr, &full);
    if (full)
        r = prb_fail(err, PRB_E_INVALID, "too many collections to watch");
    else if (channel)
        r = look_around(channel, err);
    if (channel && r == 0)
        r = start(channel, err);
    if (channel && r < 0)
        forget_newest(history);
    (void)pthread_mutex_unlock(&history->adding);
    return r;
}

bool history_is_blind(struct history *history, char *why, size_t size)
{
    bool blind;

    (void)pthread_mutex_lock(&history->lock);
    blind = !history->started || history->blind[0] != '\0';
    if (blind)
        (void)snprintf(why, size, "%s", history->blind);
    (void)pthread_mutex_unlock(&history->lock);
    return blind;
}

void history_each(struct history *history, const struct prb_ref *ref, life_fn each, void *ctx)
{
    (void)pthread_mutex_lock(&history->lock);
    for (size_t i = 0; i < history->life_count; i++) {
        if (!ref || prb_ref_equal(&history->lives[i]->ref, ref))
            each(ctx, history->lives[i]);
    }
    (void)pthread_mutex_unlock(&history->lock);
}

static void add_up(void *ctx, const struct life *life)
{
    struct lives *lives = ctx;

    lives->count++;
    lives->gone += life->gone > 0;
    lives->begun += life->begun > 0;
    lives->changes += life->changes;
    lives->newest_made = life->made;
}

struct lives history_of(struct history *history, const struct prb_ref *ref)
{
    struct lives lives = { .count = 0 };

    history_each(history, ref, add_up, &lives);
    return lives;
}

struct look {
    const struct prb_object *object;
    bool seen;
};

static void compare(void *ctx, const struct life *life)
{
    struct look *look = ctx;

    if (prb_streq(life->uid, prb_object_uid(look->object)) &&
            number_of(prb_object_resource_version(life->newest)) >=
                    number_of(prb_object_resource_version(look->object)))
        look->seen = true;
}

bool history_has_seen(
        struct history *history, const struct prb_ref *ref, const struct prb_object *object)
{
    struct look look = { .object = object };

    history_each(history, ref, compare, &look);
    return look.seen;
}

/* Where, and how many. */
struct tally {
    const char *namespace;
    uint64_t events;
};

static void add_events(void *ctx, const struct life *life)
{
    struct tally *tally = ctx;

    if (prb_streq(life->ref.namespace, tally->namespace))
        tally->events += 1 + life->changes + (life->gone > 0);
}

uint64_t history_events(struct history *history, const char *namespace)
{
    struct tally tally = { .namespace = namespace };

    history_each(history, NULL, add_events, &tally);
    return tally.events;
}

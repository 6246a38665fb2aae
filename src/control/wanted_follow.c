/* Which collections are read because somebody names them, and how is each? */

#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "informer_internal.h"
#include "text.h"
#include "wanted_internal.h"

/*
 * A collection that was read is in trouble when its watch has been away for so long, and well when
 * one has been open for so long: a connection that is cut and resumed, or a server that opens every
 * watch only to refuse it, must not look like news again and again.
 */
#define SETTLE_MS 2000

/*
 * Bodies may name further collections, and whether they do is found out by reading all of them.
 * They change all the time; four times a second is soon enough, and little work.
 */
#define LOOK_AFTER_MS 250

void prb_followed_free(void *value)
{
    struct prb_followed *followed = value;

    if (followed->own)
        prb_informers_drop(followed->informer);
    prb_store_unref(followed->store);
    free(followed);
}

struct prb_followed *prb_wanted_find_followed(
        const struct prb_wanted *wanted, const struct prb_want *want)
{
    char key[PRB_WANTED_KEY_SIZE];

    if (want->found.state != PRB_RESOURCE_PRESENT)
        return NULL;
    prb_wanted_key_of_gvr(&want->found.gvr, key);
    return prb_map_find(wanted->followed, key);
}

/* One that was dropped may still tell for a moment; looking once too often harms nobody. */
static void on_changed(
        void *ctx, struct prb_informer *informer, const struct prb_object *object, bool gone)
{
    struct prb_wanted *wanted = ctx;

    (void)gone;
    wanted->owner.changed(wanted->owner.ctx, prb_informer_gvr(informer), object);
    prb_wanted_look_for(wanted, prb_informer_gvr(informer), object);
    if (informer->whole)
        prb_queue_add_after(wanted->queue, PRB_WANTED_KEY_WANTS, LOOK_AFTER_MS);
}

static void on_state(void *ctx, struct prb_informer *informer)
{
    prb_wanted_look_at(ctx, prb_informer_gvr(informer));
}

static struct prb_informer *join(struct prb_wanted *wanted, const struct prb_gvr *gvr, bool whole)
{
    const struct prb_informer_listener listener = {
        .changed = on_changed, .state = on_state, .ctx = wanted
    };

    return whole ? prb_informers_join_whole(wanted->set, gvr, wanted->owner.keeps, &listener)
                 : prb_informers_join(wanted->set, gvr, &listener);
}

/* One that is followed already under this key is followed no more. */
static struct prb_followed *start_following(
        struct prb_wanted *wanted, const struct prb_gvr *gvr, bool whole, const char *key)
{
    struct prb_followed *followed = prb_calloc(1, sizeof(*followed));

    followed->gvr = *gvr;
    followed->whole = whole;
    followed->informer = wanted->owner.find_informer(wanted->owner.ctx, gvr);
    if (!followed->informer) {
        followed->own = true;
        followed->informer = join(wanted, gvr, whole);
    }
    followed->store = prb_store_ref(prb_informer_store(followed->informer));
    prb_map_set(wanted->followed, key, followed);
    wanted->outdated = true;
    prb_queue_add(wanted->queue, key); /* the owner's may have been read long ago */
    return followed;
}

static void mark(struct prb_wanted *wanted, const struct prb_want *want)
{
    struct prb_followed *followed = prb_wanted_find_followed(wanted, want);
    char key[PRB_WANTED_KEY_SIZE];

    if (want->found.state != PRB_RESOURCE_PRESENT)
        return;

    /* More is read when more is wanted; what was read too deep stays so, rather than going back and
     * forth. */
    if (!followed || (want->whole && !followed->whole)) {
        prb_wanted_key_of_gvr(&want->found.gvr, key);
        followed = start_following(wanted, &want->found.gvr, want->whole, key);
    }
    followed->needed = true;
}

void prb_wanted_follow(struct prb_wanted *wanted)
{
    const char *key;
    void *value;

    for (size_t at = 0; prb_map_next(wanted->wants, &at, &key, &value);)
        mark(wanted, value);
    for (size_t at = 0; prb_map_next(wanted->followed, &at, &key, &value);) {
        struct prb_followed *followed = value;

        if (followed->needed) {
            followed->needed = false;
            continue;
        }
        (void)prb_map_remove(wanted->followed, key);
        wanted->outdated = true;
    }
}

void prb_wanted_ask_again(struct prb_wanted *wanted, const struct prb_gvr *gvr)
{
    size_t at = 0;
    const char *key;
    void *value;

    while (prb_map_next(wanted->wants, &at, &key, &value)) {
        struct prb_want *want = value;

        if (want->found.state != PRB_RESOURCE_PRESENT || !prb_gvr_equal(&want->found.gvr, gvr))
            continue;
        want->fresh = true;
        prb_queue_add(wanted->queue, key);
    }
}

static void be_well(struct prb_followed *followed)
{
    followed->troubled_ms = 0;
    followed->forbidden = false;
    followed->trouble[0] = '\0';
}

static void be_in_trouble(struct prb_followed *followed, const struct prb_informer_state *state)
{
    followed->forbidden = state->code == PRB_E_FORBIDDEN;
    prb_text_copy(followed->trouble, sizeof(followed->trouble), state->error);
}

/* How it is; when to look again, if not at the next change: in so many ms, 0: not. */
static int64_t judge(
        struct prb_followed *followed, const struct prb_informer_state *state, int64_t now_ms)
{
    int64_t lived_ms = state->connected ? now_ms - state->opened_ms : 0;
    bool troubled = !state->connected && state->code != PRB_OK;
    int64_t away_ms;

    if (lived_ms >= SETTLE_MS) {
        be_well(followed);
        return 0;
    }
    if (troubled && followed->troubled_ms == 0)
        followed->troubled_ms = now_ms;
    if (followed->troubled_ms == 0)
        return 0; /* at its beginning, or between two watches in good order */
    if (state->connected)
        return SETTLE_MS - lived_ms;
    away_ms = now_ms - followed->troubled_ms;
    if (troubled && state->synced && away_ms < SETTLE_MS)
        return SETTLE_MS - away_ms;
    if (troubled)
        be_in_trouble(followed, state);
    return 0;
}

/* With the lock held. */
static int64_t check(
        struct prb_wanted *wanted, struct prb_followed *followed, struct prb_wanted_news *news)
{
    struct prb_informer_state state;
    int64_t again_ms;

    prb_informer_state(followed->informer, &state);
    again_ms = judge(followed, &state, wanted->clock->mono_ms(wanted->clock));
    if (state.synced && !followed->read)
        prb_wanted_news_add(news, &followed->gvr);
    followed->read = state.synced;
    followed->not_served = state.not_served;
    if (state.not_served)
        prb_wanted_ask_again(wanted, &followed->gvr);
    prb_wanted_publish(wanted, news);
    return again_ms;
}

void prb_wanted_check(struct prb_wanted *wanted, const char *key)
{
    struct prb_wanted_news news = { .gvrs = NULL };
    struct prb_followed *followed;
    int64_t again_ms = 0;

    (void)pthread_mutex_lock(&wanted->lock);
    followed = prb_map_find(wanted->followed, key);
    if (followed)
        again_ms = check(wanted, followed, &news);
    (void)pthread_mutex_unlock(&wanted->lock);
    prb_wanted_news_tell(wanted, &news);
    if (again_ms > 0)
        prb_queue_add_after(wanted->queue, key, again_ms);
}

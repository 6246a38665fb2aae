/* Who takes the finalizer off the CR, and when does nobody? */

#include "finalizer.h"

#include <errno.h>
#include <stdio.h>
#include <time.h>

#include "probate/base/str.h"
#include "probate/model/patch.h"

#include "support/wait.h"

/* It looks that often without being told, should its watch have been cut. */
#define RESYNC_MS 1000

/* Looks in a row that may come to nothing because a call failed: at 15 ms and more each, what a
 * server needs to come back. */
#define AGAIN_MAX 1000

/* What one look came to. */
enum outcome {
    NOTHING_TO_DO, /* no CR, or none that is being deleted and has the finalizer */
    REMOVED,
    DECLINED, /* there is no Deployment: nobody to do it */
    AGAIN,    /* what was seen was old, or a call failed */
};

static enum outcome failed(struct finalizer *finalizer, int code, const struct prb_error *err)
{
    if (code == PRB_E_NOTFOUND)
        return NOTHING_TO_DO;
    finalizer->failures++;
    if (finalizer->failures > AGAIN_MAX ||
            (code != PRB_E_CONFLICT && !prb_errc_is_transient((enum prb_errc)code))) {
        (void)pthread_mutex_lock(&finalizer->lock);
        (void)snprintf(finalizer->trouble, sizeof(finalizer->trouble), "%.250s", err->msg);
        (void)pthread_mutex_unlock(&finalizer->lock);
    }
    return AGAIN;
}

static enum outcome look(struct finalizer *finalizer)
{
    const struct world *world = finalizer->world;
    prb_auto(prb_object_unref) struct prb_object *instance = NULL;
    prb_auto(prb_object_unref) struct prb_object *deployment = NULL;
    prb_auto(prb_json_free) struct json_object *patch = NULL;
    struct prb_error err;
    int r = prb_api_get(world->api, &world->refs[CR], NULL, &instance, &err);

    if (r < 0)
        return failed(finalizer, r, &err);
    patch = prb_patch_remove_finalizer(instance, world->finalizer);
    if (!prb_object_is_deleting(instance) || !patch)
        return NOTHING_TO_DO;
    r = prb_api_get(world->api, &world->refs[DEPLOYMENT], NULL, &deployment, &err);
    if (r == PRB_E_NOTFOUND)
        return DECLINED;
    if (r == 0)
        r = prb_api_patch(world->api, &world->refs[CR], PRB_PATCH_JSON, patch, NULL, NULL, &err);
    return r < 0 ? failed(finalizer, r, &err) : REMOVED;
}

/* Lock held; given up while it looks. */
static void work(struct finalizer *finalizer)
{
    unsigned long ticket = finalizer->wanted;
    enum outcome outcome;

    finalizer->dirty = false;
    (void)pthread_mutex_unlock(&finalizer->lock);
    outcome = look(finalizer);
    if (outcome == AGAIN)
        prb_test_pause();
    else
        finalizer->failures = 0;
    (void)pthread_mutex_lock(&finalizer->lock);
    finalizer->removed += outcome == REMOVED;
    finalizer->declined += outcome == DECLINED;
    if (outcome == AGAIN)
        finalizer->dirty = true;
    else
        finalizer->done = ticket;
    (void)pthread_cond_broadcast(&finalizer->changed);
}

/* Lock held. Until there is a reason to look, or it is time to. */
static void wait_for_reason(struct finalizer *finalizer)
{
    struct timespec until;
    int r = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += RESYNC_MS / 1000;
    while (!finalizer->ending && !(finalizer->awake && finalizer->dirty) && r != ETIMEDOUT)
        r = pthread_cond_timedwait(&finalizer->changed, &finalizer->lock, &until);
    if (r == ETIMEDOUT)
        finalizer->dirty = true;
}

static void *run(void *arg)
{
    struct finalizer *finalizer = arg;

    (void)pthread_mutex_lock(&finalizer->lock);
    while (!finalizer->ending) {
        if (finalizer->awake && finalizer->dirty)
            work(finalizer);
        else
            wait_for_reason(finalizer);
    }
    (void)pthread_mutex_unlock(&finalizer->lock);
    return NULL;
}

static void set(struct finalizer *finalizer, bool *flag)
{
    (void)pthread_mutex_lock(&finalizer->lock);
    *flag = true;
    (void)pthread_cond_broadcast(&finalizer->changed);
    (void)pthread_mutex_unlock(&finalizer->lock);
}

static void on_event(void *ctx, const struct prb_watch_event *event)
{
    struct finalizer *finalizer = ctx;

    (void)event;
    set(finalizer, &finalizer->dirty);
}

/* With the CRD the collection goes, and its watches with it; in any other case it looks again. */
static void on_closed(void *ctx, const struct prb_error *why)
{
    (void)ctx;
    (void)why;
}

static void init(struct finalizer *finalizer, const struct world *world, bool awake)
{
    pthread_condattr_t attr;

    *finalizer = (struct finalizer){ .world = world, .awake = awake, .dirty = true };
    (void)pthread_mutex_init(&finalizer->lock, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&finalizer->changed, &attr);
    (void)pthread_condattr_destroy(&attr);
}

int finalizer_start(
        struct finalizer *finalizer, const struct world *world, bool awake, struct prb_error *err)
{
    const struct prb_watch_options options = { .namespace = world->team };
    const struct prb_watch_sink sink = { .event = on_event, .closed = on_closed, .ctx = finalizer };

    init(finalizer, world, awake);
    if (prb_api_watch(world->api, &world->refs[CR].gvr, &options, &sink, &finalizer->watch, err) <
            0)
        return prb_wrap(err, "watch the CRs");
    finalizer->started = pthread_create(&finalizer->thread, NULL, run, finalizer) == 0;
    return finalizer->started ? 0 : prb_fail(err, PRB_E_INTERNAL, "no thread to be had");
}

void finalizer_stop(struct finalizer *finalizer)
{
    if (!finalizer->world)
        return;
    set(finalizer, &finalizer->ending);
    if (finalizer->started)
        (void)pthread_join(finalizer->thread, NULL);
    prb_api_watch_stop(finalizer->world->api, prb_take(finalizer->watch));
    (void)pthread_cond_destroy(&finalizer->changed);
    (void)pthread_mutex_destroy(&finalizer->lock);
    finalizer->world = NULL;
}

void finalizer_wake(struct finalizer *finalizer)
{
    set(finalizer, &finalizer->awake);
}

void finalizer_catch_up(struct finalizer *finalizer)
{
    struct prb_test_wait wait =
            prb_test_wait_for(PRB_TEST_SOON_MS, "the finalizer controller looks at the CR");
    unsigned long mine;

    (void)pthread_mutex_lock(&finalizer->lock);
    mine = ++finalizer->wanted;
    finalizer->dirty = true;
    (void)pthread_cond_broadcast(&finalizer->changed);
    while (finalizer->done < mine && !finalizer->trouble[0]) {
        (void)prb_test_saw("look %lu of %lu is done", finalizer->done, mine);
        if (!prb_test_wait_cond(&wait, &finalizer->changed, &finalizer->lock))
            (void)snprintf(
                    finalizer->trouble, sizeof(finalizer->trouble), "%.250s", prb_test_awaited());
    }
    (void)pthread_mutex_unlock(&finalizer->lock);
}

unsigned finalizer_declined(struct finalizer *finalizer)
{
    unsigned declined;

    (void)pthread_mutex_lock(&finalizer->lock);
    declined = finalizer->declined;
    (void)pthread_mutex_unlock(&finalizer->lock);
    return declined;
}

bool finalizer_has_trouble(struct finalizer *finalizer, char *why, size_t size)
{
    bool found;

    (void)pthread_mutex_lock(&finalizer->lock);
    found = finalizer->trouble[0] != '\0';
    if (found)
        (void)snprintf(why, size, "the finalizer controller failed: %s", finalizer->trouble);
    (void)pthread_mutex_unlock(&finalizer->lock);
    return found;
}

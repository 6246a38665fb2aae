/* Who works on what is wanted, and from when to when? */

#include "wanted.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "informer_internal.h"
#include "wanted_internal.h"

struct prb_wanted *prb_wanted_new(
        struct prb_api *api, const struct prb_clock *clock, const struct prb_wanted_owner *owner)
{
    struct prb_wanted *wanted = prb_calloc(1, sizeof(*wanted));

    wanted->api = api;
    wanted->clock = clock ? clock : prb_clock_system();
    wanted->owner = *owner;
    wanted->queue = prb_queue_new("wanted", clock);
    wanted->wants = prb_map_new(free);
    wanted->followed = prb_map_new(prb_followed_free);
    (void)pthread_mutex_init(&wanted->lock, NULL);
    return wanted;
}

void prb_wanted_free(struct prb_wanted *wanted)
{
    if (!wanted)
        return;
    prb_wanted_stop(wanted);
    prb_queue_shut_down(wanted->queue);
    while (wanted->thread_count > 0)
        (void)pthread_join(wanted->threads[--wanted->thread_count], NULL);
    prb_informers_free(wanted->set);
    prb_map_free(wanted->wants);
    prb_map_free(wanted->followed);
    prb_queue_free(wanted->queue);
    (void)pthread_mutex_destroy(&wanted->lock);
    free(wanted);
}

void prb_wanted_key_of_name(const char *group, const char *name, char key[PRB_WANTED_KEY_SIZE])
{
    (void)snprintf(key, PRB_WANTED_KEY_SIZE, PRB_WANTED_KEY_NAME "%s/%s", group, name);
    for (char *at = strchr(key, '/'); *at; at++) {
        if (*at >= 'A' && *at <= 'Z')
            *at = (char)(*at - 'A' + 'a');
    }
}

void prb_wanted_key_of_gvr(const struct prb_gvr *gvr, char key[PRB_WANTED_KEY_SIZE])
{
    char text[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(gvr, text);
    (void)snprintf(key, PRB_WANTED_KEY_SIZE, PRB_WANTED_KEY_COLLECTION "%s", text);
}

static void *work(void *arg)
{
    struct prb_wanted *wanted = arg;
    char *key;

    while ((key = prb_queue_take(wanted->queue))) {
        if (prb_streq(key, PRB_WANTED_KEY_WANTS))
            prb_wanted_collect(wanted);
        else if (prb_starts_with(key, PRB_WANTED_KEY_NAME))
            prb_wanted_resolve(wanted, key);
        else
            prb_wanted_check(wanted, key);
        prb_queue_finish(wanted->queue, key);
        free(key);
    }
    return NULL;
}

/* With the lock held. */
static int ensure_threads(struct prb_wanted *wanted, struct prb_error *err)
{
    if (!wanted->set) {
        wanted->set = prb_informers_new_named(wanted->api, wanted->clock, "wanted-informers");
        if (prb_informers_start(wanted->set, err) < 0)
            return err->code;
    }
    for (; wanted->thread_count < PRB_WANTED_THREADS; wanted->thread_count++) {
        if (pthread_create(&wanted->threads[wanted->thread_count], NULL, work, wanted) != 0)
            return prb_fail(err, PRB_E_INTERNAL, "cannot start a thread for wanted collections");
    }
    return 0;
}

int prb_wanted_start(struct prb_wanted *wanted, struct prb_error *err)
{
    int r;

    (void)pthread_mutex_lock(&wanted->lock);
    r = ensure_threads(wanted, err);
    wanted->active = r == 0;
    (void)pthread_mutex_unlock(&wanted->lock);
    if (r == 0)
        prb_wanted_look(wanted);
    return r;
}

void prb_wanted_stop(struct prb_wanted *wanted)
{
    struct prb_wanted_sight *sight;

    (void)pthread_mutex_lock(&wanted->lock);
    wanted->active = false;
    wanted->sought = 0;
    wanted->more = false;
    prb_map_clear(wanted->wants);
    prb_map_clear(wanted->followed);
    sight = prb_take(wanted->sight);
    (void)pthread_mutex_unlock(&wanted->lock);
    prb_wanted_sight_unref(sight);
}

void prb_wanted_look(struct prb_wanted *wanted)
{
    prb_queue_add(wanted->queue, PRB_WANTED_KEY_WANTS);
}

void prb_wanted_look_at(struct prb_wanted *wanted, const struct prb_gvr *gvr)
{
    char key[PRB_WANTED_KEY_SIZE];

    prb_wanted_key_of_gvr(gvr, key);
    prb_queue_add(wanted->queue, key);
}

void prb_wanted_poke(struct prb_wanted *wanted)
{
    prb_queue_poke(wanted->queue);
    (void)pthread_mutex_lock(&wanted->lock);
    if (wanted->set)
        prb_informers_poke(wanted->set);
    (void)pthread_mutex_unlock(&wanted->lock);
}

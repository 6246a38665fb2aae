/* What does a client do that wants something gone? */

#include "crew.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "probate/base/str.h"

#include "support/wait.h"

/* Between two tries of a client: it doubles from the first to the last. */
#define PAUSE_MIN_MS 5
#define PAUSE_MAX_MS 1280

void crew_init(struct crew *crew, const struct world *world)
{
    pthread_condattr_t attr;

    *crew = (struct crew){ .world = world };
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&crew->changed, &attr);
    (void)pthread_condattr_destroy(&attr);
    for (enum thing i = CR; i < THINGS; i++)
        crew->clients[i] = (struct client){ .crew = crew, .thing = i };
}

void crew_done(struct crew *crew)
{
    (void)pthread_mutex_lock(&crew->lock);
    crew->over = true;
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->lock);
    for (size_t i = 0; i < THINGS; i++) {
        if (crew->clients[i].started && !prb_test_join("a client of the crew ends",
                                                crew->clients[i].thread, NULL, PRB_TEST_STORM_MS))
            abort(); /* it has the crew, which is freed next */
        crew->clients[i].started = false;
    }
    (void)pthread_cond_destroy(&crew->changed);
    (void)pthread_mutex_destroy(&crew->lock);
}

/* Answers that say "not now". Whatever else comes is a failure of the test. */
static bool is_refusal(int code)
{
    return code == PRB_E_FORBIDDEN || code == PRB_E_CONFLICT || code == PRB_E_UNAVAILABLE ||
           code == PRB_E_THROTTLED;
}

/* Lock held. */
static void take_answer(struct client *client, int code, const struct prb_error *err)
{
    if (code == 0) {
        client->accepted++;
    } else if (code == PRB_E_NOTFOUND) {
        client->gone = true;
    } else if (is_refusal(code)) {
        client->refused++;
        (void)snprintf(client->refusal, sizeof(client->refusal), "%.250s", err->msg);
    } else {
        (void)snprintf(client->trouble, sizeof(client->trouble), "the %s: %s: %.200s",
                thing_name(client->thing), prb_errc_name((enum prb_errc)code), err->msg);
    }
}

void crew_send(struct crew *crew, enum thing thing)
{
    const struct world *world = crew->world;
    const struct prb_delete_options options = { .uid = world->uids[thing],
        .propagation = PRB_PROPAGATE_BACKGROUND };
    struct prb_error err;
    int code = prb_api_delete(world->api, &world->refs[thing], &options, &err);

    (void)pthread_mutex_lock(&crew->lock);
    take_answer(&crew->clients[thing], code, &err);
    (void)pthread_cond_broadcast(&crew->changed);
    (void)pthread_mutex_unlock(&crew->lock);
}

/* Lock held. False: it is over meanwhile. */
static bool rest(struct crew *crew, int ms)
{
    struct timespec until;
    int r = 0;

    (void)clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += ms * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000L;
    until.tv_nsec %= 1000000000L;
    while (!crew->over && r != ETIMEDOUT)
        r = pthread_cond_timedwait(&crew->changed, &crew->lock, &until);
    return !crew->over;
}

static void *try_again(void *arg)
{
    struct client *client = arg;
    struct crew *crew = client->crew;
    int pause_ms = PAUSE_MIN_MS;

    (void)pthread_mutex_lock(&crew->lock);
    while (!client->gone && !client->trouble[0] && rest(crew, pause_ms)) {
        (void)pthread_mutex_unlock(&crew->lock);
        crew_send(crew, client->thing);
        (void)pthread_mutex_lock(&crew->lock);
        pause_ms = pause_ms * 2 < PAUSE_MAX_MS ? pause_ms * 2 : PAUSE_MAX_MS;
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

int crew_start(struct crew *crew, struct prb_error *err)
{
    for (size_t i = 0; i < THINGS; i++) {
        struct client *client = &crew->clients[i];

        if (pthread_create(&client->thread, NULL, try_again, client) != 0)
            return prb_fail(err, PRB_E_INTERNAL, "no thread to be had for a client");
        client->started = true;
    }
    return 0;
}

struct client crew_client(struct crew *crew, enum thing thing)
{
    struct client copy;

    (void)pthread_mutex_lock(&crew->lock);
    copy = crew->clients[thing];
    (void)pthread_mutex_unlock(&crew->lock);
    return copy;
}

bool crew_is_done(struct crew *crew)
{
    bool done = true;

    (void)pthread_mutex_lock(&crew->lock);
    for (size_t i = 0; i < THINGS; i++)
        done = done && crew->clients[i].gone;
    (void)pthread_mutex_unlock(&crew->lock);
    return done;
}

bool crew_has_trouble(struct crew *crew, char *why, size_t size)
{
    bool found = false;

    (void)pthread_mutex_lock(&crew->lock);
    for (size_t i = 0; i < THINGS && !found; i++) {
        found = crew->clients[i].trouble[0] != '\0';
        if (found)
            (void)snprintf(
                    why, size, "a client got an answer that is none: %s", crew->clients[i].trouble);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return found;
}

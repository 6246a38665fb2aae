#ifndef TESTS_ORDERS_CREW_H
#define TESTS_ORDERS_CREW_H

/*
 * Five clients that know nothing of each other or of any order. Each sends a DELETE for its object
 * and, whatever it is answered, sends it again after a while until the answer is 404.
 */

#include <pthread.h>
#include <stdbool.h>

#include "world.h"

struct client {
    struct crew *crew; /* borrowed */
    enum thing thing;
    pthread_t thread;
    bool started;
    bool gone;                  /* it was answered 404 */
    unsigned accepted, refused; /* answers so far */
    char refusal[256];          /* the newest */
    char trouble[256];          /* an answer that no client should ever get; "": none */
};

struct crew {
    const struct world *world; /* borrowed */
    pthread_mutex_t lock;      /* all of the clients, and: */
    pthread_cond_t changed;
    bool over; /* nobody tries again */
    struct client clients[THINGS];
};

void crew_init(struct crew *crew, const struct world *world);

/* End all clients and wait for them. */
void crew_done(struct crew *crew);
static inline void crew_donep(struct crew *crew)
{
    crew_done(crew);
}

/* One DELETE of this client, answered. */
void crew_send(struct crew *crew, enum thing thing);

/* From now on each tries again by itself, until its object is gone. */
int crew_start(struct crew *crew, struct prb_error *err);

/* A copy, as things stand. */
struct client crew_client(struct crew *crew, enum thing thing);

/* Did every client get its 404? */
bool crew_is_done(struct crew *crew);

/* The trouble of one of them; false: there is none. */
bool crew_has_trouble(struct crew *crew, char *why, size_t size);

#endif

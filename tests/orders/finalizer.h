#ifndef TESTS_ORDERS_FINALIZER_H
#define TESTS_ORDERS_FINALIZER_H

/*
 * The controller that the Deployment of the example stands for: it watches the CRs of its world and
 * takes the finalizer off those that are being deleted, but only while the Deployment exists; it is
 * asked for live, before each write. Level-based, as real ones are: an event is only a reason to
 * look.
 */

#include <pthread.h>
#include <stdbool.h>

#include "world.h"

struct finalizer {
    const struct world *world; /* borrowed */
    struct prb_watch *watch;   /* owned */
    pthread_t thread;
    bool started;
    unsigned failures; /* looks in a row that came to nothing; of the thread alone */

    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    bool awake; /* it may work */
    bool dirty, ending;
    unsigned long wanted, done; /* looks that somebody waits for */
    unsigned removed;           /* finalizers taken off */
    unsigned declined;          /* times it found the CR in need of it, and the Deployment gone */
    char trouble[256];          /* a call that failed for no good reason; "": none */
};

/* `awake` false: it sleeps until finalizer_wake, as one does whose queue is long. */
int finalizer_start(
        struct finalizer *finalizer, const struct world *world, bool awake, struct prb_error *err);
void finalizer_stop(struct finalizer *finalizer);
static inline void finalizer_stopp(struct finalizer *finalizer)
{
    finalizer_stop(finalizer);
}

void finalizer_wake(struct finalizer *finalizer);

/* Let it look once more, and wait until it has done all there is to do. It must be awake. */
void finalizer_catch_up(struct finalizer *finalizer);

unsigned finalizer_declined(struct finalizer *finalizer);

bool finalizer_has_trouble(struct finalizer *finalizer, char *why, size_t size);

#endif

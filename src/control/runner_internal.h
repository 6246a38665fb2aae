#ifndef SRC_CONTROL_RUNNER_INTERNAL_H
#define SRC_CONTROL_RUNNER_INTERNAL_H

/* One runner, as the runner*.c files share it. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "probate/control/runner.h"

#include "memory.h"
#include "namespaced.h"
#include "waits.h"
#include "wanted.h"

/* One entry of the reconciler's table, and the informer that serves it. */
struct prb_runner_watch {
    struct prb_runner *runner;         /* borrowed, as all here */
    const struct prb_watch_spec *spec; /* static */
    struct prb_gvr gvr;
    struct prb_informer *informer;     /* NULL: it is read by namespace, as the next says */
    struct prb_namespaced *namespaced; /* NULL: it is read whole */
};

/* Collections that one reconciler reads by namespace. */
#define PRB_RUNNER_NAMESPACED_MAX 2

struct prb_runner {
    const struct prb_reconciler *reconciler; /* borrowed */
    struct prb_runner_options options;
    struct prb_queue *queue;          /* owned; shut while the runner is stopped */
    struct prb_waits *waits;          /* owned */
    struct prb_memory *memory;        /* owned; empty while the runner is stopped, as the next */
    struct prb_memory *echoes;        /* owned: of what the last pass over each key has written */
    struct prb_runner_watch *watches; /* owned; one for each of the reconciler */
    struct prb_store **stores;        /* owned table; each store once */
    size_t store_count;
    const struct prb_runner_watch *namespaced[PRB_RUNNER_NAMESPACED_MAX]; /* of `watches` */
    size_t namespaced_count;
    struct prb_wanted *wanted; /* owned; NULL: the reconciler wants nothing beside its table */

    _Atomic bool stop; /* workers begin no further write */

    pthread_mutex_t life; /* for start and stop, which may come from several threads */
    pthread_t *threads;   /* owned */
    int thread_count;
    bool running;
};

/* One pass over a key, which the caller has taken from the queue. */
void prb_runner_work_on(struct prb_runner *runner, const char *key);

/* Ask for the reconciler's collections, and hear of their changes. */
void prb_runner_watch_all(struct prb_runner *runner);

/* Let the namespaces be read that the reconciler names, or do not any more. */
int prb_runner_switch_namespaces(struct prb_runner *runner, bool on, struct prb_error *err);

/* Every key that a known object of the collections leads to is due. */
void prb_runner_enqueue_all(struct prb_runner *runner);

/* A view on all of the reconciler's collections, and what it borrows from. */
struct prb_runner_look {
    struct prb_view *view;
    struct prb_wanted_sight *sight; /* a reference; NULL: nothing is wanted, or known of it */

    /* References, to what is read by namespace; some may be NULL. */
    struct prb_namespaced_sight *namespaced[PRB_RUNNER_NAMESPACED_MAX];
};

/* The thread must not have a view open. */
struct prb_runner_look prb_runner_look(struct prb_runner *runner);
void prb_runner_look_done(struct prb_runner_look *look);
static inline void prb_runner_look_donep(struct prb_runner_look *look)
{
    prb_runner_look_done(look);
}

/* For `map` functions: `ctx` is the runner. */
void prb_runner_enqueue_for(void *ctx, const struct prb_ref *key);

/* What the runner's collections are to the reconciler's `wants`; NULL when it has none. */
struct prb_wanted *prb_runner_wanted_new(struct prb_runner *runner);

/* Which keys does an object lead to, when its collection is one of the wanted? NULL: what is known
 * of the collection changed. */
void prb_runner_map_wanted(struct prb_runner *runner, const struct prb_view *view,
        const struct prb_gvr *gvr, const struct prb_object *object);

#endif

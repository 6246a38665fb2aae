#ifndef SRC_CONTROL_RUNNER_INTERNAL_H
#define SRC_CONTROL_RUNNER_INTERNAL_H

/* One runner, as the runner*.c files share it. */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "probate/control/runner.h"

#include "waits.h"

/* One entry of the reconciler's table, and the informer that serves it. */
struct prb_runner_watch {
    struct prb_runner *runner;         /* borrowed, as all here */
    const struct prb_watch_spec *spec; /* static */
    struct prb_informer *informer;
};

struct prb_runner {
    const struct prb_reconciler *reconciler; /* borrowed */
    struct prb_runner_options options;
    struct prb_queue *queue;          /* owned; shut while the runner is stopped */
    struct prb_waits *waits;          /* owned */
    struct prb_runner_watch *watches; /* owned; one for each of the reconciler */
    struct prb_store **stores;        /* owned table; each store once */
    size_t store_count;

    _Atomic bool stop; /* workers begin no further write */

    pthread_mutex_t life; /* for start and stop, which may come from several threads */
    pthread_t *threads;   /* owned */
    int thread_count;
    bool running;
};

/* Ask for the reconciler's collections, and hear of their changes. */
void prb_runner_watch_all(struct prb_runner *runner);

/* Every key that a known object of the collections leads to is due. */
void prb_runner_enqueue_all(struct prb_runner *runner);

/* A view on all of the reconciler's collections. The thread must not have one open. */
struct prb_view *prb_runner_view(struct prb_runner *runner);

#endif

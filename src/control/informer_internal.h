#ifndef SRC_CONTROL_INFORMER_INTERNAL_H
#define SRC_CONTROL_INFORMER_INTERNAL_H

/*
 * One informer and the set it belongs to, as the informer*.c files share them.
 *
 * The id of an informer in the set's queue means: it has something to do, list or watch. The queue
 * hands an id to one thread at a time, so a step never runs twice at once, and a `closed` that
 * comes before prb_api_watch has returned waits for the step to end. While a watch is open its
 * events are the store's only writer; before a list the watch is stopped.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/control/informer.h"
#include "probate/control/queue.h"
#include "probate/model/side.h"

#include "namespaced.h"
#include "waker.h"

/* Threads that list. Two, so that one slow collection does not hold up all others; more would only
 * make Probate a burden to a server that has just come back. */
#define PRB_INFORMER_THREADS 2

struct prb_informers {
    struct prb_api *api;           /* borrowed */
    const struct prb_clock *clock; /* borrowed */
    struct prb_informer **items;   /* owned, as each in it; under progress, as the two below */
    size_t count;
    size_t made;                        /* so far: the next id */
    struct prb_queue *queue;            /* owned: ids of informers */
    struct prb_namespaced **namespaced; /* owned, as each in it; fixed once started */
    size_t namespaced_count;
    pthread_t threads[PRB_INFORMER_THREADS];
    size_t thread_count;

    struct prb_waker progress; /* system's clock; woken when one was read whole, and at the stop */
    bool started;              /* under progress, as stopped */
    bool stopped;
};

#define PRB_INFORMER_ID_SIZE 21 /* a size_t in decimal and the NUL */

struct prb_informer {
    struct prb_informers *set; /* borrowed */
    char id[PRB_INFORMER_ID_SIZE];
    struct prb_gvr gvr;
    char group_text[PRB_SIDE_GROUP_TEXT_SIZE]; /* of the gvr, for the log */
    char *namespace;                           /* owned; "": all */
    char *label_selector;                      /* owned; "": all */
    bool whole;
    const char *const *keeps;                /* static; NULL: everything that was fetched */
    const char *const *annotations;          /* static; NULL: all */
    struct prb_store *store;                 /* a reference */
    struct prb_informer_listener *listeners; /* owned; fixed once it has started */
    size_t listener_count;

    struct prb_watch *watch; /* owned; touched by the thread that has the id in hand, or at the stop
                                when there is none */

    pthread_mutex_t lock;   /* for all below */
    bool dropped;           /* the next step is the last */
    bool must_list;         /* the next step is a list; else a watch */
    char *resource_version; /* owned; where the watch resumes */
    bool watching;          /* events count: a watch was opened and has not ended */
    bool delivered;         /* it has brought something */
    int64_t opened_ms;      /* monotonic */
    int failures;           /* steps in a row that came to nothing */
    bool watch_troubled;    /* the trouble is one of the watch: a list does not end it */
    struct prb_informer_state state;
    char said[sizeof(((struct prb_informer_state *)0)->error)]; /* the last trouble logged; "" */
};

/* One step: list when it has to, then open a watch. Arranges for the next step when it fails. One
 * that was dropped is freed. */
void prb_informer_step(struct prb_informer *informer);

/* Take it out of the set and free it. Its watch has been stopped, and nobody else has it in hand.
 */
void prb_informer_end(struct prb_informer *informer);

/* Read the collection and make the store equal to it. A failure has been dealt with. */
bool prb_informer_list(struct prb_informer *informer);

void prb_informer_watch(struct prb_informer *informer);

/* A list failed, or a watch ended for `why`: note it and come back at a fitting time. */
void prb_informer_list_failed(struct prb_informer *informer, const struct prb_error *why);
void prb_informer_watch_ended(struct prb_informer *informer, const struct prb_error *why);

/* Something came from the server: trouble that was logged is over. Lock held. */
void prb_informer_all_well(struct prb_informer *informer);

/* It was read, or is known not to be served: who waits for that looks again. No lock held. */
void prb_informer_progressed(struct prb_informer *informer);

/* Its state changed: tell the listeners; no lock held. */
void prb_informer_state_changed(struct prb_informer *informer);

/* What the store is to hold of an object: the same, or less. A reference. */
struct prb_object *prb_informer_kept(
        const struct prb_informer *informer, const struct prb_object *object);

/* Read once, or positively not served. */
bool prb_informer_settled(struct prb_informer *informer);

/* As prb_informer_listen, also after the start of the set, but not of the informer. */
void prb_informer_add_listener(
        struct prb_informer *informer, const struct prb_informer_listener *listener);

/* Tell the listeners; no lock held. */
void prb_informer_announce(
        struct prb_informer *informer, const struct prb_object *object, bool gone);

#endif

#ifndef PROBATE_HUB_STATE_INTERNAL_H
#define PROBATE_HUB_STATE_INTERNAL_H

/*
 * Everything a hub holds. All of it is guarded by `lock`, except the clock and what is set once
 * before the hub is handed out; functions of this layer that take a hub expect the lock held
 * unless they say otherwise. Objects are immutable, so a reference may leave the lock.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/base/map.h"
#include "probate/hub/hub.h"

#include "kinds.h"
#include "log.h"
#include "pages.h"
#include "queue.h"

/* A way to call the hub, and as whom. */
struct prb_hub_port {
    struct prb_api api;  /* first: a port is this */
    struct prb_hub *hub; /* borrowed */
    char *user;          /* owned */
    struct prb_hub_port *next;
};

/* One object. Its address stays the same as long as the object exists. */
struct prb_hub_entry {
    struct prb_hub_kind *kind; /* borrowed */
    struct prb_object *object; /* owned; the current state */
};

struct prb_hub {
    struct prb_hub_port *ports; /* owned list */
    struct prb_api *own;        /* the one that prb_hub_api gives */
    pthread_mutex_t lock;
    pthread_cond_t wake;           /* the notifier has something to do */
    pthread_cond_t due;            /* the retrier has something to do */
    pthread_cond_t calm;           /* a judgement or a callback of a watch is over */
    const struct prb_clock *clock; /* borrowed */
    int bookmark_ms;

    uint64_t version;           /* the resourceVersion given out last */
    struct prb_map *kinds;      /* owned: "resource.group" to struct prb_hub_kind */
    struct prb_map *by_uid;     /* owned: uid to struct prb_hub_entry, borrowed */
    struct prb_map *dependents; /* owned: uid of an owner to struct prb_hub_dependents */
    size_t count;               /* objects */
    struct prb_hub_log log;
    struct prb_hub_pages pages;

    struct prb_hub_queue queue; /* what has to be looked at */
    bool loading;               /* nothing that is stored now has consequences */
    bool retrying;              /* the thread below runs */
    pthread_t retrier;

    struct prb_watch *watches; /* owned list */
    uint64_t turns;            /* how often a watch was told something */
    bool notifying;            /* the thread below runs */
    pthread_t notifier;
    bool stopping;    /* notifier and retrier are to end */
    bool interrupted; /* every call fails with CANCELLED */

    prb_hub_admit_fn admit;   /* NULL: everything is admitted */
    void *admit_ctx;          /* borrowed */
    size_t judging;           /* calls of it in progress */
    prb_hub_access_fn access; /* NULL: nothing is known */
    void *access_ctx;         /* borrowed */
};

#endif

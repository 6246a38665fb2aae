#ifndef PROBATE_SRC_ADMISSION_CONNECTIONS_INTERNAL_H
#define PROBATE_SRC_ADMISSION_CONNECTIONS_INTERNAL_H

/* The parts of struct prb_connections, which two files work on. */

#include <pthread.h>

#include "probate/base/clock.h"

#include "connections.h"

/* So long may be sent what was begun just before its time was over: the rest of a first request
 * whose first byte came late, or a request that was on its way when its connection was shut for
 * reading. */
#define PRB_CONNECTION_GRACE_MS 1000

struct prb_connections {
    struct prb_connection_limits limits;
    pthread_t reaper;
    _Atomic unsigned count;
    _Atomic int64_t wakes_ms;           /* when the reaper looks next */
    pthread_mutex_t lock;               /* all below */
    pthread_cond_t sooner;              /* the reaper has to look earlier, or end */
    pthread_cond_t closed;              /* one was taken out */
    struct prb_connection *list, *last; /* the oldest first */
    unsigned kept;                      /* of them: neither shut nor aside */
    bool stopping;
};

static inline int64_t prb_connections_now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

/*
 * With the lock, so that its socket is still its own. The daemon sees the end of the stream, closes
 * it and takes it off the list. An idle one is shut for reading only: what has arrived by now is
 * still read and answered. The kernel goes on delivering what its client sends, so that the daemon
 * may never see the end; therefore it has a new deadline, after which it is shut whole.
 *
 * False: it is no longer the one that has this deadline, as something new has begun on it.
 */
bool prb_connection_shut(struct prb_connection *connection, int64_t deadline);

/* With the lock: shut one, so that another may have its place; NULL: any one of all that are open.
 * False: they have to stay. */
bool prb_connections_displace(
        struct prb_connections *connections, const struct prb_connection *for_one);

#endif

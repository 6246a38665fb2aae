#ifndef PROBATE_SRC_ADMISSION_CONNECTIONS_INTERNAL_H
#define PROBATE_SRC_ADMISSION_CONNECTIONS_INTERNAL_H

/* The parts of struct prb_connections, which two files work on. */

#include <pthread.h>

#include "probate/base/clock.h"

#include "connections.h"

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
 * still read and answered.
 */
void prb_connection_shut(const struct prb_connection *connection);

/* With the lock: shut one, so that another may have its place; NULL: any one of all that are open.
 * False: they have to stay. */
bool prb_connections_displace(
        struct prb_connections *connections, const struct prb_connection *for_one);

#endif

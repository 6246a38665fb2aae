#ifndef PROBATE_SRC_ADMISSION_CONNECTIONS_H
#define PROBATE_SRC_ADMISSION_CONNECTIONS_H

/*
 * The open connections of one libmicrohttpd daemon, each with a deadline, and a thread that shuts
 * those past it. The daemon has an inactivity timeout only, which a client that drips one byte at
 * a time never meets. Thread-safe.
 *
 * When as many are open as may be, a new one takes the place of another: see enum prb_standing.
 * If all others have to stay, the new one is kept aside, to be told to come back.
 */

#include <stdbool.h>
#include <stdint.h>

#include <microhttpd.h>

#include "probate/base/error.h"

/* What a connection is at, and so what its deadline is for. */
enum prb_phase {
    PRB_PHASE_HANDSHAKE,
    PRB_PHASE_IDLE, /* no request has begun, as far as can be told */
    PRB_PHASE_HEADERS,
    PRB_PHASE_BODY,
    PRB_PHASE_WORK, /* a whole request is being worked on */
    PRB_PHASE_ANSWER,
};

/* "handshake", "idle" and so on; static. */
const char *prb_phase_name(enum prb_phase phase);

/*
 * What a connection has done so far, and so how soon it has to make room for a new one. Among
 * equals the one goes that has been at the same thing for the longest time.
 */
enum prb_standing {
    PRB_STANDING_UNUSED,   /* the headers of its first request are not whole */
    PRB_STANDING_UNPROVEN, /* see prb_connections_prove; its client has to send something */
    PRB_STANDING_UNREAD,   /* the same, and its client has to take an answer */
    PRB_STANDING_STALE,    /* proven, and idle for so long that its client does not use it again */
    PRB_STANDING_STAYS,    /* in use, or proven and likely to be used again */
};

/* "unused", "unproven" and so on; static. */
const char *prb_standing_name(enum prb_standing standing);

/* One of them; part of a larger struct of its owner. All members are internal. */
struct prb_connection {
    struct prb_connection *next, *before;
    int fd;           /* the daemon's; open for as long as the connection is in the list */
    int64_t first_ms; /* monotonic: the headers of the first request are whole by then */
    _Atomic int64_t deadline_ms; /* monotonic */
    _Atomic int64_t since_ms;    /* monotonic: when the phase began */
    _Atomic int phase;           /* enum prb_phase */
    _Atomic bool used;           /* the headers of a request were whole */
    _Atomic bool proven;         /* see prb_connections_prove */
    bool shut;                   /* it was told to make room, and is not closed yet */
    bool is_ending;              /* its time was over before; it was shut, if only for reading */
    bool aside;                  /* above the limit */
};

struct prb_connections;

struct prb_connection_limits {
    unsigned count;   /* open at once; for more others have to go, or they are kept aside */
    int64_t stale_ms; /* idle for longer than this, a proven connection may be closed for others */
    int64_t first_ms; /* to the headers of the first request */
    int64_t request_ms; /* from the headers of a request to the last byte of its answer */
    int64_t idle_ms;    /* from one answer to the next whole request */

    /* Told of each connection that is shut because its time is over; NULL: nobody. */
    void (*overdue)(enum prb_phase phase);

    /* Told of each connection that is shut to make room; NULL: nobody. */
    void (*displaced)(enum prb_standing standing);
};

#define PRB_NO_DEADLINE INT64_MAX

/* Starts the thread. */
int prb_connections_new(const struct prb_connection_limits *limits, struct prb_connections **ret,
        struct prb_error *err);

/* After the daemon was stopped. NULL is fine. */
void prb_connections_free(struct prb_connections *connections);

/* For an owner that allocates connections itself: one opens, and has first_ms for its first
 * request. If there are enough of them, another one is shut, or this one is kept aside. */
void prb_connections_add(struct prb_connections *connections, struct prb_connection *connection,
        int fd, enum prb_phase phase);

/* One closes; before the daemon closes its socket, so that the thread never shuts another's. */
void prb_connections_remove(struct prb_connections *connections, struct prb_connection *connection);

/* It is at something else from now on, for at most `ms` (or PRB_NO_DEADLINE). Whatever comes after
 * the headers is a use of the connection; before that there is the time for the first request only.
 */
void prb_connections_enter(struct prb_connections *connections, struct prb_connection *connection,
        enum prb_phase phase, int64_t ms);

static inline enum prb_phase prb_connection_phase(const struct prb_connection *connection)
{
    return (enum prb_phase)connection->phase;
}

/* Its client did what the port is there for: others go before this connection does. */
void prb_connections_prove(struct prb_connection *connection);

/* May it be served? One that was kept aside may if there is room by now. */
bool prb_connections_admit(struct prb_connections *connections, struct prb_connection *connection);

/* Make room for a connection that is not there yet: of all that are open, one is shut. */
void prb_connections_make_room(struct prb_connections *connections);

/*
 * Make room for a request on this connection: shut the one that takes longest over the body of its
 * first request, if one takes more than `slow_ms`. False: there is none.
 */
bool prb_connections_cut_body(struct prb_connections *connections,
        const struct prb_connection *connection, int64_t slow_ms);

/* How many are open. */
unsigned prb_connections_count(const struct prb_connections *connections);

/*
 * Let the idle ones come to their end: they are read up to what has arrived and closed then. One
 * that has bytes waiting is not idle, whatever it was last said to be.
 */
void prb_connections_end_idle(struct prb_connections *connections);

/* Shut them all. */
void prb_connections_shut(struct prb_connections *connections);

/* Wait until one was closed, or `ms` are over; returns how many are open. */
unsigned prb_connections_wait(struct prb_connections *connections, int64_t ms);

/* For MHD_OPTION_NOTIFY_CONNECTION, with the connections as its closure. */
void prb_connections_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code);

/* The headers of a request are there, and it is answered at once. */
void prb_connections_begin(struct prb_connections *connections, struct MHD_Connection *connection);

/* Its answer was sent, or not: for MHD_OPTION_NOTIFY_COMPLETED. */
void prb_connections_end(struct prb_connections *connections, struct MHD_Connection *connection);

#endif

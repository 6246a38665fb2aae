#ifndef PROBATE_SRC_ADMISSION_CONNECTIONS_H
#define PROBATE_SRC_ADMISSION_CONNECTIONS_H

/*
 * The open connections of one libmicrohttpd daemon, each with a deadline, and a thread that shuts
 * those past it. The daemon has an inactivity timeout only, which a client that drips one byte at
 * a time never meets. Thread-safe.
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

/* One of them; part of a larger struct of its owner. All members are internal. */
struct prb_connection {
    struct prb_connection *next, *before;
    int fd; /* the daemon's; open for as long as the connection is in the list */
    _Atomic int64_t deadline_ms; /* monotonic */
    _Atomic int phase;           /* enum prb_phase */
};

struct prb_connections;

struct prb_connection_limits {
    unsigned count;     /* open at once; more are told to come back */
    int64_t request_ms; /* to a whole first request, and from a whole request to its last byte */
    int64_t idle_ms;    /* from one answer to the next whole request */

    /* Told of each connection that is shut because its time is over; NULL: nobody. */
    void (*overdue)(enum prb_phase phase);
};

#define PRB_NO_DEADLINE INT64_MAX

/* Starts the thread. */
int prb_connections_new(const struct prb_connection_limits *limits, struct prb_connections **ret,
        struct prb_error *err);

/* After the daemon was stopped. NULL is fine. */
void prb_connections_free(struct prb_connections *connections);

/* For who allocates connections himself: one opens, and may stay in this phase for `ms`. */
void prb_connections_add(struct prb_connections *connections, struct prb_connection *connection,
        int fd, enum prb_phase phase, int64_t ms);

/* One closes; before the daemon closes its socket, so that the thread never shuts another's. */
void prb_connections_remove(struct prb_connections *connections, struct prb_connection *connection);

/* It is at something else from now on, for at most `ms` (or PRB_NO_DEADLINE). */
void prb_connections_enter(struct prb_connections *connections, struct prb_connection *connection,
        enum prb_phase phase, int64_t ms);

static inline enum prb_phase prb_connection_phase(const struct prb_connection *connection)
{
    return (enum prb_phase)connection->phase;
}

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

/* A whole request is there. False when there are more connections than the limit. */
bool prb_connections_begin(struct prb_connections *connections, struct MHD_Connection *connection);

/* Its answer was sent, or not: for MHD_OPTION_NOTIFY_COMPLETED. */
void prb_connections_end(struct prb_connections *connections, struct MHD_Connection *connection);

#endif

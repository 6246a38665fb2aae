#ifndef PROBATE_SRC_ADMISSION_CONNECTIONS_H
#define PROBATE_SRC_ADMISSION_CONNECTIONS_H

/*
 * The open connections of one libmicrohttpd daemon, each with a deadline, and a thread that shuts
 * those past it. The daemon has an inactivity timeout only, which a client that drips one byte at
 * a time never meets. Thread-safe.
 */

#include <stdint.h>

#include <microhttpd.h>

#include "probate/base/error.h"

struct prb_connections;

struct prb_connection_limits {
    unsigned count;     /* open at once; more are told to come back */
    int64_t request_ms; /* to a whole first request, and from a whole request to its last byte */
    int64_t idle_ms;    /* from one answer to the next whole request */
};

/* Starts the thread. */
int prb_connections_new(const struct prb_connection_limits *limits, struct prb_connections **ret,
        struct prb_error *err);

/* After the daemon was stopped. NULL is fine. */
void prb_connections_free(struct prb_connections *connections);

/* For MHD_OPTION_NOTIFY_CONNECTION, with the connections as its closure. */
void prb_connections_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code);

/* A whole request is there. False when there are more connections than the limit. */
bool prb_connections_begin(struct prb_connections *connections, struct MHD_Connection *connection);

/* Its answer was sent, or not: for MHD_OPTION_NOTIFY_COMPLETED. */
void prb_connections_end(struct prb_connections *connections, struct MHD_Connection *connection);

#endif

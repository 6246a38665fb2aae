/* Which connections are open, and which of them have had their time? */

#include "connections.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"

struct connection {
    struct connection *next;
    int fd;              /* the daemon's; open for as long as the connection is in the list */
    int64_t deadline_ms; /* monotonic */
};

struct prb_connections {
    struct prb_connection_limits limits;
    pthread_t reaper;
    pthread_mutex_t lock; /* all below */
    pthread_cond_t changed;
    struct connection *list;
    unsigned count;
    bool stopping;
};

static int64_t now_ms(void)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock);
}

/* Shut what is past its deadline; returns the earliest deadline that is left, or INT64_MAX. */
static int64_t shut_overdue(struct prb_connections *connections)
{
    int64_t now = now_ms(), earliest = INT64_MAX;

    for (struct connection *at = connections->list; at; at = at->next) {
        if (at->deadline_ms <= now) {
            /* The daemon sees the end of the stream, closes it and takes it off the list. */
            (void)shutdown(at->fd, SHUT_RDWR);
            at->deadline_ms = INT64_MAX;
        }
        if (at->deadline_ms < earliest)
            earliest = at->deadline_ms;
    }
    return earliest;
}

static void wait_until(struct prb_connections *connections, int64_t deadline_ms)
{
    struct timespec until = { .tv_sec = (time_t)(deadline_ms / 1000),
        .tv_nsec = (long)(deadline_ms % 1000) * 1000000L };

    if (deadline_ms == INT64_MAX)
        (void)pthread_cond_wait(&connections->changed, &connections->lock);
    else
        (void)pthread_cond_clockwait(
                &connections->changed, &connections->lock, CLOCK_MONOTONIC, &until);
}

static void *reap(void *arg)
{
    struct prb_connections *connections = arg;

    (void)pthread_mutex_lock(&connections->lock);
    while (!connections->stopping)
        wait_until(connections, shut_overdue(connections));
    (void)pthread_mutex_unlock(&connections->lock);
    return NULL;
}

int prb_connections_new(const struct prb_connection_limits *limits, struct prb_connections **ret,
        struct prb_error *err)
{
    struct prb_connections *connections = prb_calloc(1, sizeof(*connections));

    connections->limits = *limits;
    (void)pthread_mutex_init(&connections->lock, NULL);
    (void)pthread_cond_init(&connections->changed, NULL);
    if (pthread_create(&connections->reaper, NULL, reap, connections) != 0) {
        (void)pthread_cond_destroy(&connections->changed);
        (void)pthread_mutex_destroy(&connections->lock);
        free(connections);
        return prb_fail(err, PRB_E_INTERNAL, "could not start a thread");
    }
    *ret = connections;
    return 0;
}

void prb_connections_free(struct prb_connections *connections)
{
    if (!connections)
        return;
    (void)pthread_mutex_lock(&connections->lock);
    connections->stopping = true;
    (void)pthread_cond_signal(&connections->changed);
    (void)pthread_mutex_unlock(&connections->lock);
    (void)pthread_join(connections->reaper, NULL);

    (void)pthread_cond_destroy(&connections->changed);
    (void)pthread_mutex_destroy(&connections->lock);
    free(connections);
}

static void add(struct prb_connections *connections, struct connection *connection)
{
    (void)pthread_mutex_lock(&connections->lock);
    connection->next = connections->list;
    connections->list = connection;
    connections->count++;
    (void)pthread_cond_signal(&connections->changed);
    (void)pthread_mutex_unlock(&connections->lock);
}

/* The daemon closes the socket after this, so that the reaper never shuts another's. */
static void take_out(struct prb_connections *connections, const struct connection *connection)
{
    (void)pthread_mutex_lock(&connections->lock);
    for (struct connection **at = &connections->list; *at; at = &(*at)->next) {
        if (*at == connection) {
            *at = connection->next;
            connections->count--;
            break;
        }
    }
    (void)pthread_mutex_unlock(&connections->lock);
}

void prb_connections_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code)
{
    struct prb_connections *connections = arg;
    const union MHD_ConnectionInfo *info;
    struct connection *entry;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        take_out(connections, *context);
        free(*context);
        *context = NULL;
        return;
    }
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    entry = prb_calloc(1, sizeof(*entry));
    entry->fd = info->connect_fd;
    entry->deadline_ms = now_ms() + connections->limits.request_ms;
    *context = entry;
    add(connections, entry);
}

/* Returns how many connections are open. */
static unsigned set_deadline(
        struct prb_connections *connections, struct MHD_Connection *connection, int64_t ms)
{
    const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct connection *entry = info->socket_context;
    unsigned count;

    (void)pthread_mutex_lock(&connections->lock);
    entry->deadline_ms = now_ms() + ms;
    count = connections->count;
    (void)pthread_cond_signal(&connections->changed);
    (void)pthread_mutex_unlock(&connections->lock);
    return count;
}

bool prb_connections_begin(struct prb_connections *connections, struct MHD_Connection *connection)
{
    return set_deadline(connections, connection, connections->limits.request_ms) <=
           connections->limits.count;
}

void prb_connections_end(struct prb_connections *connections, struct MHD_Connection *connection)
{
    (void)set_deadline(connections, connection, connections->limits.idle_ms);
}

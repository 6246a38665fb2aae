/* Which connections are open, and which of them have had their time? */

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "probate/base/mem.h"

#include "connections_internal.h"

const char *prb_phase_name(enum prb_phase phase)
{
    static const char *const names[] = { [PRB_PHASE_HANDSHAKE] = "handshake",
        [PRB_PHASE_IDLE] = "idle",
        [PRB_PHASE_HEADERS] = "headers",
        [PRB_PHASE_BODY] = "body",
        [PRB_PHASE_WORK] = "work",
        [PRB_PHASE_ANSWER] = "answer" };

    return names[phase];
}

/* Shut what is past its deadline; returns the earliest deadline that is left. */
static int64_t shut_overdue(struct prb_connections *connections)
{
    int64_t now = prb_connections_now_ms(), earliest = PRB_NO_DEADLINE;

    for (struct prb_connection *at = connections->list; at; at = at->next) {
        int64_t deadline = at->deadline_ms;

        if (deadline <= now) {
            enum prb_phase phase = prb_connection_phase(at); /* before anybody sees the end */
            bool again = at->is_ending;

            if (prb_connection_shut(at, deadline) && !again && connections->limits.overdue)
                connections->limits.overdue(phase);
            deadline = at->deadline_ms;
        }
        if (deadline < earliest)
            earliest = deadline;
    }
    return earliest;
}

static void wait_on(struct prb_connections *connections, pthread_cond_t *cond, int64_t until_ms)
{
    struct timespec until = { .tv_sec = (time_t)(until_ms / 1000),
        .tv_nsec = (long)(until_ms % 1000) * 1000000L };

    if (until_ms == PRB_NO_DEADLINE)
        (void)pthread_cond_wait(cond, &connections->lock);
    else
        (void)pthread_cond_clockwait(cond, &connections->lock, CLOCK_MONOTONIC, &until);
}

/*
 * A deadline that moves away, as most do, wakes nobody: the reaper wakes at the old one and looks
 * again. It says when it will look before it looks, so that no deadline falls in between.
 */
static void *reap(void *arg)
{
    struct prb_connections *connections = arg;

    (void)pthread_mutex_lock(&connections->lock);
    while (!connections->stopping) {
        int64_t earliest;

        connections->wakes_ms = PRB_NO_DEADLINE;
        earliest = shut_overdue(connections);
        connections->wakes_ms = earliest;
        wait_on(connections, &connections->sooner, earliest);
    }
    (void)pthread_mutex_unlock(&connections->lock);
    return NULL;
}

int prb_connections_new(const struct prb_connection_limits *limits, struct prb_connections **ret,
        struct prb_error *err)
{
    struct prb_connections *connections = prb_calloc(1, sizeof(*connections));

    connections->limits = *limits;
    (void)pthread_mutex_init(&connections->lock, NULL);
    (void)pthread_cond_init(&connections->sooner, NULL);
    (void)pthread_cond_init(&connections->closed, NULL);
    if (pthread_create(&connections->reaper, NULL, reap, connections) != 0) {
        (void)pthread_cond_destroy(&connections->closed);
        (void)pthread_cond_destroy(&connections->sooner);
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
    (void)pthread_cond_signal(&connections->sooner);
    (void)pthread_mutex_unlock(&connections->lock);
    (void)pthread_join(connections->reaper, NULL);

    (void)pthread_cond_destroy(&connections->closed);
    (void)pthread_cond_destroy(&connections->sooner);
    (void)pthread_mutex_destroy(&connections->lock);
    free(connections);
}

static void wake_if_sooner(struct prb_connections *connections, int64_t deadline_ms)
{
    if (deadline_ms >= connections->wakes_ms)
        return;
    (void)pthread_mutex_lock(&connections->lock);
    (void)pthread_cond_signal(&connections->sooner);
    (void)pthread_mutex_unlock(&connections->lock);
}

static int64_t deadline_in(int64_t ms)
{
    return ms == PRB_NO_DEADLINE ? PRB_NO_DEADLINE : prb_connections_now_ms() + ms;
}

static void append(struct prb_connections *connections, struct prb_connection *connection)
{
    connection->next = NULL;
    connection->before = connections->last;
    if (connection->before)
        connection->before->next = connection;
    else
        connections->list = connection;
    connections->last = connection;
    connections->count++;
}

void prb_connections_add(struct prb_connections *connections, struct prb_connection *connection,
        int fd, enum prb_phase phase)
{
    int64_t deadline = deadline_in(connections->limits.first_ms);

    connection->fd = fd;
    connection->phase = phase;
    connection->first_ms = connection->deadline_ms = deadline;
    connection->since_ms = prb_connections_now_ms();
    (void)pthread_mutex_lock(&connections->lock);
    append(connections, connection);
    connection->aside = connections->kept >= connections->limits.count &&
                        !prb_connections_displace(connections, connection);
    if (!connection->aside)
        connections->kept++;
    (void)pthread_mutex_unlock(&connections->lock);
    wake_if_sooner(connections, deadline);
}

void prb_connections_remove(struct prb_connections *connections, struct prb_connection *connection)
{
    (void)pthread_mutex_lock(&connections->lock);
    if (connection->before)
        connection->before->next = connection->next;
    else
        connections->list = connection->next;
    if (connection->next)
        connection->next->before = connection->before;
    else
        connections->last = connection->before;
    connections->count--;
    if (!connection->shut && !connection->aside)
        connections->kept--;
    (void)pthread_cond_broadcast(&connections->closed);
    (void)pthread_mutex_unlock(&connections->lock);
}

/* Until the headers of the first request are whole there is one time for all. */
static int64_t first_deadline(const struct prb_connection *connection, enum prb_phase phase)
{
    int64_t grace = prb_connections_now_ms() + PRB_CONNECTION_GRACE_MS;

    if (phase == PRB_PHASE_HEADERS && connection->first_ms < grace)
        return grace;
    return connection->first_ms;
}

void prb_connections_enter(struct prb_connections *connections, struct prb_connection *connection,
        enum prb_phase phase, int64_t ms)
{
    int64_t deadline = deadline_in(ms);

    if (phase > PRB_PHASE_HEADERS)
        connection->used = true;
    else if (!connection->used && deadline > first_deadline(connection, phase))
        deadline = first_deadline(connection, phase);
    connection->since_ms = prb_connections_now_ms();
    connection->deadline_ms = deadline; /* before the phase: see prb_connection_shut */
    connection->phase = phase;
    wake_if_sooner(connections, deadline);
}

unsigned prb_connections_count(const struct prb_connections *connections)
{
    return connections->count;
}

static bool has_bytes(int fd)
{
    int waiting = 0;

    return ioctl(fd, FIONREAD, &waiting) == 0 && waiting > 0;
}

void prb_connections_end_idle(struct prb_connections *connections)
{
    (void)pthread_mutex_lock(&connections->lock);
    for (struct prb_connection *at = connections->list; at; at = at->next) {
        /* Only for reading: what has arrived can still be read, and be answered. */
        if (prb_connection_phase(at) == PRB_PHASE_IDLE && !has_bytes(at->fd))
            (void)shutdown(at->fd, SHUT_RD);
    }
    (void)pthread_mutex_unlock(&connections->lock);
}

void prb_connections_shut(struct prb_connections *connections)
{
    (void)pthread_mutex_lock(&connections->lock);
    for (struct prb_connection *at = connections->list; at; at = at->next)
        (void)shutdown(at->fd, SHUT_RDWR);
    (void)pthread_mutex_unlock(&connections->lock);
}

unsigned prb_connections_wait(struct prb_connections *connections, int64_t ms)
{
    unsigned count;

    (void)pthread_mutex_lock(&connections->lock);
    if (connections->count > 0)
        wait_on(connections, &connections->closed, prb_connections_now_ms() + ms);
    count = connections->count;
    (void)pthread_mutex_unlock(&connections->lock);
    return count;
}

void prb_connections_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code)
{
    struct prb_connections *connections = arg;
    const union MHD_ConnectionInfo *info;
    struct prb_connection *entry;

    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        prb_connections_remove(connections, *context);
        free(*context);
        *context = NULL;
        return;
    }
    info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    entry = prb_calloc(1, sizeof(*entry));
    *context = entry;
    prb_connections_add(connections, entry, info->connect_fd, PRB_PHASE_HEADERS);
}

static struct prb_connection *entry_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void prb_connections_begin(struct prb_connections *connections, struct MHD_Connection *connection)
{
    prb_connections_enter(
            connections, entry_of(connection), PRB_PHASE_ANSWER, connections->limits.request_ms);
}

void prb_connections_end(struct prb_connections *connections, struct MHD_Connection *connection)
{
    prb_connections_enter(
            connections, entry_of(connection), PRB_PHASE_IDLE, connections->limits.idle_ms);
}

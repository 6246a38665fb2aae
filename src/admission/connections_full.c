/* Which connection makes room for another one? */

#include <stdatomic.h>
#include <sys/socket.h>

#include "connections_internal.h"

const char *prb_standing_name(enum prb_standing standing)
{
    static const char *const names[] = { [PRB_STANDING_UNUSED] = "unused",
        [PRB_STANDING_UNPROVEN] = "unproven",
        [PRB_STANDING_UNREAD] = "unread",
        [PRB_STANDING_STALE] = "stale",
        [PRB_STANDING_STAYS] = "stays" };

    return names[standing];
}

static enum prb_standing standing_of(
        const struct prb_connection *connection, int64_t now, int64_t stale_ms)
{
    enum prb_phase phase = prb_connection_phase(connection);

    if (!connection->used)
        return PRB_STANDING_UNUSED;
    if (phase == PRB_PHASE_WORK)
        return PRB_STANDING_STAYS;
    if (!connection->proven)
        return phase == PRB_PHASE_ANSWER ? PRB_STANDING_UNREAD : PRB_STANDING_UNPROVEN;
    return phase == PRB_PHASE_IDLE && now - connection->since_ms > stale_ms ? PRB_STANDING_STALE
                                                                            : PRB_STANDING_STAYS;
}

/* The one to go first; NULL: all have to stay. For a place below the limit those that are kept
 * aside do not count: they have none. */
static struct prb_connection *choose_victim(const struct prb_connections *connections,
        const struct prb_connection *for_one, enum prb_standing *ret)
{
    struct prb_connection *victim = NULL;
    int64_t now = prb_connections_now_ms(), since = 0;

    *ret = PRB_STANDING_STAYS;
    for (struct prb_connection *at = connections->list; at; at = at->next) {
        enum prb_standing standing = standing_of(at, now, connections->limits.stale_ms);

        if (at == for_one || at->shut || (for_one && at->aside) || standing == PRB_STANDING_STAYS ||
                standing > *ret || (standing == *ret && at->since_ms >= since))
            continue;
        victim = at;
        since = at->since_ms;
        *ret = standing;
    }
    return victim;
}

bool prb_connection_shut(struct prb_connection *connection, int64_t deadline)
{
    bool whole = connection->is_ending;
    int64_t next = whole ? PRB_NO_DEADLINE : prb_connections_now_ms() + PRB_CONNECTION_GRACE_MS;

    if (!atomic_compare_exchange_strong(&connection->deadline_ms, &deadline, next))
        return false;
    whole = whole || prb_connection_phase(connection) != PRB_PHASE_IDLE;
    (void)shutdown(connection->fd, whole ? SHUT_RDWR : SHUT_RD);
    connection->is_ending = true;
    return true;
}

static void displace(struct prb_connections *connections, struct prb_connection *connection,
        enum prb_standing standing)
{
    while (!prb_connection_shut(connection, connection->deadline_ms))
        ; /* whatever it is at now */
    connection->shut = true;
    (void)pthread_cond_signal(&connections->sooner); /* it may have a new deadline */
    if (connections->limits.displaced)
        connections->limits.displaced(standing);
    if (!connection->aside)
        connections->kept--;
}

bool prb_connections_displace(
        struct prb_connections *connections, const struct prb_connection *for_one)
{
    enum prb_standing standing;
    struct prb_connection *victim = choose_victim(connections, for_one, &standing);

    if (victim)
        displace(connections, victim, standing);
    return victim != NULL;
}

void prb_connections_prove(struct prb_connection *connection)
{
    connection->proven = true;
}

/* Only the daemon's thread of this connection changes `aside`. */
bool prb_connections_admit(struct prb_connections *connections, struct prb_connection *connection)
{
    if (!connection->aside)
        return true;
    (void)pthread_mutex_lock(&connections->lock);
    if (!connection->shut && connections->kept < connections->limits.count) {
        connection->aside = false;
        connections->kept++;
    }
    (void)pthread_mutex_unlock(&connections->lock);
    return !connection->aside;
}

void prb_connections_make_room(struct prb_connections *connections)
{
    (void)pthread_mutex_lock(&connections->lock);
    (void)prb_connections_displace(connections, NULL);
    (void)pthread_mutex_unlock(&connections->lock);
}

bool prb_connections_cut_body(struct prb_connections *connections,
        const struct prb_connection *connection, int64_t slow_ms)
{
    struct prb_connection *slowest = NULL;
    int64_t since = prb_connections_now_ms() - slow_ms;

    (void)pthread_mutex_lock(&connections->lock);
    for (struct prb_connection *at = connections->list; at; at = at->next) {
        if (at == connection || at->shut || at->proven ||
                prb_connection_phase(at) != PRB_PHASE_BODY || at->since_ms >= since)
            continue;
        slowest = at;
        since = at->since_ms;
    }
    if (slowest)
        displace(connections, slowest, PRB_STANDING_UNPROVEN);
    (void)pthread_mutex_unlock(&connections->lock);
    return slowest != NULL;
}

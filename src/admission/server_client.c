/* Who is at the other end of a connection, and what are we waiting for? */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "server_internal.h"

static int64_t now_ms(void)
{
    return prb_now_us() / 1000;
}

struct prb_client *prb_client_of(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void prb_client_enter(struct prb_client *client, enum prb_phase phase)
{
    const struct prb_server_options *options = &client->server->options;
    const int64_t limits[] = { [PRB_PHASE_HANDSHAKE] = options->first_ms,
        [PRB_PHASE_IDLE] = options->idle_ms,
        [PRB_PHASE_HEADERS] = options->header_ms,
        [PRB_PHASE_BODY] = options->body_ms,
        [PRB_PHASE_WORK] = PRB_NO_DEADLINE, /* the review has one of its own */
        [PRB_PHASE_ANSWER] = options->answer_ms };

    prb_connections_enter(client->server->connections, &client->base, phase, limits[phase]);
}

/*
 * Reads for GnuTLS, and so sees when the first byte of a request comes in: the library tells of a
 * request only when its headers are whole, and a client that drips them looks idle to it.
 */
static ssize_t pull(gnutls_transport_ptr_t ptr, void *buffer, size_t size)
{
    struct prb_client *client = ptr;
    ssize_t got;

    /* The library reads first from who was suspended, and takes one that has said all it has to
     * say for one that is gone. */
    if (client->deaf) {
        errno = EAGAIN;
        return -1;
    }
    got = recv(client->base.fd, buffer, size, 0);
    if (got > 0 && prb_connection_phase(&client->base) == PRB_PHASE_IDLE)
        prb_client_enter(client, PRB_PHASE_HEADERS);
    return got;
}

/* Goes with a pull function of one's own. */
static int pull_timeout(gnutls_transport_ptr_t ptr, unsigned ms)
{
    const struct prb_client *client = ptr;
    struct pollfd fd = { .fd = client->base.fd, .events = POLLIN };

    return poll(&fd, 1, ms == GNUTLS_INDEFINITE_TIMEOUT ? -1 : (int)ms);
}

/* The client's last message of the handshake was taken: from now on requests may come. */
static int shaken(gnutls_session_t session, unsigned type, unsigned when, unsigned incoming,
        const gnutls_datum_t *message)
{
    struct prb_client *client = prb_client_of(gnutls_session_get_ptr(session));

    (void)type;
    (void)when;
    (void)message;
    if (incoming && !client->shaken) {
        client->shaken = true;
        prb_report_handshake(true);
        prb_client_enter(client, PRB_PHASE_IDLE);
    }
    return 0;
}

static void *as_pointer(int fd)
{
    /* GnuTLS writes to the socket itself, and keeps its number in a pointer. */
    return (void *)(intptr_t)fd; /* NOLINT(performance-no-int-to-ptr) */
}

static void client_open(
        struct prb_server *server, struct MHD_Connection *connection, void **context)
{
    struct prb_client *client = prb_calloc(1, sizeof(*client));
    int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;

    client->server = server;
    client->session =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION)->tls_session;
    client->generation = prb_tls_current(server->options.tls);
    client->born_ms = now_ms();
    *context = client;
    prb_connections_add(server->connections, &client->base, fd, PRB_PHASE_HANDSHAKE);
    /* Fails only when memory does; then the handshake fails, and nobody gets in. */
    (void)prb_tls_session_begin(client->generation, client->session);
    gnutls_transport_set_ptr2(client->session, client, as_pointer(fd));
    gnutls_transport_set_pull_function(client->session, pull);
    gnutls_transport_set_pull_timeout_function(client->session, pull_timeout);
    gnutls_handshake_set_hook_function(
            client->session, GNUTLS_HANDSHAKE_FINISHED, GNUTLS_HOOK_POST, shaken);
    prb_report_connections(1);
}

/* The session is gone by now, and the socket will be closed next. */
static void client_close(struct prb_client *client)
{
    struct prb_server *server = client->server;

    if (!client->shaken)
        prb_report_handshake(false);
    prb_tls_generation_unref(client->generation);
    free(client->refused);
    /* The acceptor waits for the removal and looks at the count. */
    atomic_fetch_sub(&server->open, 1);
    prb_connections_remove(server->connections, &client->base);
    prb_report_connections(-1);
    free(client);
}

void prb_client_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code)
{
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
        client_open(arg, connection, context);
    else
        client_close(prb_take(*context));
}

const char *prb_client_refused(struct prb_client *client)
{
    struct prb_error err;

    if (!client->checked) {
        client->checked = true;
        if (prb_tls_session_check(
                    client->server->options.tls, client->generation, client->session, &err) < 0) {
            client->refused = prb_strdup(err.msg);
            prb_warn("client refused", KV("why", err.msg));
        }
    }
    return client->refused;
}

bool prb_client_is_old(const struct prb_client *client)
{
    return now_ms() - client->born_ms >= client->server->options.age_ms;
}

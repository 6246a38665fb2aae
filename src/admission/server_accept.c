/*
 * Who is let in?
 *
 * The library could accept by itself, but then nobody could take in those who are waiting before
 * the end: MHD_quiesce_daemon resets them, and with epoll and a thread pool it may abort the
 * process when it meets a worker that is about to do the same.
 */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/log.h"

#include "server_internal.h"

/* Accepted beyond the limit: on their way out, or to be told to come back. Past these the kernel's
 * queue holds, until one of them was closed. */
#define CONNECTIONS_SPARE 128

/* Out of descriptors or memory: wait a little for others to give some back. */
#define EXHAUSTED_MS 100

/* How long to wait for one that makes room before another one has to. */
#define NO_ROOM_MS 100

static bool has_room(const struct prb_server *server)
{
    return atomic_load(&server->open) < server->options.connections_max + CONNECTIONS_SPARE;
}

static bool is_stopping(const struct prb_server *server, int wait_ms)
{
    struct pollfd fd = { .fd = server->stop, .events = POLLIN };

    return poll(&fd, 1, wait_ms) > 0;
}

/* Wait for a connection; false when it is time to end. */
static bool wait_for_one(const struct prb_server *server)
{
    struct pollfd fds[] = { { .fd = server->stop, .events = POLLIN },
        { .fd = server->listener, .events = POLLIN } };

    for (;;) {
        if (poll(fds, 2, -1) > 0 && fds[0].revents)
            return false;
        if (has_room(server))
            return true;
        /* Only now, when somebody wants to come in. */
        prb_connections_make_room(server->connections);
        (void)prb_connections_wait(server->connections, NO_ROOM_MS);
    }
}

/* Take one; false when there is none, or none can be had now. */
static bool accept_one(struct prb_server *server)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof(address);
    char text[128];
    int fd = accept4(
            server->listener, (struct sockaddr *)&address, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
            prb_warn("cannot accept connections for now",
                    KV("error", strerror_r(errno, text, sizeof(text))));
            (void)is_stopping(server, EXHAUSTED_MS);
        }
        return errno == ECONNABORTED || errno == EINTR;
    }
    atomic_fetch_add(&server->open, 1);
    if (MHD_add_connection(server->daemon, fd, (struct sockaddr *)&address, size) != MHD_YES)
        atomic_fetch_sub(&server->open, 1); /* the library has closed it */
    return true;
}

static void *run(void *arg)
{
    struct prb_server *server = arg;

    while (wait_for_one(server)) {
        while (has_room(server) && accept_one(server))
            continue;
    }
    /* They have connected while we were still listening. */
    while (accept_one(server))
        continue;
    return NULL;
}

int prb_server_accept(struct prb_server *server, struct prb_error *err)
{
    if (pthread_create(&server->acceptor, NULL, run, server) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "could not start a thread");
    server->accepting = true;
    return 0;
}

void prb_server_accept_stop(struct prb_server *server)
{
    const uint64_t one = 1;

    if (server->accepting) {
        while (write(server->stop, &one, sizeof(one)) < 0 && errno == EINTR)
            continue;
        (void)pthread_join(server->acceptor, NULL);
        server->accepting = false;
    }
    if (server->listener >= 0)
        (void)close(server->listener);
    server->listener = -1;
}

/* What does a server say that misbehaves by the book? */

#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "support/wait.h"

/* More than any test here opens. */
#define CONNECTIONS_MAX 64
#define REPLIES_MAX 64
#define REQUEST_MAX ((size_t)2 * 1024 * 1024)

struct connection {
    struct prb_test_server *server;
    pthread_t thread;
    int fd;
    bool held;
    bool closed;
};

struct prb_test_server {
    int fd;
    char *url;
    pthread_t acceptor;
    bool deaf;            /* the acceptor has ended */
    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t came;
    struct connection connections[CONNECTIONS_MAX];
    size_t connection_count;
    char *replies[REPLIES_MAX];
    enum prb_test_after afters[REPLIES_MAX];
    size_t reply_count;
    char *requests[REPLIES_MAX];
    size_t request_count;
};

static void write_all(int fd, const char *bytes)
{
    size_t len = strlen(bytes);

    while (len > 0) {
        ssize_t put = send(fd, bytes, len, MSG_NOSIGNAL);

        if (put <= 0)
            return;
        bytes += put;
        len -= (size_t)put;
    }
}

/* Bytes of the body that the head announces. */
static size_t body_length(const char *head)
{
    const char *at = strcasestr(head, "\r\nContent-Length:");

    return at ? strtoul(at + strlen("\r\nContent-Length:"), NULL, 10) : 0;
}

static bool is_complete(const struct prb_str *text)
{
    const char *start = prb_str_get(text);
    const char *end = strstr(start, "\r\n\r\n");

    return end && text->len >= (size_t)(end - start) + 4 + body_length(start);
}

/* One request; false when the client has gone. */
static bool read_request(int fd, struct prb_str *text)
{
    while (!is_complete(text)) {
        char piece[4096];
        ssize_t got = recv(fd, piece, sizeof(piece), 0);

        if (got <= 0)
            return false;
        prb_str_addn(text, piece, (size_t)got);
    }
    return true;
}

/* Record the request and choose its reply. */
static enum prb_test_after take_reply(
        struct connection *connection, const char *request, char **ret_reply)
{
    struct prb_test_server *server = connection->server;
    enum prb_test_after after = PRB_TEST_CLOSE;
    size_t n;

    (void)pthread_mutex_lock(&server->lock);
    n = server->request_count;
    if (n < REPLIES_MAX) {
        server->requests[n] = prb_strdup(request);
        server->request_count++;
    }
    if (n < server->reply_count) {
        *ret_reply = prb_strdup(server->replies[n]);
        after = server->afters[n];
    } else {
        *ret_reply = prb_strdup("HTTP/1.1 500 Not In The Script\r\nContent-Length: 0\r\n\r\n");
    }
    (void)pthread_mutex_unlock(&server->lock);
    return after;
}

static void announce(struct connection *connection, bool held)
{
    (void)pthread_mutex_lock(&connection->server->lock);
    connection->held = held;
    (void)pthread_cond_broadcast(&connection->server->came);
    (void)pthread_mutex_unlock(&connection->server->lock);
}

static void *serve(void *ctx)
{
    struct connection *connection = ctx;
    enum prb_test_after after = PRB_TEST_KEEP;
    char ignored[256];

    while (after == PRB_TEST_KEEP) {
        prb_auto(prb_str_done) struct prb_str text;
        prb_autofree char *reply = NULL;

        prb_str_init(&text, REQUEST_MAX);
        if (!read_request(connection->fd, &text)) {
            after = PRB_TEST_CLOSE;
            break;
        }
        after = take_reply(connection, prb_str_get(&text), &reply);
        write_all(connection->fd, reply);
        announce(connection, after == PRB_TEST_HOLD);
    }
    while (after != PRB_TEST_CLOSE && recv(connection->fd, ignored, sizeof(ignored), 0) > 0)
        continue;
    (void)shutdown(connection->fd, SHUT_RDWR);
    (void)pthread_mutex_lock(&connection->server->lock);
    connection->held = false;
    connection->closed = true;
    (void)pthread_cond_broadcast(&connection->server->came);
    (void)pthread_mutex_unlock(&connection->server->lock);
    return NULL;
}

static void *accept_all(void *ctx)
{
    struct prb_test_server *server = ctx;

    for (;;) {
        struct connection *connection;
        int fd = accept4(server->fd, NULL, NULL, SOCK_CLOEXEC);

        if (fd < 0)
            return NULL;
        (void)pthread_mutex_lock(&server->lock);
        if (server->connection_count == CONNECTIONS_MAX)
            abort();
        connection = &server->connections[server->connection_count++];
        connection->server = server;
        connection->fd = fd;
        if (pthread_create(&connection->thread, NULL, serve, connection) != 0)
            abort();
        (void)pthread_mutex_unlock(&server->lock);
    }
}

struct prb_test_server *prb_test_server_start(void)
{
    struct prb_test_server *server = prb_calloc(1, sizeof(*server));
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr = { .s_addr = htonl(INADDR_LOOPBACK) } };
    socklen_t len = sizeof(address);
    pthread_condattr_t attr;

    server->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->fd < 0 || bind(server->fd, (struct sockaddr *)&address, len) < 0 ||
            listen(server->fd, CONNECTIONS_MAX) < 0 ||
            getsockname(server->fd, (struct sockaddr *)&address, &len) < 0)
        abort();
    server->url = prb_asprintf("http://127.0.0.1:%u", (unsigned)ntohs(address.sin_port));
    (void)pthread_mutex_init(&server->lock, NULL);
    (void)pthread_condattr_init(&attr);
    (void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&server->came, &attr);
    (void)pthread_condattr_destroy(&attr);
    if (pthread_create(&server->acceptor, NULL, accept_all, server) != 0)
        abort();
    return server;
}

void prb_test_server_deafen(struct prb_test_server *server)
{
    if (server->deaf)
        return;
    (void)shutdown(server->fd, SHUT_RDWR); /* ends accept */
    (void)pthread_join(server->acceptor, NULL);
    server->deaf = true;
}

void prb_test_server_stop(struct prb_test_server *server)
{
    if (!server)
        return;
    prb_test_server_deafen(server);
    for (size_t i = 0; i < server->connection_count; i++) {
        (void)shutdown(server->connections[i].fd, SHUT_RDWR);
        (void)pthread_join(server->connections[i].thread, NULL);
        (void)close(server->connections[i].fd);
    }
    (void)close(server->fd);
    for (size_t i = 0; i < REPLIES_MAX; i++) {
        free(server->replies[i]);
        free(server->requests[i]);
    }
    (void)pthread_cond_destroy(&server->came);
    (void)pthread_mutex_destroy(&server->lock);
    free(server->url);
    free(server);
}

char *prb_test_server_url(struct prb_test_server *server)
{
    return server->url;
}

void prb_test_server_reply_raw(
        struct prb_test_server *server, const char *bytes, enum prb_test_after after)
{
    (void)pthread_mutex_lock(&server->lock);
    if (server->reply_count == REPLIES_MAX)
        abort();
    server->replies[server->reply_count] = prb_strdup(bytes);
    server->afters[server->reply_count] = after;
    server->reply_count++;
    (void)pthread_mutex_unlock(&server->lock);
}

void prb_test_server_reply(
        struct prb_test_server *server, const char *status, const char *headers, const char *body)
{
    prb_autofree char *bytes = prb_asprintf(
            "HTTP/1.1 %s\r\nContent-Length: %zu\r\n%s\r\n%s", status, strlen(body), headers, body);

    prb_test_server_reply_raw(server, bytes, PRB_TEST_KEEP);
}

/* With the lock held. */
static bool has_held(const struct prb_test_server *server, size_t ignored)
{
    (void)ignored;
    for (size_t i = 0; i < server->connection_count; i++) {
        if (server->connections[i].held)
            return true;
    }
    return false;
}

static bool has_closed(const struct prb_test_server *server, size_t ignored)
{
    (void)ignored;
    for (size_t i = 0; i < server->connection_count; i++) {
        if (server->connections[i].closed)
            return true;
    }
    return false;
}

static bool has_requests(const struct prb_test_server *server, size_t count)
{
    return server->request_count >= count;
}

static bool wait_for(struct prb_test_server *server, const char *what,
        bool (*holds)(const struct prb_test_server *server, size_t count), size_t count)
{
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "%s", what);
    bool came = false;

    (void)pthread_mutex_lock(&server->lock);
    while (!(came = holds(server, count))) {
        (void)prb_test_saw("%zu requests", server->request_count);
        if (!prb_test_wait_cond(&wait, &server->came, &server->lock))
            break;
    }
    (void)pthread_mutex_unlock(&server->lock);
    return came;
}

bool prb_test_server_wait(struct prb_test_server *server, size_t requests)
{
    prb_autofree char *what = prb_asprintf("%zu requests have come", requests);

    return wait_for(server, what, has_requests, requests);
}

bool prb_test_server_wait_held(struct prb_test_server *server)
{
    return wait_for(server, "a connection is held", has_held, 0);
}

bool prb_test_server_wait_closed(struct prb_test_server *server)
{
    return wait_for(server, "a connection is closed", has_closed, 0);
}

size_t prb_test_server_count(struct prb_test_server *server)
{
    size_t count;

    (void)pthread_mutex_lock(&server->lock);
    count = server->request_count;
    (void)pthread_mutex_unlock(&server->lock);
    return count;
}

size_t prb_test_server_connections(struct prb_test_server *server)
{
    size_t count;

    (void)pthread_mutex_lock(&server->lock);
    count = server->connection_count;
    (void)pthread_mutex_unlock(&server->lock);
    return count;
}

char *prb_test_server_request(struct prb_test_server *server, size_t index)
{
    char *text = NULL;

    (void)pthread_mutex_lock(&server->lock);
    if (index < server->request_count)
        text = prb_strdup(server->requests[index]);
    (void)pthread_mutex_unlock(&server->lock);
    return text;
}

void prb_test_server_push(
        struct prb_test_server *server, const char *bytes, enum prb_test_after after)
{
    (void)pthread_mutex_lock(&server->lock);
    for (size_t i = 0; i < server->connection_count; i++) {
        if (!server->connections[i].held)
            continue;
        write_all(server->connections[i].fd, bytes);
        if (after == PRB_TEST_CLOSE)
            (void)shutdown(server->connections[i].fd, SHUT_RDWR);
    }
    (void)pthread_mutex_unlock(&server->lock);
}

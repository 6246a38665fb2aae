/* Who is this client, what does it want next, and when is its connection over? */

#include "support/fault_connection.h"

#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "support/wait.h"

/* How often a held connection looks whether its rule is still there. */
#define HOLD_LOOK_MS 20

/* The API server answers within this time, or not at all. */
#define UPSTREAM_MS prb_test_patience_ms(PRB_TEST_SOON_MS)

bool prb_fault_pause(const struct prb_fault_connection *connection, int ms)
{
    struct pollfd wake = { .fd = connection->wake, .events = POLLIN };

    return poll(&wake, 1, ms) == 0;
}

bool prb_fault_hold(const struct prb_fault_connection *connection, int id)
{
    struct pollfd fds[] = {
        { .fd = connection->wake, .events = POLLIN },
        { .fd = connection->client.fd, .events = POLLRDHUP },
    };

    while (prb_fault_rules_has(connection->shared->rules, id)) {
        if (poll(fds, 2, HOLD_LOOK_MS) != 0)
            return false;
    }
    return true;
}

static void request_init(struct prb_fault_request *request)
{
    prb_http_head_init(&request->head);
    prb_str_init(&request->body, PRB_HTTP_BODY_MAX);
    request->target = NULL;
}

static void request_done(struct prb_fault_request *request)
{
    prb_http_head_done(&request->head);
    prb_str_done(&request->body);
    free(request->target);
}

static void request_donep(struct prb_fault_request *request)
{
    request_done(request);
}

/* "METHOD TARGET HTTP/1.1". */
static bool split_request_line(struct prb_fault_request *request)
{
    const char *line = request->head.first;
    size_t method_len = strcspn(line, " "), target_len;
    prb_autofree char *method = prb_strndup(line, method_len);

    if (line[method_len] != ' ' || !prb_copy(request->method, sizeof(request->method), method))
        return false;
    line += method_len + 1;
    target_len = strcspn(line, " ");
    if (!prb_streq(line + target_len, " HTTP/1.1"))
        return false;
    request->target = prb_strndup(line, target_len);
    return prb_api_call_parse(request->method, request->target, &request->call);
}

static bool read_request(struct prb_tls_stream *client, struct prb_fault_request *request)
{
    static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";
    char expect[32];

    if (!prb_http_head_read(client, &request->head) || !split_request_line(request))
        return false;
    if (prb_http_head_find(&request->head, "Expect", expect, sizeof(expect)) &&
            !prb_tls_stream_write(client, go_on, sizeof(go_on) - 1))
        return false;
    return prb_http_read_body(client, &request->head, false, &request->body);
}

static bool serve_one(struct prb_fault_connection *connection)
{
    prb_auto(request_done) struct prb_fault_request request;

    request_init(&request);
    if (!read_request(&connection->client, &request) ||
            !atomic_load(&connection->shared->upstream_on))
        return false;
    prb_fault_log_count(connection->shared->log, &request.call);
    return prb_fault_forward(connection, &request);
}

static void *serve(void *arg)
{
    struct prb_fault_connection *connection = arg;
    int fd = connection->fd;

    connection->fd = -1;
    if (prb_tls_stream_accept(&connection->client, fd, connection->shared->credentials)) {
        while (serve_one(connection))
            continue;
    }
    prb_tls_stream_cut(&connection->client);
    prb_tls_stream_close(&connection->upstream);
    atomic_store(&connection->ended, true);
    return NULL;
}

struct prb_fault_connection *prb_fault_connection_start(
        struct prb_fault_shared *shared, int fd_taken)
{
    struct prb_fault_connection *connection = prb_calloc(1, sizeof(*connection));

    connection->shared = shared;
    connection->fd = fd_taken;
    connection->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    prb_tls_stream_init(&connection->client, connection->wake, -1);
    /* Not to be woken: what was sent to the API server is waited for, so that the log knows. */
    prb_tls_stream_init(&connection->upstream, -1, UPSTREAM_MS);
    if (connection->wake >= 0 && pthread_create(&connection->thread, NULL, serve, connection) == 0)
        return connection;
    (void)close(fd_taken);
    if (connection->wake >= 0)
        (void)close(connection->wake);
    free(connection);
    return NULL;
}

void prb_fault_connection_order(struct prb_fault_connection *connection, enum prb_fault_order order)
{
    const uint64_t one = 1;

    atomic_store(&connection->order, order);
    (void)!write(connection->wake, &one, sizeof(one));
}

void prb_fault_connection_join(struct prb_fault_connection *connection)
{
    (void)pthread_join(connection->thread, NULL);
    (void)close(connection->wake);
    free(connection);
}

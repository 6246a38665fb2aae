/* What becomes of the events of a running watch? */

#include <poll.h>
#include <string.h>

#include "support/fault_connection.h"

struct watch {
    struct prb_fault_connection *connection; /* borrowed */
    const struct prb_api_call *call;         /* borrowed */
    struct prb_str pending;                  /* the start of an event whose end is still to come */
};

/* What the loop does next. */
enum turn { TURN_ON, TURN_END, TURN_CUT };

static void watch_donep(struct watch *watch)
{
    prb_str_done(&watch->pending);
}

static void set_watching(struct prb_fault_connection *connection, const struct prb_api_call *call)
{
    (void)pthread_mutex_lock(&connection->shared->lock);
    connection->watching = call != NULL;
    if (call)
        connection->call = *call;
    (void)pthread_mutex_unlock(&connection->shared->lock);
}

static bool send_head(struct prb_tls_stream *client, const struct prb_http_head *head)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HTTP_HEAD_MAX);
    prb_str_addf(&text, "%s\r\n", head->first);
    prb_http_head_copy(head, prb_fault_hop_fields, &text);
    prb_str_add(&text, "Transfer-Encoding: chunked\r\n\r\n");
    return prb_tls_stream_write(client, text.data, text.len);
}

static bool send_chunk(struct prb_tls_stream *client, const char *data, size_t len)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HTTP_BODY_MAX);
    prb_str_addf(&text, "%zx\r\n", len);
    prb_str_addn(&text, data, len);
    prb_str_add(&text, "\r\n");
    return prb_tls_stream_write(client, text.data, text.len);
}

/* API servers write the type first, and without blanks. */
static enum prb_fault_stage stage_of(const char *event, size_t len)
{
    static const char bookmark[] = "{\"type\":\"BOOKMARK\"";
    size_t head = sizeof(bookmark) - 1;

    return len >= head && memcmp(event, bookmark, head) == 0 ? PRB_FAULT_AT_BOOKMARK
                                                             : PRB_FAULT_AT_EVENT;
}

static bool send_event(const struct watch *watch, const char *event, size_t len)
{
    struct prb_fault_connection *connection = watch->connection;
    struct prb_tls_stream *client = &connection->client;
    struct prb_fault_hit hit =
            prb_fault_rules_take(connection->shared->rules, watch->call, stage_of(event, len));

    if (hit.fault == PRB_FAULT_TRUNCATE) {
        (void)send_chunk(client, event, len / 2);
        return false;
    }
    if (hit.fault == PRB_FAULT_BLACKHOLE && !prb_fault_hold(connection, hit.id))
        return false;
    if (hit.fault == PRB_FAULT_SLOW_EVENTS && !prb_fault_pause(connection, hit.delay_ms))
        return false;
    if (hit.fault == PRB_FAULT_REPEAT_EVENTS && !send_chunk(client, event, len))
        return false;
    return send_chunk(client, event, len);
}

/* Send every whole event that is there; events are lines. */
static bool send_pending(struct watch *watch)
{
    struct prb_str *pending = &watch->pending;
    size_t sent = 0;
    const char *end;

    while ((end = memchr(pending->data + sent, '\n', pending->len - sent))) {
        size_t len = (size_t)(end - pending->data) + 1 - sent;

        if (!send_event(watch, pending->data + sent, len))
            return false;
        sent += len;
    }
    memmove(pending->data, pending->data + sent, pending->len - sent);
    pending->len -= sent;
    pending->data[pending->len] = '\0';
    return true;
}

/* Wait for bytes of the API server; the client says nothing on a watch unless it goes. */
static bool wait_bytes(const struct prb_fault_connection *connection)
{
    struct pollfd fds[] = {
        { .fd = connection->upstream.fd, .events = POLLIN },
        { .fd = connection->client.fd, .events = POLLIN | POLLRDHUP },
        { .fd = connection->wake, .events = POLLIN },
    };

    if (prb_tls_stream_has_bytes(&connection->upstream))
        return true;
    return poll(fds, 3, -1) > 0 && fds[1].revents == 0 && fds[2].revents == 0;
}

static enum turn forward_chunk(struct watch *watch)
{
    struct prb_fault_connection *connection = watch->connection;
    int got = -1;

    if (wait_bytes(connection))
        got = prb_http_read_chunk(&connection->upstream, &watch->pending);
    if (got == 0)
        return TURN_END;
    return got > 0 && send_pending(watch) ? TURN_ON : TURN_CUT;
}

bool prb_fault_watch(struct prb_fault_connection *connection, const struct prb_api_call *call,
        const struct prb_http_head *head)
{
    __attribute__((cleanup(watch_donep))) struct watch watch = { .connection = connection,
        .call = call };
    struct prb_tls_stream *client = &connection->client;
    enum turn turn = send_head(client, head) ? TURN_ON : TURN_CUT;

    prb_str_init(&watch.pending, PRB_HTTP_BODY_MAX);
    set_watching(connection, call);
    while (turn == TURN_ON)
        turn = forward_chunk(&watch);
    set_watching(connection, NULL);

    if (turn == TURN_END)
        return send_chunk(client, "", 0);
    /* What the API server still sends on this watch nobody reads. */
    prb_tls_stream_cut(&connection->upstream);
    if (atomic_load(&connection->order) == PRB_FAULT_ORDER_EXPIRE) {
        const char *event = prb_fault_expired_event();

        if (send_chunk(client, event, strlen(event)) && send_chunk(client, "", 0))
            prb_tls_stream_close(client);
    }
    return false;
}

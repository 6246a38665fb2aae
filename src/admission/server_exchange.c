/* What becomes of one request, from its headers to its answer? */

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "server_internal.h"

/* Who is told to come back should not come back at once, but soon: the deadline runs. */
#define SHED_RETRY_S 1

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Counts headers that decide where the body ends: there must not be two of a kind. */
static enum MHD_Result count_framing(
        void *ctx, enum MHD_ValueKind kind, const char *key, const char *value)
{
    struct prb_head *head = ctx;

    (void)kind;
    (void)value;
    if (strcasecmp(key, MHD_HTTP_HEADER_CONTENT_LENGTH) == 0)
        head->lengths++;
    else if (strcasecmp(key, MHD_HTTP_HEADER_TRANSFER_ENCODING) == 0)
        head->encodings++;
    return MHD_YES;
}

static struct prb_head read_head(
        struct MHD_Connection *connection, const char *method, const char *path)
{
    struct prb_head head = { .method = method,
        .path = path,
        .timeout = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "timeout"),
        .content_type = header(connection, MHD_HTTP_HEADER_CONTENT_TYPE),
        .content_encoding = header(connection, MHD_HTTP_HEADER_CONTENT_ENCODING),
        .content_length = header(connection, MHD_HTTP_HEADER_CONTENT_LENGTH),
        .transfer_encoding = header(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING),
        .expects = header(connection, MHD_HTTP_HEADER_EXPECT) != NULL };

    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, count_framing, &head);
    return head;
}

static struct prb_refusal shed(const char *limit, const char *message)
{
    prb_report_shed(limit);
    return (struct prb_refusal){ .status = MHD_HTTP_SERVICE_UNAVAILABLE,
        .reason = "ServiceUnavailable",
        .message = message,
        .retry_after_s = SHED_RETRY_S,
        .closes = true };
}

static struct prb_refusal no_room(void)
{
    return shed("built", "too many large reviews at once; try again");
}

/* More to do than can be done in time? The API server asks again, or another replica. */
static struct prb_refusal check_load(struct prb_server *server, struct prb_client *client)
{
    unsigned in_flight = atomic_load(&server->in_flight), waiting = atomic_load(&server->waiting);

    if (!prb_connections_admit(server->connections, &client->base))
        return shed("connections", "too many connections; try again");
    if (in_flight > waiting + server->options.in_flight_max &&
            !prb_connections_cut_body(server->connections, &client->base, PRB_SERVER_SLOW_BODY_MS))
        return shed("in_flight", "too many reviews at once; try again");
    return (struct prb_refusal){ 0 };
}

/* Who may not ask is told so, whatever it asked. */
static void check_client(struct prb_client *client, struct prb_refusal *refusal)
{
    const char *why = prb_client_refused(client);
    bool at_once = refusal->at_once;

    if (why)
        *refusal = (struct prb_refusal){ .status = MHD_HTTP_FORBIDDEN,
            .reason = "Forbidden",
            .message = why,
            .at_once = at_once,
            .closes = true };
}

static struct prb_exchange *exchange_new(
        struct prb_server *server, struct MHD_Connection *connection)
{
    struct prb_exchange *exchange = prb_calloc(1, sizeof(*exchange));

    exchange->server = server;
    exchange->connection = connection;
    exchange->client = prb_client_of(connection);
    exchange->began_us = prb_now_us();
    prb_intake_init(&exchange->intake, &server->budget);
    prb_questions_init(&exchange->questions);
    atomic_fetch_add(&server->in_flight, 1);
    prb_report_in_flight(1);
    return exchange;
}

static void exchange_free(struct prb_exchange *exchange)
{
    atomic_fetch_sub(&exchange->server->in_flight, 1);
    prb_report_in_flight(-1);
    prb_exchange_forget(exchange);
    free(exchange);
}

/* The headers are there. What is refused is refused after its body was read, where that can be:
 * else the connection would be reset, and the answer lost, while the client still writes. */
static enum MHD_Result begin(struct prb_exchange *exchange, const struct prb_head *head)
{
    struct prb_refusal *refusal = &exchange->refusal;

    prb_client_enter(exchange->client, PRB_PHASE_BODY);
    exchange->deadline_ms = exchange->began_us / 1000 + prb_head_time_ms(head);
    exchange->only = prb_route_rule(head);
    exchange->route = prb_route_registration(head);
    if (prb_route_accepts(head, refusal))
        *refusal = check_load(exchange->server, exchange->client);
    check_client(exchange->client, refusal);
    if (refusal->status == 0)
        prb_intake_begin(&exchange->intake, exchange->server->options.reader);
    /* Who waits before it sends its body need not send it. */
    if (refusal->at_once || (refusal->status != 0 && head->expects))
        return prb_reply_refusal(exchange, refusal);
    return MHD_YES;
}

static struct prb_refusal malformed(const char *why)
{
    return (struct prb_refusal){
        .status = MHD_HTTP_BAD_REQUEST, .reason = "BadRequest", .message = why
    };
}

/* Repeating it cannot help, and nothing else of it is known: the API server decides by what was
 * registered. */
static struct prb_refusal too_much(void)
{
    return (struct prb_refusal){ .status = MHD_HTTP_CONTENT_TOO_LARGE,
        .reason = "RequestEntityTooLarge",
        .message = "the review has more in it that rules read than fits the memory for one review",
        .closes = true };
}

/* Why there is no request. */
static struct prb_refusal unread(const struct prb_intake *intake)
{
    switch (intake->state) {
    case PRB_INTAKE_TOO_MUCH:
        return too_much();
    case PRB_INTAKE_NO_ROOM:
        return no_room();
    case PRB_INTAKE_READS:
    case PRB_INTAKE_UNWANTED:
    case PRB_INTAKE_MALFORMED:
    default:
        return malformed(intake->why ? intake->why : "");
    }
}

/* What the path says: which rule is asked, and in which way. */
static void set_path(struct prb_exchange *exchange)
{
    if (exchange->only)
        exchange->request->only = prb_strdup(exchange->only);
    exchange->request->route = exchange->route;
}

/* The body is there, or the answers to the questions are that were brought up by it. */
static enum MHD_Result finish(struct prb_exchange *exchange)
{
    if (exchange->refusal.status == 0 && !exchange->request) {
        exchange->request = prb_intake_end(&exchange->intake);
        if (!exchange->request)
            exchange->refusal = unread(&exchange->intake);
        else
            set_path(exchange);
    }
    if (exchange->refusal.status != 0)
        return prb_reply_refusal(exchange, &exchange->refusal);
    prb_client_enter(exchange->client, PRB_PHASE_WORK);
    return prb_exchange_judge(exchange);
}

/* Called with the headers, with each piece of the body, and when it is whole; and once more for a
 * review that was suspended. The library wants so many parameters, and these types. */
/* NOLINTNEXTLINE(readability-function-size) */
enum MHD_Result prb_exchange_handle(void *arg, struct MHD_Connection *connection, const char *url,
        const char *method, const char *version, const char *upload, size_t *upload_size,
        void **state)
{
    struct prb_exchange *exchange = *state;
    struct prb_head head;

    (void)version;
    if (!exchange) {
        exchange = *state = exchange_new(arg, connection);
        head = read_head(connection, method, url);
        return begin(exchange, &head);
    }
    if (*upload_size > 0) {
        bool go_on = prb_intake_add(&exchange->intake, upload, *upload_size);

        *upload_size = 0;
        return go_on ? MHD_YES : MHD_NO;
    }
    return finish(exchange);
}

void prb_exchange_completed(void *arg, struct MHD_Connection *connection, void **state,
        enum MHD_RequestTerminationCode code)
{
    struct prb_exchange *exchange = *state;

    (void)arg;
    (void)connection;
    (void)code;
    if (!exchange)
        return;
    prb_client_enter(exchange->client, PRB_PHASE_IDLE);
    exchange_free(exchange);
    *state = NULL;
}

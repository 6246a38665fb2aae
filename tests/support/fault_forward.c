/* What becomes of one call: forwarded whole, or hit by a fault on the way there or back? */

#include <stdlib.h>
#include <strings.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"

#include "support/fault_connection.h"

/* One answer of the API server, read whole unless it is a watch. */
struct answer {
    struct prb_http_head head;
    struct prb_str body;
    int status;
    bool is_stream; /* an open watch: its body comes event by event */
};

const char *const prb_fault_hop_fields[] = { "Host", "Connection", "Keep-Alive", "Authorization",
    "Accept-Encoding", "Content-Length", "Transfer-Encoding", "Expect", NULL };

static void answer_init(struct answer *answer)
{
    prb_http_head_init(&answer->head);
    prb_str_init(&answer->body, PRB_HTTP_BODY_MAX);
    answer->status = 0;
    answer->is_stream = false;
}

static void answer_donep(struct answer *answer)
{
    prb_http_head_done(&answer->head);
    prb_str_done(&answer->body);
}

static bool send_request(
        struct prb_fault_connection *connection, const struct prb_fault_request *request)
{
    const struct prb_fault_upstream *to = &connection->shared->upstream;
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HTTP_HEAD_MAX + PRB_HTTP_BODY_MAX);
    prb_str_addf(&text, "%s %s HTTP/1.1\r\nHost: %s:%s\r\n", request->method, request->target,
            to->host, to->port);
    prb_http_head_copy(&request->head, prb_fault_hop_fields, &text);
    if (to->token)
        prb_str_addf(&text, "Authorization: Bearer %s\r\n", to->token);
    prb_str_addf(&text, "Content-Length: %zu\r\n\r\n", request->body.len);
    prb_str_addn(&text, prb_str_get(&request->body), request->body.len);
    return prb_tls_stream_write(&connection->upstream, text.data, text.len);
}

/* Statuses whose answers never have a body. */
static bool has_body(int status)
{
    return status >= 200 && status != 204 && status != 304;
}

static bool read_answer(
        struct prb_tls_stream *upstream, const struct prb_api_call *call, struct answer *answer)
{
    do {
        if (!prb_http_head_read(upstream, &answer->head))
            return false;
        answer->status = prb_http_head_status(&answer->head);
    } while (answer->status >= 100 && answer->status < 200);

    answer->is_stream = answer->status == 200 && prb_streq(call->verb, "watch");
    if (answer->is_stream || !has_body(answer->status))
        return answer->status != 0;
    return prb_http_read_body(upstream, &answer->head, true, &answer->body);
}

static bool ask_upstream(struct prb_fault_connection *connection,
        const struct prb_fault_request *request, struct answer *answer)
{
    struct prb_tls_stream *upstream = &connection->upstream;

    if (!prb_tls_stream_is_open(upstream) &&
            !prb_fault_upstream_connect(&connection->shared->upstream, upstream))
        return false;
    return send_request(connection, request) && read_answer(upstream, &request->call, answer);
}

/* metadata.resourceVersion of the object in the answer, or NULL. Heap. */
static char *version_in(const struct answer *answer)
{
    static const struct prb_json_filter version[] = { { .key = "resourceVersion" },
        { .key = NULL } };
    static const struct prb_json_filter filter[] = { { .key = "metadata", .children = version },
        { .key = NULL } };
    const struct prb_json_options options = { .filter = filter };
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    if (answer->body.len == 0 ||
            prb_json_parse(answer->body.data, answer->body.len, &options, &tree, &err) < 0)
        return NULL;
    return prb_strdup(prb_json_str(prb_json_obj(tree, "metadata"), "resourceVersion"));
}

/* Entered before the client hears of it: what the client does next comes after it in the log. */
static void log_write(const struct prb_fault_connection *connection,
        const struct prb_fault_request *request, const struct answer *answer,
        const struct prb_fault_hit *hit)
{
    char agent[256] = "";
    prb_autofree char *version = NULL;
    bool kept = hit->fault == PRB_FAULT_DROP_AFTER || hit->fault == PRB_FAULT_TRUNCATE;

    if (!prb_api_call_is_write(&request->call))
        return;
    version = version_in(answer);
    (void)prb_http_head_find(&request->head, "User-Agent", agent, sizeof(agent));
    prb_fault_log_write(connection->shared->log,
            &(struct prb_fault_write){ .call = request->call,
                    .status = hit->fault == PRB_FAULT_ANSWER ? hit->status : answer->status,
                    .reached = hit->fault != PRB_FAULT_ANSWER && answer->status != 0,
                    .delivered = !kept && (answer->status != 0 || hit->fault == PRB_FAULT_ANSWER),
                    .agent = agent,
                    .body = request->body.data,
                    .resource_version = version });
}

/* Send the answer, or only the first half of its body. */
static bool deliver(struct prb_tls_stream *client, const struct answer *answer, bool half)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HTTP_HEAD_MAX + PRB_HTTP_BODY_MAX);
    prb_str_addf(&text, "%s\r\n", answer->head.first);
    prb_http_head_copy(&answer->head, prb_fault_hop_fields, &text);
    if (has_body(answer->status))
        prb_str_addf(&text, "Content-Length: %zu\r\n", answer->body.len);
    prb_str_add(&text, "\r\n");
    prb_str_addn(&text, prb_str_get(&answer->body), half ? answer->body.len / 2 : answer->body.len);
    return prb_tls_stream_write(client, text.data, text.len) && !half;
}

static void close_if_asked(struct prb_fault_connection *connection, const struct answer *answer)
{
    char value[32];

    if (prb_http_head_find(&answer->head, "Connection", value, sizeof(value)) &&
            strcasecmp(value, "close") == 0)
        prb_tls_stream_close(&connection->upstream);
}

/* Faults that leave the API server out of it. True: this was one, and *ret is what to return. */
static bool stays_here(struct prb_fault_connection *connection,
        const struct prb_fault_request *request, const struct prb_fault_hit *hit, bool *ret)
{
    struct answer none;

    switch (hit->fault) {
    case PRB_FAULT_DROP_BEFORE:
        *ret = false;
        break;
    case PRB_FAULT_BLACKHOLE:
        (void)prb_fault_hold(connection, hit->id);
        *ret = false;
        break;
    case PRB_FAULT_EXPIRE:
        *ret = prb_fault_answer_expired(&connection->client);
        return true;
    case PRB_FAULT_ANSWER:
        *ret = true;
        break;
    case PRB_FAULT_NONE:
    case PRB_FAULT_DROP_AFTER:
    case PRB_FAULT_DELAY:
    case PRB_FAULT_TRUNCATE:
    case PRB_FAULT_SLOW_EVENTS:
    case PRB_FAULT_REPEAT_EVENTS:
    default:
        return false;
    }
    answer_init(&none);
    log_write(connection, request, &none, hit);
    answer_donep(&none);
    if (hit->fault == PRB_FAULT_ANSWER)
        *ret = prb_fault_answer(&connection->client, hit->status, hit->retry_after_s);
    return true;
}

/* Ask the API server, and hand its answer on as far as the fault lets it through. */
static bool go_on(struct prb_fault_connection *connection, const struct prb_fault_request *request,
        const struct prb_fault_hit *hit, const struct prb_fault_jitter_delay *late)
{
    __attribute__((cleanup(answer_donep))) struct answer answer;

    answer_init(&answer);
    if (!ask_upstream(connection, request, &answer))
        answer.status = 0;
    log_write(connection, request, &answer, hit);
    if (answer.status == 0 || hit->fault == PRB_FAULT_DROP_AFTER)
        return false;
    if (answer.is_stream)
        return prb_fault_watch(connection, &request->call, &answer.head);
    close_if_asked(connection, &answer);
    if (late->back) /* woken or not: the log says that it was delivered */
        (void)prb_fault_pause(connection, late->ms);
    return deliver(&connection->client, &answer, hit->fault == PRB_FAULT_TRUNCATE);
}

bool prb_fault_forward(
        struct prb_fault_connection *connection, const struct prb_fault_request *request)
{
    struct prb_fault_hit hit =
            prb_fault_rules_take(connection->shared->rules, &request->call, PRB_FAULT_AT_REQUEST);
    struct prb_fault_jitter_delay late = { .ms = 0 };
    bool done;

    if (stays_here(connection, request, &hit, &done))
        return done;
    if (hit.fault == PRB_FAULT_DELAY && !prb_fault_pause(connection, hit.delay_ms))
        return false;
    if (hit.fault != PRB_FAULT_DELAY) /* that one has its own time */
        late = prb_fault_jitter_next(&connection->shared->jitter);
    if (late.ms > 0 && !late.back && !prb_fault_pause(connection, late.ms))
        return false;
    return go_on(connection, request, &hit, &late);
}

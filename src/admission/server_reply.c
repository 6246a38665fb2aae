/* How does an answer reach the client? */

#include <stdio.h>
#include <string.h>

#include "server_internal.h"

/* A Status with a message of ours. */
#define STATUS_MAX ((size_t)8 * 1024)

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value);
}

/* While draining, and once in a while, the next request should go elsewhere. */
static bool must_close(const struct prb_exchange *exchange)
{
    return atomic_load(&exchange->server->draining) || prb_client_is_old(exchange->client);
}

static struct MHD_Response *new_response(struct prb_str *body, bool closes)
{
    size_t len = body->len;
    char *text = prb_str_take(body);
    struct MHD_Response *response =
            MHD_create_response_from_buffer(len, text, MHD_RESPMEM_MUST_FREE);

    if (!response) {
        free(text);
        return NULL;
    }
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, "application/json");
    if (closes)
        add_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    return response;
}

static enum MHD_Result send_response(
        struct prb_exchange *exchange, int status, struct MHD_Response *response)
{
    enum MHD_Result result;

    prb_report_code(status);
    prb_client_enter(exchange->client, PRB_PHASE_ANSWER);
    result = MHD_queue_response(exchange->connection, (unsigned)status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result prb_reply_refusal(struct prb_exchange *exchange, const struct prb_refusal *refusal)
{
    prb_auto(prb_str_done) struct prb_str body;
    struct MHD_Response *response;
    char seconds[16];

    prb_str_init(&body, STATUS_MAX);
    prb_status_write(refusal->status, refusal->reason, refusal->message, &body);
    response = new_response(&body, refusal->closes || must_close(exchange));
    if (!response)
        return MHD_NO;
    if (refusal->allow)
        add_header(response, MHD_HTTP_HEADER_ALLOW, refusal->allow);
    if (refusal->retry_after_s > 0) {
        (void)snprintf(seconds, sizeof(seconds), "%d", refusal->retry_after_s);
        add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, seconds);
    }
    return send_response(exchange, refusal->status, response);
}

enum MHD_Result prb_reply_review(struct prb_exchange *exchange, const struct prb_verdict *verdict)
{
    prb_auto(prb_str_done) struct prb_str body;
    struct MHD_Response *response;

    prb_str_init(&body, PRB_REVIEW_ANSWER_MAX);
    prb_review_write(exchange->request, verdict, &body);
    prb_connections_prove(&exchange->client->base);
    response = new_response(&body, must_close(exchange));
    return response ? send_response(exchange, MHD_HTTP_OK, response) : MHD_NO;
}

/* How does a review get its verdict without holding up others? */

#include <string.h>

#include "probate/base/mem.h"

#include "server_internal.h"

static enum MHD_Result conclude(struct prb_exchange *exchange, const struct prb_verdict *verdict)
{
    prb_report_verdict(exchange, verdict);
    return prb_reply_review(exchange, verdict);
}

static enum MHD_Result decide(struct prb_exchange *exchange)
{
    prb_auto(prb_verdict_done) struct prb_verdict verdict;

    prb_verdict_init(&verdict);
    prb_engine_decide(
            exchange->server->options.engine, exchange->request, &exchange->questions, &verdict);
    return conclude(exchange, &verdict);
}

/* False when the server ends and must not be waited in any more. */
static bool start_waiting(struct prb_server *server)
{
    bool may;

    (void)pthread_mutex_lock(&server->lock);
    may = !server->closing;
    if (may)
        server->waiting++;
    (void)pthread_mutex_unlock(&server->lock);
    if (may)
        prb_report_waiting(1);
    return may;
}

static void end_waiting(struct prb_server *server)
{
    prb_report_waiting(-1);
    (void)pthread_mutex_lock(&server->lock);
    server->waiting--;
    (void)pthread_cond_broadcast(&server->resumed);
    (void)pthread_mutex_unlock(&server->lock);
}

/* On a thread of the asker. From the resumption on the exchange is the daemon's; the server is
 * there until nobody waits. */
static void resume(void *ctx)
{
    struct prb_exchange *exchange = ctx;
    struct prb_server *server = exchange->server;

    MHD_resume_connection(exchange->connection);
    end_waiting(server);
}

/* The daemon calls again when the connection is resumed. */
static enum MHD_Result wait_for_answers(struct prb_exchange *exchange)
{
    const struct prb_asker_job job = { .questions = &exchange->questions,
        .deadline_ms = exchange->deadline_ms,
        .done = resume,
        .ctx = exchange };

    if (!start_waiting(exchange->server))
        return decide(exchange); /* what is not known stays so: nothing is allowed on a guess */
    exchange->client->deaf = true;
    MHD_suspend_connection(exchange->connection);
    if (!prb_asker_submit(exchange->server->options.asker, &job))
        resume(exchange);
    return MHD_YES;
}

static enum MHD_Result malformed(struct prb_exchange *exchange, const char *why)
{
    const struct prb_refusal refusal = {
        .status = MHD_HTTP_BAD_REQUEST, .reason = "BadRequest", .message = why
    };

    return prb_reply_refusal(exchange, &refusal);
}

static int read_body(struct prb_exchange *exchange, struct prb_error *err)
{
    struct prb_body *body = &exchange->body;
    int r = prb_review_read(exchange->server->options.reader, body->data ? body->data : "",
            body->len, &exchange->request, err);

    if (r == 0 && exchange->only)
        exchange->request->only = prb_strdup(exchange->only);
    prb_body_read(body); /* what is needed of it is in the request; it may be 8 MiB */
    return r;
}

/*
 * Caches that are not read yet are the rules' own business: they ask live what a view does not
 * know, and so nothing has to wait that could be answered. Called again with the answers, which may
 * bring up more questions; all rounds of them have the one deadline.
 */
enum MHD_Result prb_exchange_judge(struct prb_exchange *exchange)
{
    const struct prb_server_options *options = &exchange->server->options;
    struct prb_error err;

    exchange->client->deaf = false;
    if (!exchange->request && read_body(exchange, &err) < 0)
        return malformed(exchange, err.msg);
    if (prb_engine_ask(options->engine, exchange->request, &exchange->questions))
        return wait_for_answers(exchange);
    return decide(exchange);
}

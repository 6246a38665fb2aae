/* How does a review get its verdict without holding up others? */

#include <string.h>

#include "probate/base/mem.h"

#include "server_internal.h"

static void hold(struct prb_exchange *exchange)
{
    if (exchange->held)
        return;
    exchange->held = true;
    prb_report_held(1);
}

void prb_exchange_forget(struct prb_exchange *exchange)
{
    if (exchange->held)
        prb_report_held(-1);
    exchange->held = false;
    prb_questions_done(&exchange->questions);
    prb_request_free(prb_take(exchange->request));
    prb_intake_done(&exchange->intake);
}

static enum MHD_Result conclude(struct prb_exchange *exchange, const struct prb_verdict *verdict)
{
    enum MHD_Result result;

    prb_report_verdict(exchange, verdict);
    result = prb_reply_review(exchange, verdict);
    prb_exchange_forget(exchange); /* nobody needs it while the answer is sent */
    return result;
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

/* This review may wait for long: others may use the memory that it does not need. */
static void narrow(struct prb_exchange *exchange)
{
    prb_intake_shrink(&exchange->intake,
            prb_engine_narrow(exchange->server->options.engine, exchange->request));
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
    if (exchange->questions.rounds == 1)
        narrow(exchange);
    exchange->client->deaf = true;
    MHD_suspend_connection(exchange->connection);
    if (!prb_asker_submit(exchange->server->options.asker, &job))
        resume(exchange);
    return MHD_YES;
}

/*
 * Caches that are not read yet are the rules' own business: they ask live what a view does not
 * know, and so nothing has to wait that could be answered. Called again with the answers, which may
 * bring up more questions; all rounds of them have the one deadline.
 */
enum MHD_Result prb_exchange_judge(struct prb_exchange *exchange)
{
    const struct prb_server_options *options = &exchange->server->options;

    exchange->client->deaf = false;
    hold(exchange);
    if (prb_engine_ask(options->engine, exchange->request, &exchange->questions))
        return wait_for_answers(exchange);
    return decide(exchange);
}

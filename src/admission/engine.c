/* How does a request come to its verdict? */

#include "probate/admission/engine.h"

#include "review_narrow.h"

/* The view is closed before anyone is asked: it holds locks, and an answer may take seconds. */
bool prb_engine_ask(const struct prb_engine *engine, const struct prb_request *request,
        struct prb_questions *out)
{
    prb_auto(prb_view_close) struct prb_view *view = NULL;

    if (out->rounds == PRB_ASK_ROUNDS_MAX)
        return false;
    out->rounds++;
    view = engine->open_view(engine->ctx);
    prb_judge_ask(engine->judge, request, view, out);
    return prb_questions_open(out) > 0;
}

size_t prb_engine_narrow(const struct prb_engine *engine, struct prb_request *request)
{
    return prb_review_narrow(engine->judge, request);
}

void prb_engine_decide(const struct prb_engine *engine, const struct prb_request *request,
        const struct prb_questions *answers, struct prb_verdict *out)
{
    prb_auto(prb_view_close) struct prb_view *view = engine->open_view(engine->ctx);

    prb_judge_decide(engine->judge, request, view, answers, out);
}

void prb_engine_judge(const struct prb_engine *engine, const struct prb_request *request,
        int64_t deadline_ms, struct prb_verdict *out)
{
    prb_auto(prb_questions_done) struct prb_questions questions;

    prb_questions_init(&questions);
    while (prb_engine_ask(engine, request, &questions))
        prb_ask_all(engine->api, engine->clock, deadline_ms, &questions);
    prb_engine_decide(engine, request, &questions, out);
}

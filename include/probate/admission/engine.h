#ifndef PROBATE_ADMISSION_ENGINE_H
#define PROBATE_ADMISSION_ENGINE_H

/*
 * One request to its verdict: open a view, let the rules ask, answer over the port, open a view
 * again, let them ask what the answers bring up, and when there is nothing more, let them judge.
 * The same engine behind the HTTPS server and behind `probate review`. Immutable; may be used by
 * many threads at once.
 */

#include "probate/admission/asker.h"
#include "probate/core/judge.h"

struct prb_engine {
    const struct prb_judge *judge; /* borrowed, as all here */
    struct prb_api *api;           /* for prb_engine_judge only; so is the clock */
    const struct prb_clock *clock;

    /* A view on the collections that rules look up, which the engine closes. Called by any thread
     * that has no view open. */
    struct prb_view *(*open_view)(void *ctx);
    void *ctx;
};

/*
 * First half, to be repeated: which questions are open? Short; opens and closes a view. `out` is
 * initialised at first, and has the answers so far later on. False: none is, or there were
 * PRB_ASK_ROUNDS_MAX rounds of them; it is time to decide.
 */
bool prb_engine_ask(const struct prb_engine *engine, const struct prb_request *request,
        struct prb_questions *out);

/* Before a wait: what no rule reads of this request is freed; how many bytes, as prb_json_built
 * counts them. The request is the caller's own, as it was before the first half. */
size_t prb_engine_narrow(const struct prb_engine *engine, struct prb_request *request);

/* Second half: short as well. `out` is initialised. */
void prb_engine_decide(const struct prb_engine *engine, const struct prb_request *request,
        const struct prb_questions *answers, struct prb_verdict *out);

/* Both, and the answers in between, on the calling thread. `deadline_ms` is monotonic. */
void prb_engine_judge(const struct prb_engine *engine, const struct prb_request *request,
        int64_t deadline_ms, struct prb_verdict *out);

/* Log and count a verdict that took so many microseconds; the server does it for its reviews. */
void prb_verdict_report(
        const struct prb_request *request, const struct prb_verdict *verdict, int64_t us);

#endif

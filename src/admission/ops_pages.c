/* What does the ops port answer to a request? */

#include "ops_pages.h"

#include <string.h>

#include "probate/base/metrics.h"

#define TEXT_TYPE "text/plain; charset=utf-8"
#define METRICS_TYPE "text/plain; version=0.0.4; charset=utf-8"

static void start(struct prb_ops_reply *reply, unsigned status)
{
    *reply = (struct prb_ops_reply){ .status = status, .content_type = TEXT_TYPE };
    prb_str_init(&reply->body, PRB_OPS_BODY_MAX);
}

/* A short text reply. */
static void refuse(struct prb_ops_reply *reply, unsigned status, const char *text)
{
    start(reply, status);
    prb_str_addf(&reply->body, "%s\n", text);
}

static void answer_index(const struct prb_ops_source *source, const struct prb_ops_request *request,
        struct prb_ops_reply *reply)
{
    (void)source;
    (void)request;
    prb_str_add(&reply->body,
            "Probate " PRB_VERSION ", ops port\n"
            "\n"
            "/healthz                the process runs\n"
            "/readyz[?verbose]       it may be given work, check by check\n"
            "/metrics                for Prometheus\n"
            "/waiting[?output=json]  every deletion that waits, what for and since when\n");
}

static void answer_healthz(const struct prb_ops_source *source,
        const struct prb_ops_request *request, struct prb_ops_reply *reply)
{
    (void)source;
    (void)request;
    prb_str_add(&reply->body, "ok\n");
}

static void answer_metrics(const struct prb_ops_source *source,
        const struct prb_ops_request *request, struct prb_ops_reply *reply)
{
    (void)source;
    (void)request;
    reply->content_type = METRICS_TYPE;
    prb_metrics_print(&reply->body);
}

/* A walk over the checks. */
struct readiness {
    struct prb_str *body;
    bool verbose; /* list all, not only those that failed */
    bool ready;
};

static void add_check(void *sink, const struct prb_ops_check *check)
{
    static const char marks[] = {
        [PRB_OPS_OK] = '+', [PRB_OPS_FAILED] = '-', [PRB_OPS_INFO] = 'i'
    };
    struct readiness *readiness = sink;

    if (check->state == PRB_OPS_FAILED)
        readiness->ready = false;
    else if (!readiness->verbose)
        return;
    prb_str_addf(readiness->body, "[%c] %s: %s\n", marks[check->state], check->name, check->detail);
}

static void answer_readyz(const struct prb_ops_source *source,
        const struct prb_ops_request *request, struct prb_ops_reply *reply)
{
    struct readiness readiness = {
        .body = &reply->body, .verbose = request->verbose, .ready = true
    };

    source->each_check(source->ctx, add_check, &readiness);
    reply->status = readiness.ready ? 200 : 503;
    prb_str_add(&reply->body, readiness.ready ? "ready\n" : "not ready\n");
}

static void answer_waiting(const struct prb_ops_source *source,
        const struct prb_ops_request *request, struct prb_ops_reply *reply)
{
    if (!prb_ops_waiting(source, request->output, reply)) {
        prb_str_clear(&reply->body);
        reply->status = 400;
        prb_str_add(&reply->body, "output is text or json\n");
    }
}

static const struct {
    const char *path;
    void (*answer)(const struct prb_ops_source *source, const struct prb_ops_request *request,
            struct prb_ops_reply *reply);
} pages[] = {
    { "/", answer_index },
    { "/healthz", answer_healthz },
    { "/readyz", answer_readyz },
    { "/metrics", answer_metrics },
    { "/waiting", answer_waiting },
};

void prb_ops_answer(const struct prb_ops_source *source, const struct prb_ops_request *request,
        struct prb_ops_reply *reply)
{
    if (!prb_streq(request->method, "GET") && !prb_streq(request->method, "HEAD")) {
        refuse(reply, 405, "only GET and HEAD are served here");
        reply->allow = "GET, HEAD";
        return;
    }
    if (request->has_body) {
        refuse(reply, 413, "no request here has a body");
        return;
    }
    for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (prb_streq(request->path, pages[i].path)) {
            start(reply, 200);
            pages[i].answer(source, request, reply);
            return;
        }
    }
    refuse(reply, 404, "no such page; / lists what there is");
}

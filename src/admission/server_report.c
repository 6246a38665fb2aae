/* What do people get to know of the admission server? One line for each denial, and numbers. */

#include <stdio.h>
#include <time.h>

#include "probate/admission/engine.h"
#include "probate/base/log.h"
#include "probate/base/metrics.h"

#include "server_internal.h"

/* From the time a small review takes to the longest that the API server waits. */
static const double buckets[] = { 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
    0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30 };

static struct prb_metric reviews = { .name = "probate_admission_reviews_total",
    .help = "Reviews by what was decided, and by the rule that decided it.",
    .type = PRB_COUNTER,
    .labels = { "operation", "decision", "rule" } };
static struct prb_metric audited = { .name = "probate_admission_audited_total",
    .help = "Reviews allowed although a rule in warn or audit mode would have denied them.",
    .type = PRB_COUNTER,
    .labels = { "operation", "rule" } };
static struct prb_metric overrides = { .name = "probate_overrides_total",
    .help = "Reviews allowed because somebody with the right to went past a rule.",
    .type = PRB_COUNTER,
    .labels = { "rule" } };
static struct prb_metric duration = { .name = "probate_admission_duration_seconds",
    .help = "From the headers of a review to its verdict.",
    .type = PRB_HISTOGRAM,
    .buckets = buckets,
    .bucket_count = sizeof(buckets) / sizeof(buckets[0]) };
static struct prb_metric late = { .name = "probate_admission_deadline_exceeded_total",
    .help = "Reviews whose verdict came after the deadline that the API server gave.",
    .type = PRB_COUNTER };
static struct prb_metric answers = { .name = "probate_admission_answers_total",
    .help = "HTTP answers at the admission port by status code.",
    .type = PRB_COUNTER,
    .labels = { "code" } };
static struct prb_metric shed = { .name = "probate_admission_shed_total",
    .help = "Requests answered 503 because a limit was reached.",
    .type = PRB_COUNTER,
    .labels = { "limit" } };
static struct prb_metric in_flight = { .name = "probate_admission_in_flight",
    .help = "Requests that are being read, judged or answered.",
    .type = PRB_GAUGE };
static struct prb_metric waiting = { .name = "probate_admission_waiting",
    .help = "Reviews that wait for live answers of the API server.",
    .type = PRB_GAUGE };
static struct prb_metric held = { .name = "probate_admission_held",
    .help = "Reviews whose objects are in memory: they have no verdict yet.",
    .type = PRB_GAUGE };
static struct prb_metric open_connections = { .name = "probate_admission_connections",
    .help = "Open connections at the admission port.",
    .type = PRB_GAUGE };
static struct prb_metric overdue = { .name = "probate_admission_connections_overdue_total",
    .help = "Connections closed because something took too long, by what.",
    .type = PRB_COUNTER,
    .labels = { "phase" } };
static struct prb_metric displaced = { .name = "probate_admission_connections_displaced_total",
    .help = "Connections closed to make room for others, by what they were: unused, unproven and "
            "unread (no review was answered), stale.",
    .type = PRB_COUNTER,
    .labels = { "standing" } };
static struct prb_metric handshakes = { .name = "probate_tls_handshakes_total",
    .help = "TLS handshakes by result.",
    .type = PRB_COUNTER,
    .labels = { "result" } };

int64_t prb_now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static const char *decision_of(const struct prb_verdict *verdict)
{
    if (prb_verdict_allows(verdict))
        return "allow";
    return verdict->denial == PRB_DENY_UNAVAILABLE ? "unavailable" : "deny";
}

static void count(const struct prb_request *request, const struct prb_verdict *verdict)
{
    const char *operation = prb_operation_name(request->operation);

    prb_metric_add(
            &reviews, 1, operation, decision_of(verdict), verdict->rule ? verdict->rule : "none");
    if (verdict->audited)
        prb_metric_add(&audited, 1, operation, verdict->audited_rule);
}

/* Who wanted what, and who decided; never what is in the objects. */
static void tell(enum prb_log_level level, const char *message, const char *rule,
        const struct prb_request *request, int code, int64_t us)
{
    PRB_LOG_(level, message, KV("rule", rule ? rule : "none"), KV_INT("code", code),
            KV("operation", prb_operation_name(request->operation)),
            KV("group", request->gvr.group), KV("resource", request->gvr.resource),
            KV("subresource", request->subresource), KV("namespace", request->namespace),
            KV("name", request->name), KV("user", request->subject->user), KV("uid", request->uid),
            KV("dryRun", request->dry_run ? "true" : "false"), KV_INT("us", us));
}

/* Somebody went past a rule: that is for people to see, with the reason that was given. A dry run
 * leaves no trace. */
static void report_override(const struct prb_request *request, const struct prb_verdict *verdict)
{
    if (!verdict->override_reason || request->dry_run)
        return;
    prb_metric_add(&overrides, 1, verdict->override_rule);
    prb_warn("overridden", KV("rule", verdict->override_rule),
            KV("operation", prb_operation_name(request->operation)),
            KV("group", request->gvr.group), KV("resource", request->gvr.resource),
            KV("namespace", request->namespace), KV("name", request->name),
            KV("user", request->subject->user), KV("uid", request->uid),
            KV("reason", verdict->override_reason));
}

void prb_verdict_report(
        const struct prb_request *request, const struct prb_verdict *verdict, int64_t us)
{
    int code = prb_review_code(verdict);

    count(request, verdict);
    report_override(request, verdict);
    prb_metric_observe(&duration, (double)us / 1e6);
    if (!prb_verdict_allows(verdict))
        tell(PRB_LOG_INFO, "denied", verdict->rule, request, code, us);
    else if (verdict->audited)
        tell(PRB_LOG_INFO, "would be denied", verdict->audited_rule, request, code, us);
    else
        tell(PRB_LOG_DEBUG, "allowed", verdict->rule, request, code, us);
}

void prb_report_verdict(const struct prb_exchange *exchange, const struct prb_verdict *verdict)
{
    const struct prb_server_options *options = &exchange->server->options;
    const struct prb_request *request = exchange->request;
    int64_t now_us = prb_now_us(), us = now_us - exchange->began_us;

    prb_verdict_report(request, verdict, us);
    if (now_us > exchange->deadline_ms * 1000)
        prb_metric_add(&late, 1);
    if (options->decided)
        options->decided(options->ctx, request, verdict, us);
}

void prb_report_code(int code)
{
    char text[16];

    (void)snprintf(text, sizeof(text), "%d", code);
    prb_metric_add(&answers, 1, text);
}

void prb_report_shed(const char *limit)
{
    prb_metric_add(&shed, 1, limit);
}

void prb_report_handshake(bool good)
{
    prb_metric_add(&handshakes, 1, good ? "good" : "failed");
}

void prb_report_overdue(enum prb_phase phase)
{
    prb_metric_add(&overdue, 1, prb_phase_name(phase));
}

void prb_report_displaced(enum prb_standing standing)
{
    prb_metric_add(&displaced, 1, prb_standing_name(standing));
}

void prb_report_connections(int change)
{
    prb_metric_add(&open_connections, change);
}

void prb_report_in_flight(int change)
{
    prb_metric_add(&in_flight, change);
}

void prb_report_waiting(int change)
{
    prb_metric_add(&waiting, change);
}

void prb_report_held(int change)
{
    prb_metric_add(&held, change);
}

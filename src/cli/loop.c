/* What do all long-running verbs do alike, from start to end? */

#include "loop.h"

#include <stdlib.h>
#include <unistd.h>

#include "probate/admission/ops.h"
#include "probate/api/sides.h"
#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "config_policy.h"
#include "loop_flags.h"

#define START_LOOK_MS 100

/* Collections that are not read by then are named in the log, and again after twice as long each
 * time: the first list of a large hub takes seconds, a kind that is not installed stays away. */
#define UNREAD_MS 30000

#define LEASE_NAMESPACE "probate-system"

const char *const prb_log_formats[] = { "text", "json", NULL };
const char *const prb_log_levels[] = { "debug", "info", "warn", "error", NULL };

static struct prb_metric build_info = {
    .name = "probate_build_info",
    .help = "Always 1; the version that runs is in the label.",
    .type = PRB_GAUGE,
    .labels = { "version" },
};

void prb_loop_settle(struct prb_loop_flags *flags)
{
    if (flags->leader_elect == PRB_NOT_SAID)
        flags->leader_elect = !flags->source.embedded && !flags->dry_run;
    prb_log_configure((enum prb_log_level)flags->log_level, (enum prb_log_format)flags->log_format,
            STDERR_FILENO);
}

void prb_loop_init(struct prb_loop *loop, const char *verb, const struct prb_loop_flags *flags)
{
    *loop = (struct prb_loop){ .verb = verb, .flags = flags, .wiring = prb_wiring_new() };
    prb_metric_set(&build_info, 1, PRB_VERSION);
}

void prb_loop_done(struct prb_loop *loop)
{
    prb_controller_choice_done(&loop->controllers);
}

static void each_check(void *ctx, prb_ops_check_fn each, void *sink)
{
    struct prb_loop *loop = ctx;

    prb_wiring_each_check(loop->wiring, each, sink);
    if (loop->each_check)
        loop->each_check(loop->ctx, each, sink);
}

static void each_wait(void *ctx, prb_ops_wait_fn each, void *sink)
{
    struct prb_loop *loop = ctx;

    prb_wiring_each_wait(loop->wiring, each, sink);
}

int prb_loop_start_ops(struct prb_loop *loop, struct prb_error *err)
{
    const struct prb_address *listen = &loop->flags->ops_listen;
    const struct prb_ops_options options = { .host = listen->host,
        .port = listen->port,
        .source = { .each_check = each_check, .each_wait = each_wait, .ctx = loop } };
    char text[PRB_ADDRESS_TEXT_SIZE];
    prb_autofree char *reason = NULL;

    if (prb_ops_start(&options, &loop->ops, err) == 0)
        return 0;
    prb_address_format(listen, text);
    reason = prb_strdup(err->msg);
    return prb_fail(
            err, err->code, "--ops-listen %s: %s; choose another with --ops-listen", text, reason);
}

/* With the controller of policies on: nobody else may carry them out here. */
static int open_source(
        struct prb_loop *loop, struct prb_supervisor *supervisor, struct prb_error *err)
{
    int r = prb_source_open(&loop->flags->source, supervisor, &loop->source, err);

    if (r == 0 && prb_controller_choice_has(&loop->controllers, prb_reconciler_policy.name))
        r = prb_config_policy_check(loop->source.api, supervisor, err);
    return r;
}

int prb_loop_open(struct prb_loop *loop, const struct prb_source_options *hub,
        struct prb_supervisor *supervisor, struct prb_error *err)
{
    struct prb_work_settings *works = prb_controller_choice_works(&loop->controllers);
    int r = open_source(loop, supervisor, err);

    if (r < 0 || !works)
        return r;
    if (hub) {
        r = prb_source_open(hub, supervisor, &loop->hub, err);
        if (r < 0)
            return prb_wrap(err, "the hub");
    }
    prb_works_settle(works, hub ? loop->hub.server : loop->source.server);
    prb_works_log(works);
    loop->sides = prb_sides_open(&(struct prb_sides_options){ .own = loop->source.api,
            .hub = hub ? loop->hub.api : loop->source.api,
            .hub_namespace = works->cluster_name });
    return 0;
}

const char *prb_loop_lease_namespace(const struct prb_loop *loop)
{
    if (loop->flags->lease_namespace)
        return loop->flags->lease_namespace;
    return loop->source.namespace[0] ? loop->source.namespace : LEASE_NAMESPACE;
}

int prb_loop_join(struct prb_loop *loop, const struct prb_judge *judge, struct prb_error *err)
{
    const struct prb_wiring_options options = { .sides = loop->sides,
        .reconcilers = loop->controllers.table,
        .chosen = loop->controllers.chosen,
        .count = loop->controllers.count,
        .workers = (int)loop->flags->workers,
        .dry_run = loop->flags->dry_run,
        .leader_elect = loop->flags->leader_elect,
        .lease_namespace = prb_loop_lease_namespace(loop),
        .lease_name = loop->flags->lease_name,
        .lease_duration_ms = loop->flags->lease_duration_ms,
        .judge = judge };

    return prb_wiring_start(loop->wiring, loop->source.api, &options, err);
}

/*
 * Once running, a server that is away is no reason to end: it is waited for. Controllers that begin
 * when all is read need not say things and take them back; but what cannot be read, and no rule
 * looks up, holds them up only for so long.
 */
static int wait_until_read(
        struct prb_loop *loop, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t pause_ms = UNREAD_MS, tell_ms = clock->mono_ms(clock) + pause_ms;

    while (!prb_wiring_wait_read(loop->wiring, START_LOOK_MS)) {
        if (prb_supervisor_stopping(supervisor))
            return prb_fail(err, PRB_E_CANCELLED, "stopped before all collections were read");
        if (clock->mono_ms(clock) < tell_ms)
            continue;
        prb_wiring_log_unread(loop->wiring);
        if (prb_wiring_can_begin(loop->wiring))
            return 0;
        pause_ms *= 2;
        tell_ms += pause_ms;
    }
    return 0;
}

int prb_loop_run(struct prb_loop *loop, struct prb_supervisor *supervisor, struct prb_error *err)
{
    int r = wait_until_read(loop, supervisor, err);

    return r < 0 ? r : prb_wiring_run(loop->wiring, err);
}

/* What is asked before each call below. */
struct round {
    const struct prb_loop *loop;
    struct prb_supervisor *supervisor;
};

static bool goes_on(void *ctx)
{
    const struct round *round = ctx;

    return prb_wiring_acts(round->loop->wiring) && !prb_supervisor_stopping(round->supervisor);
}

void prb_loop_tend(struct prb_loop *loop, struct prb_supervisor *supervisor)
{
    struct round round = { .loop = loop, .supervisor = supervisor };
    struct prb_policy_release *release = &loop->release;

    release->keep = prb_controller_choice_policies(&loop->controllers);
    if (!release->keep || loop->flags->dry_run)
        return;
    release->api = loop->source.api;
    release->recorder = prb_wiring_recorder(loop->wiring);
    release->go_on = goes_on;
    release->ctx = &round;
    prb_policy_release_tend(release);
}

void prb_loop_log_ready(const struct prb_loop *loop, const char *admission)
{
    struct prb_address address = loop->flags->ops_listen;
    char text[PRB_ADDRESS_TEXT_SIZE];
    prb_autofree char *command = NULL;

    address.port = prb_ops_port(loop->ops);
    prb_address_format(&address, text);
    command = prb_asprintf("curl http://%s%s/waiting", address.host[0] ? "" : "localhost", text);
    if (admission)
        prb_info("ready", KV("admission", admission), KV("ops", text), KV("try", command));
    else
        prb_info("ready", KV("ops", text), KV("try", command));
}

/* Calls to the clusters are interrupted when PRB_STOP_MS have passed. */
static void limit(struct prb_loop *loop, struct prb_supervisor *supervisor)
{
    if (loop->source.api)
        prb_supervisor_limit(
                supervisor, loop->sides ? loop->sides : loop->source.api, PRB_STOP_MS, false);
}

void prb_loop_halt(struct prb_loop *loop, struct prb_supervisor *supervisor)
{
    prb_wiring_drain(loop->wiring);
    limit(loop, supervisor);
    prb_wiring_stop(loop->wiring);
}

void prb_loop_close_ops(struct prb_loop *loop, struct prb_supervisor *supervisor)
{
    limit(loop, supervisor);
    prb_ops_stop(prb_take(loop->ops));
}

void prb_loop_end(struct prb_loop *loop, struct prb_supervisor *supervisor)
{
    prb_wiring_flush(loop->wiring);
    prb_supervisor_limit(supervisor, NULL, 0, false);
    prb_wiring_free(prb_take(loop->wiring));
    prb_api_close(prb_take(loop->sides));
    prb_source_close(&loop->hub);
    prb_source_close(&loop->source);
}

enum prb_exit prb_loop_give_up(const struct prb_loop *loop, const struct prb_error *err)
{
    switch (err->code) {
    case PRB_E_CANCELLED: /* asked to stop during the start */
        return PRB_EXIT_DONE;
    case PRB_E_IO:
    case PRB_E_UNAVAILABLE:
    case PRB_E_THROTTLED:
        prb_cli_complain(loop->verb, err->msg, NULL);
        return PRB_EXIT_UNREACHABLE;
    case PRB_E_INTERNAL:
        prb_cli_complain(loop->verb, err->msg, NULL);
        return PRB_EXIT_INTERNAL;
    case PRB_OK:
    case PRB_E_INVALID:
    case PRB_E_NOTFOUND:
    case PRB_E_EXISTS:
    case PRB_E_CONFLICT:
    case PRB_E_GONE:
    case PRB_E_UNAUTHORIZED:
    case PRB_E_FORBIDDEN:
    case PRB_E_UNSUPPORTED:
        break;
    }
    prb_cli_complain(loop->verb, err->msg, NULL);
    return PRB_EXIT_USAGE;
}

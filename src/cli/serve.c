/* What does `probate serve` do, from start to end? */

#include "serve.h"

#include <poll.h>
#include <stdatomic.h>
#include <unistd.h>

#include "probate/admission/ops.h"
#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/base/str.h"
#include "probate/cli/verb.h"

#include "cluster_release.h"
#include "ocm.h"
#include "source.h"
#include "supervisor.h"
#include "webhook.h"
#include "wiring.h"

/* Looks at how things stand: as often as a person would notice. */
#define LOOK_MS 1000
#define START_LOOK_MS 100

/* Collections that are not read by then are named in the log, and again after twice as long each
 * time: the first list of a large hub takes seconds, a kind that is not installed stays away. */
#define UNREAD_MS 30000

/* For calls in progress when the end comes; then they are interrupted. With the delay before it,
 * below the 30 s that Kubernetes gives a pod. */
#define STOP_MS 15000

#define LEASE_NAMESPACE "probate-system"

static struct prb_metric build_info = {
    .name = "probate_build_info",
    .help = "Always 1; the version that runs is in the label.",
    .type = PRB_GAUGE,
    .labels = { "version" },
};

/* One run of the verb. */
struct serve {
    struct prb_serve_options options;
    struct prb_controller_choice controllers;
    struct prb_source source; /* api NULL: not open */
    struct prb_rule_choice rules;
    struct prb_judge judge;                /* over `rules` */
    struct prb_wiring *wiring;             /* owned */
    _Atomic(struct prb_webhook *) webhook; /* owned; the ops server's thread looks at it */
    struct prb_ops *ops;                   /* owned */
};

/* An error ends the program: say it, and choose the exit code. */
static enum prb_exit give_up(const struct prb_error *err)
{
    switch (err->code) {
    case PRB_E_CANCELLED: /* asked to stop during the start */
        return PRB_EXIT_DONE;
    case PRB_E_IO:
    case PRB_E_UNAVAILABLE:
    case PRB_E_THROTTLED:
        prb_cli_complain("serve", err->msg, NULL);
        return PRB_EXIT_UNREACHABLE;
    case PRB_E_INTERNAL:
        prb_cli_complain("serve", err->msg, NULL);
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
    prb_cli_complain("serve", err->msg, NULL);
    return PRB_EXIT_USAGE;
}

static int choose_rules(struct serve *serve, struct prb_error *err)
{
    int r = prb_rules_choose(&serve->options.rules, &serve->rules, err);

    serve->judge = prb_rule_choice_judge(&serve->rules);
    return r;
}

/* A rule whose status and label nobody keeps is half a rule; but somebody else may keep them. */
static void warn_of_halves(const struct serve *serve)
{
    static const char name[] = "critical-service";

    for (size_t i = 0; i < serve->rules.count; i++) {
        if (prb_streq(serve->rules.rules[i]->name, name) &&
                !prb_controller_choice_has(&serve->controllers, name))
            prb_warn("the controller of this rule is left out: unless another Probate runs it, "
                     "CriticalServices have no status, and what they protect has no label, so that "
                     "it can be deleted while Probate is down",
                    KV("rule", name));
    }
}

static void each_check(void *ctx, prb_ops_check_fn each, void *sink)
{
    struct serve *serve = ctx;
    struct prb_webhook *webhook = atomic_load(&serve->webhook);

    prb_wiring_each_check(serve->wiring, each, sink);
    if (webhook)
        prb_webhook_each_check(webhook, each, sink);
}

static void each_wait(void *ctx, prb_ops_wait_fn each, void *sink)
{
    struct serve *serve = ctx;

    prb_wiring_each_wait(serve->wiring, each, sink);
}

static int start_ops(struct serve *serve, struct prb_error *err)
{
    const struct prb_address *listen = &serve->options.ops_listen;
    const struct prb_ops_options options = { .host = listen->host,
        .port = listen->port,
        .source = { .each_check = each_check, .each_wait = each_wait, .ctx = serve } };
    char text[PRB_ADDRESS_TEXT_SIZE];
    prb_autofree char *reason = NULL;

    if (prb_ops_start(&options, &serve->ops, err) == 0)
        return 0;
    prb_address_format(listen, text);
    reason = prb_strdup(err->msg);
    return prb_fail(
            err, err->code, "--ops-listen %s: %s; choose another with --ops-listen", text, reason);
}

static const char *lease_namespace(const struct serve *serve)
{
    if (serve->options.lease_namespace)
        return serve->options.lease_namespace;
    return serve->source.namespace[0] ? serve->source.namespace : LEASE_NAMESPACE;
}

static int start_wiring(struct serve *serve, struct prb_error *err)
{
    const struct prb_wiring_options options = { .reconcilers = serve->controllers.table,
        .chosen = serve->controllers.chosen,
        .count = serve->controllers.count,
        .workers = (int)serve->options.workers,
        .dry_run = serve->options.dry_run,
        .leader_elect = serve->options.leader_elect,
        .lease_namespace = lease_namespace(serve),
        .lease_name = serve->options.lease_name,
        .lease_duration_ms = serve->options.lease_duration_ms,
        .judge = &serve->judge };

    return prb_wiring_start(serve->wiring, serve->source.api, &options, err);
}

static int start_webhook(struct serve *serve, struct prb_error *err)
{
    const struct prb_webhook_options options = { .listen = serve->options.listen,
        .tls_cert = serve->options.tls_cert,
        .tls_key = serve->options.tls_key,
        .client_ca = serve->options.client_ca,
        .client_names = &serve->options.client_names,
        .judge = &serve->judge,
        .api = serve->source.api,
        .wiring = serve->wiring };
    struct prb_webhook *webhook;
    int r = prb_webhook_start(&options, &webhook, err);

    if (r == 0)
        atomic_store(&serve->webhook, webhook);
    return r;
}

/* Once running, a server that is away is no reason to end: it is waited for. */
static int wait_until_read(
        struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t pause_ms = UNREAD_MS, tell_ms = clock->mono_ms(clock) + pause_ms;

    while (!prb_wiring_wait_read(serve->wiring, START_LOOK_MS)) {
        if (prb_supervisor_stopping(supervisor))
            return prb_fail(err, PRB_E_CANCELLED, "stopped before all collections were read");
        if (clock->mono_ms(clock) < tell_ms)
            continue;
        prb_wiring_log_unread(serve->wiring);
        pause_ms *= 2;
        tell_ms += pause_ms;
    }
    return 0;
}

static void log_ready(const struct serve *serve)
{
    struct prb_address address = serve->options.ops_listen;
    char text[PRB_ADDRESS_TEXT_SIZE], webhook[PRB_ADDRESS_TEXT_SIZE];
    prb_autofree char *command = NULL;

    prb_webhook_address(atomic_load(&serve->webhook), webhook);
    address.port = prb_ops_port(serve->ops);
    prb_address_format(&address, text);
    command = prb_asprintf("curl http://%s%s/waiting", address.host[0] ? "" : "localhost", text);
    prb_info("ready", KV("admission", webhook), KV("ops", text), KV("try", command));
}

/* With the controller of clusters on: nobody else may use its finalizer here. */
static int check_clusters(
        struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_cluster_settings *clusters =
            prb_controller_choice_clusters(&serve->controllers);

    if (!clusters)
        return 0;
    prb_clusters_log(clusters);
    return prb_ocm_check(serve->source.api, clusters->finalizer, supervisor, err);
}

static int start(struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_source_options source = { .embedded = serve->options.embedded,
        .kubeconfig = serve->options.kubeconfig,
        .context = serve->options.context };
    int r;

    r = prb_controller_choice_make(&serve->options.controllers, &serve->controllers, err);
    if (r == 0)
        r = choose_rules(serve, err);
    if (r == 0)
        warn_of_halves(serve);
    if (r == 0)
        r = start_ops(serve, err);
    if (r == 0)
        r = prb_source_open(&source, supervisor, &serve->source, err);
    if (r == 0)
        r = check_clusters(serve, supervisor, err);
    if (r == 0)
        r = start_wiring(serve, err);
    if (r == 0)
        r = start_webhook(serve, err);
    if (r == 0)
        r = wait_until_read(serve, supervisor, err);
    if (r == 0)
        r = prb_wiring_run(serve->wiring, err);
    if (r == 0)
        log_ready(serve);
    return r;
}

/* Unready at once; the work ends and is handed over; those who ask get answers for a while. */
static void stop(struct serve *serve, struct prb_supervisor *supervisor, int64_t delay_ms)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t until_ms = clock->mono_ms(clock) + delay_ms;
    struct prb_webhook *webhook = atomic_load(&serve->webhook);
    int64_t left_ms;

    prb_wiring_drain(serve->wiring);
    if (webhook)
        prb_webhook_drain(webhook);
    if (serve->source.api)
        prb_supervisor_limit(supervisor, serve->source.api, STOP_MS, false);
    prb_wiring_stop(serve->wiring);
    left_ms = until_ms - clock->mono_ms(clock);
    if (left_ms > 0)
        (void)poll(NULL, 0, (int)left_ms);
    if (serve->source.api)
        prb_supervisor_limit(supervisor, serve->source.api, STOP_MS, false);
    prb_ops_stop(prb_take(serve->ops));
    prb_webhook_stop(webhook, STOP_MS);
    prb_wiring_flush(serve->wiring); /* of reviews that came in during the delay, too */
    prb_supervisor_limit(supervisor, NULL, 0, false);
    prb_wiring_free(prb_take(serve->wiring));
    prb_source_close(&serve->source);
}

/* What is asked before each call of the round below. */
struct round {
    struct serve *serve;
    struct prb_supervisor *supervisor;
};

static bool goes_on(void *ctx)
{
    const struct round *round = ctx;

    return prb_wiring_acts(round->serve->wiring) && !prb_supervisor_stopping(round->supervisor);
}

/* Until a signal comes, or a controller could not be started. */
static void look_after(struct serve *serve, struct prb_supervisor *supervisor)
{
    const struct prb_cluster_settings *clusters =
            prb_controller_choice_clusters(&serve->controllers);
    struct round round = { .serve = serve, .supervisor = supervisor };
    struct prb_cluster_release release = { .api = serve->source.api,
        .keep = clusters ? clusters->finalizer : NULL,
        .go_on = goes_on,
        .ctx = &round };

    while (!prb_wiring_failed(serve->wiring) && !prb_supervisor_wait(supervisor, LOOK_MS)) {
        /* Who leaves the controller out leaves its finalizers to the one who runs it. */
        if (serve->controllers.clusters_meant && !serve->options.dry_run)
            prb_cluster_release_tend(&release);
    }
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    struct serve *serve = ctx;
    struct prb_error err;
    enum prb_exit result = PRB_EXIT_DONE;
    int64_t delay_ms = 0; /* who was never ready has nobody to wait for */

    prb_metric_set(&build_info, 1, PRB_VERSION);
    serve->wiring = prb_wiring_new();
    if (start(serve, supervisor, &err) < 0) {
        result = give_up(&err);
    } else {
        look_after(serve, supervisor);
        if (prb_wiring_failed(serve->wiring))
            result = PRB_EXIT_INTERNAL;
        else
            delay_ms = serve->options.shutdown_delay_ms;
    }
    stop(serve, supervisor, delay_ms);
    if (result == PRB_EXIT_DONE)
        prb_info("stopped");
    return result;
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct serve serve = { 0 };
    enum prb_exit result;

    prb_serve_options_init(&serve.options);
    if (prb_verb_parse(self, input, &serve.options, &args, &result)) {
        prb_serve_settle(&serve.options);
        prb_log_configure((enum prb_log_level)serve.options.log_level,
                (enum prb_log_format)serve.options.log_format, STDERR_FILENO);
        result = prb_supervise(work, &serve);
    }
    prb_controller_choice_done(&serve.controllers);
    prb_rule_choice_done(&serve.rules);
    prb_flags_done(self->flags, &serve.options);
    return result;
}

static void list_rules_and_controllers(struct prb_str *out)
{
    prb_rules_help(out);
    prb_controllers_help(out);
}

const struct prb_verb prb_verb_serve = {
    .name = "serve",
    .arguments = "[flags]",
    .summary = "Answer admission reviews and run the controllers, on a cluster or in memory.",
    .description =
            "Answers admission reviews over HTTPS and runs the controllers until SIGTERM or "
            "SIGINT, and says on stderr what it does, what it refuses and what deletions wait for. "
            "A second signal ends it at once.\n"
            "Exit codes: 0 stopped as asked, 2 wrong usage or input, 3 the cluster could not be "
            "reached at the start, 4 internal. Once running, it waits for a cluster that is away.",
    .flags = &prb_serve_flags,
    .more_help = list_rules_and_controllers,
    .run = run,
};

/* What does `probate serve` do, from start to end? */

#include "serve.h"

#include <poll.h>
#include <stdatomic.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/str.h"

#include "cluster_release.h"
#include "coverage.h"
#include "crossplane.h"
#include "dead_providers.h"
#include "embedded.h"
#include "keeper.h"
#include "ocm.h"
#include "webhook.h"

/* Looks at how things stand: as often as a person would notice. */
#define LOOK_MS 1000

/* One run of the verb. */
struct serve {
    struct prb_serve_options options;
    const struct prb_args *args; /* borrowed: which flags are said */
    struct prb_loop loop;
    struct prb_rule_choice rules;
    struct prb_judge judge;                /* over `rules` */
    struct prb_embedded *embedded;         /* owned; NULL: the API server is a real one */
    struct prb_keeper *keeper;             /* owned; NULL: nothing to keep */
    struct prb_crossplane_beside beside;   /* Crossplane, with the controller of claims */
    _Atomic(struct prb_webhook *) webhook; /* owned; the ops server's thread looks at it */
};

static int choose_rules(struct serve *serve, struct prb_error *err)
{
    struct prb_critical_settings *critical = serve->loop.controllers.critical_settings;
    int r = prb_rules_choose(&serve->options.rules, &serve->rules, err);

    serve->judge = prb_rule_choice_judge(&serve->rules);
    critical->exempt_namespaces = serve->rules.exempt;
    critical->exempt_count = serve->rules.exempt_count;
    return r;
}

/* A rule whose status and label nobody keeps is half a rule; but somebody else may keep them. */
static void warn_of_halves(const struct serve *serve)
{
    static const char name[] = "critical-service";

    for (size_t i = 0; i < serve->rules.count; i++) {
        if (prb_streq(serve->rules.rules[i]->name, name) &&
                !prb_controller_choice_has(&serve->loop.controllers, name))
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

    if (webhook)
        prb_webhook_each_check(webhook, each, sink);
    if (webhook && prb_controller_choice_claims(&serve->loop.controllers))
        prb_coverage_each_check(serve->loop.wiring, each, sink);
    if (webhook)
        prb_dead_providers_each_check(serve->loop.wiring, each, sink);
    prb_crossplane_each_check(&serve->beside, each, sink);
    if (webhook && serve->keeper) /* which is there before the webhook is */
        prb_keeper_each_check(serve->keeper, each, sink);
}

static bool may_keep(void *ctx)
{
    const struct serve *serve = ctx;

    return !serve->options.loop.dry_run && prb_wiring_acts(serve->loop.wiring);
}

static struct prb_keeper_options keeper_options(struct serve *serve)
{
    const struct prb_serve_options *o = &serve->options;

    return (struct prb_keeper_options){ .secret = o->certs_secret,
        .names = &o->service_names,
        .configuration = o->webhook_configuration,
        .ca_bundle = o->ca_bundle,
        .choice = &serve->rules,
        .leads = may_keep,
        .ctx = serve };
}

/* Before anything is opened: who mistyped a flag need not wait for a cluster. */
static int check_keeper(struct serve *serve, struct prb_error *err)
{
    const struct prb_keeper_options options = keeper_options(serve);

    if (options.secret && serve->options.tls_cert)
        return prb_fail(err, PRB_E_INVALID, "--certs-secret and --tls-cert exclude each other");
    return prb_keeper_check(&options, err);
}

static int make_keeper(struct serve *serve, struct prb_error *err)
{
    struct prb_keeper_options options = keeper_options(serve);

    if (!options.secret && !options.configuration)
        return 0;
    options.api = serve->loop.source.api;
    options.namespace = prb_loop_lease_namespace(&serve->loop);
    return prb_keeper_new(&options, &serve->keeper, err);
}

/* A real API server asks over HTTPS; the embedded one asks at once, before anybody writes to it. */
static int judge_embedded(struct serve *serve, struct prb_error *err)
{
    const struct prb_embedded_options options = {
        .hub = serve->loop.source.hub, .choice = &serve->rules, .wiring = serve->loop.wiring
    };

    return options.hub ? prb_embedded_start(&options, &serve->embedded, err) : 0;
}

static int start_webhook(struct serve *serve, struct prb_error *err)
{
    struct prb_webhook_options options = { .listen = serve->options.listen,
        .tls_cert = serve->options.tls_cert,
        .tls_key = serve->options.tls_key,
        .client_ca = serve->options.client_ca,
        .client_names = &serve->options.client_names,
        .judge = &serve->judge,
        .api = serve->loop.source.api,
        .wiring = serve->loop.wiring };
    struct prb_webhook *webhook = NULL;
    int r = make_keeper(serve, err);

    if (r == 0 && serve->options.certs_secret)
        r = prb_keeper_first(serve->keeper, &options.cert_pem, &options.key_pem, err);
    if (serve->keeper)
        options.clock = prb_keeper_clock(serve->keeper);
    if (r == 0)
        r = prb_webhook_start(&options, &webhook, err);
    if (r == 0)
        atomic_store(&serve->webhook, webhook);
    if (r == 0 && serve->keeper)
        r = prb_keeper_start(serve->keeper, prb_webhook_tls(webhook), err);
    return r;
}

static void log_ready(const struct serve *serve)
{
    char webhook[PRB_ADDRESS_TEXT_SIZE];

    prb_webhook_address(atomic_load(&serve->webhook), webhook);
    prb_loop_log_ready(&serve->loop, webhook);
}

/* With the controller of clusters on: nobody else may use its finalizer here. */
static int check_clusters(
        struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_cluster_settings *clusters =
            prb_controller_choice_clusters(&serve->loop.controllers);

    if (!clusters)
        return 0;
    prb_clusters_log(clusters);
    return prb_ocm_check(serve->loop.source.api, clusters->finalizer, supervisor, err);
}

/* The same with the controller of claims. */
static int check_claims(
        struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    struct prb_claim_settings *claims = prb_controller_choice_claims(&serve->loop.controllers);

    if (!claims)
        return 0;
    claims->claims = serve->rules.claims;
    claims->claim_count = serve->rules.claim_count;
    prb_claims_log(claims);
    prb_crossplane_beside_init(&serve->beside, serve->loop.source.api, claims->finalizer);
    return prb_crossplane_check(serve->loop.source.api, claims->finalizer, supervisor, err);
}

/* Without its controller nothing waits for a resource, nothing deletes a work and no cluster gets a
 * finalizer: a flag that says how would promise a protection that is not there. The one that takes
 * finalizers off again goes by who put them there, under whatever name. */
static int check_cluster_flags(const struct serve *serve, struct prb_error *err)
{
    static const char *const names[] = { "resources-to-monitor-for-deletion", "delete-works",
        "cluster-finalizer" };
    const struct prb_controller_choice *controllers = &serve->loop.controllers;

    if (prb_controller_choice_clusters(controllers))
        return 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const struct prb_flag flag = { .name = names[i] };
        char variable[PRB_FLAG_ENV_SIZE];

        if (!prb_args_say(serve->args, &prb_serve_flags, names[i]))
            continue;
        prb_flag_env_name(&flag, variable);
        return prb_fail(err, PRB_E_INVALID,
                "--%s has no effect: the controller cluster-deletion is off. %s%s, or leave the "
                "flag out, and %s",
                names[i],
                controllers->clusters_open ? "Do not leave it out with --controllers" : "Add ",
                controllers->clusters_open ? "" : prb_gate_flag(PRB_GATE_CLUSTER_LIFECYCLE),
                variable);
    }
    return 0;
}

static int start(struct serve *serve, struct prb_supervisor *supervisor, struct prb_error *err)
{
    int r = prb_controller_choice_make(
            &serve->options.loop.controllers, PRB_PLACE_SERVER, &serve->loop.controllers, err);

    if (r == 0)
        r = check_cluster_flags(serve, err);
    if (r == 0)
        r = choose_rules(serve, err);
    if (r == 0)
        r = check_keeper(serve, err);
    if (r == 0)
        warn_of_halves(serve);
    if (r == 0)
        r = prb_loop_start_ops(&serve->loop, err);
    if (r == 0)
        r = prb_loop_open(&serve->loop, NULL, supervisor, err);
    if (r == 0)
        r = check_clusters(serve, supervisor, err);
    if (r == 0)
        r = check_claims(serve, supervisor, err);
    if (r == 0)
        r = prb_loop_join(&serve->loop, &serve->judge, err);
    if (r == 0)
        r = judge_embedded(serve, err);
    if (r == 0)
        r = start_webhook(serve, err);
    if (r == 0)
        r = prb_loop_run(&serve->loop, supervisor, err);
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

    if (webhook)
        prb_webhook_drain(webhook);
    prb_loop_halt(&serve->loop, supervisor);
    left_ms = until_ms - clock->mono_ms(clock);
    if (left_ms > 0)
        (void)poll(NULL, 0, (int)left_ms);
    prb_loop_close_ops(&serve->loop, supervisor);
    prb_keeper_free(prb_take(serve->keeper));
    prb_webhook_stop(webhook, PRB_STOP_MS);
    prb_wiring_flush(serve->loop.wiring);
    prb_embedded_stop(prb_take(serve->embedded)); /* nobody writes any more */
    prb_loop_end(&serve->loop, supervisor); /* with the notes of reviews during the delay, too */
}

/* What is asked before each call of the round below. */
struct round {
    struct serve *serve;
    struct prb_supervisor *supervisor;
};

static bool goes_on(void *ctx)
{
    const struct round *round = ctx;

    return prb_wiring_acts(round->serve->loop.wiring) &&
           !prb_supervisor_stopping(round->supervisor);
}

/* Until a signal comes, or a controller could not be started. */
static void look_after(struct serve *serve, struct prb_supervisor *supervisor)
{
    const struct prb_cluster_settings *clusters =
            prb_controller_choice_clusters(&serve->loop.controllers);
    struct round round = { .serve = serve, .supervisor = supervisor };
    struct prb_cluster_release release = { .api = serve->loop.source.api,
        .keep = clusters ? clusters->finalizer : NULL,
        .go_on = goes_on,
        .ctx = &round };

    while (!prb_wiring_failed(serve->loop.wiring) && !prb_supervisor_wait(supervisor, LOOK_MS)) {
        /* Who leaves the controller out leaves its finalizers to the one who runs it. */
        if (serve->loop.controllers.clusters_meant && !serve->options.loop.dry_run)
            prb_cluster_release_tend(&release);
        if (prb_controller_choice_claims(&serve->loop.controllers))
            prb_coverage_measure(serve->loop.wiring);
        prb_dead_providers_measure(serve->loop.wiring);
        prb_crossplane_tend(&serve->beside);
        prb_loop_tend(&serve->loop, supervisor);
    }
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    struct serve *serve = ctx;
    struct prb_error err;
    enum prb_exit result = PRB_EXIT_DONE;
    int64_t delay_ms = 0; /* who was never ready has nobody to wait for */

    if (start(serve, supervisor, &err) < 0) {
        result = prb_loop_give_up(&serve->loop, &err);
    } else {
        look_after(serve, supervisor);
        if (prb_wiring_failed(serve->loop.wiring))
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
    struct serve serve = { .args = &args, .beside = PRB_CROSSPLANE_BESIDE_INIT };
    enum prb_exit result;

    prb_serve_options_init(&serve.options);
    if (prb_verb_parse(self, input, &serve.options, &args, &result)) {
        prb_serve_settle(&serve.options);
        prb_loop_init(&serve.loop, self->name, &serve.options.loop);
        serve.loop.each_check = each_check;
        serve.loop.ctx = &serve;
        result = prb_supervise(work, &serve);
    }
    prb_loop_done(&serve.loop);
    prb_rule_choice_done(&serve.rules);
    prb_flags_done(self->flags, &serve.options);
    return result;
}

static void list_rules_and_controllers(struct prb_str *out)
{
    prb_rules_help(out);
    prb_controllers_help(PRB_PLACE_SERVER, out);
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

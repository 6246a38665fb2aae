/* What does `probate selftest` do? */

#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/cli/verb.h"

#include "loop_flags.h"
#include "registration.h"
#include "selftest_call.h"

/* Of one try: above the 5 s that the API server gives the webhook. */
#define CALL_MS 10000

/* Between two: a configuration that was changed a moment ago has reached the API server by then. */
#define PAUSE_MS 1000

#define NAMESPACE "probate-system"

struct options {
    struct prb_source_options source;
    const char *namespace;
    const char *configuration;
    int64_t timeout_ms;
};

static const char *namespace_of(const struct options *options, const struct prb_source *source)
{
    if (options->namespace)
        return options->namespace;
    return source->namespace[0] ? source->namespace : NAMESPACE;
}

/* One that is not there explains everything; what may not be read explains nothing. */
static void explain(const struct options *options, struct prb_api *api, struct prb_error *why)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    struct prb_error err;

    if (!options->configuration ||
            prb_registered_read(api, options->configuration, CALL_MS, &registered, &err) < 0)
        return;
    if (!registered.config)
        (void)prb_fail(why, why->code, "there is no ValidatingWebhookConfiguration %s",
                options->configuration);
    else if (registered.in_any.count == 0)
        (void)prb_wrap(why, "%s has no caBundle", options->configuration);
}

/* Until it is answered, or the time is up. */
static enum prb_selftest try_out(const struct options *options, const struct prb_source *source,
        struct prb_supervisor *supervisor, struct prb_error *why)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t end_ms = clock->mono_ms(clock) + options->timeout_ms;

    for (;;) {
        enum prb_selftest result =
                prb_selftest_call(source->api, namespace_of(options, source), CALL_MS, why);

        if (result == PRB_SELFTEST_ANSWERED || clock->mono_ms(clock) + PAUSE_MS >= end_ms ||
                prb_supervisor_wait(supervisor, PAUSE_MS))
            return result;
    }
}

static bool is_away(enum prb_errc code)
{
    return code == PRB_E_IO || code == PRB_E_UNAVAILABLE || code == PRB_E_THROTTLED ||
           code == PRB_E_CANCELLED;
}

static enum prb_exit tell(const struct options *options, const struct prb_source *source,
        enum prb_selftest result, struct prb_error *why)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_HELP_MAX);
    if (result == PRB_SELFTEST_ANSWERED) {
        prb_str_addf(&text,
                "answered: the API server %s asks Probate, trusts its certificate, and gets "
                "verdicts from it\n",
                source->server);
        return prb_cli_print(&text);
    }
    if (result != PRB_SELFTEST_UNKNOWN)
        explain(options, source->api, why);
    prb_str_addf(&text, "%s: %s",
            result == PRB_SELFTEST_UNKNOWN ? "could not be tried" : "not answered", why->msg);
    prb_cli_complain("selftest", prb_str_get(&text), NULL);
    return result == PRB_SELFTEST_UNKNOWN && is_away(why->code) ? PRB_EXIT_UNREACHABLE
                                                                : PRB_EXIT_DENIED;
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    const struct options *options = ctx;
    struct prb_source source = { 0 };
    enum prb_exit result;
    struct prb_error err;

    if (prb_source_open(&options->source, supervisor, &source, &err) < 0) {
        prb_cli_complain("selftest", err.msg, NULL);
        return is_away(err.code) ? PRB_EXIT_UNREACHABLE : PRB_EXIT_USAGE;
    }
    result = tell(options, &source, try_out(options, &source, supervisor, &err), &err);
    prb_source_close(&source);
    return result;
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct options options = { 0 };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &options, &args, &result)) {
        prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
        result = prb_supervise(work, &options);
    }
    prb_flags_done(self->flags, &options);
    return result;
}

#define AT(member) offsetof(struct options, member)

static const struct prb_flag table[] = {
    PRB_KUBECONFIG_FLAGS(struct options, source),
    { .name = "lease-namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(namespace),
            .value = "NAME",
            .preset_text = "that of the service account or context, else " NAMESPACE,
            .help = "The namespace of the Lease whose creation is tried as a dry run, which takes the "
                    "right to create it." },
    { .name = "webhook-configuration",
            .type = PRB_FLAG_TEXT,
            .at = AT(configuration),
            .value = "NAME",
            .help = "Look at this ValidatingWebhookConfiguration to explain what does not work." },
    { .name = "timeout",
            .type = PRB_FLAG_DURATION,
            .at = AT(timeout_ms),
            .value = "TIME",
            .preset = "30s",
            .min = 0,
            .max = 10 * PRB_MINUTE,
            .help = "How long to go on trying." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_selftest = {
    .name = "selftest",
    .arguments = "[flags]",
    .summary = "Try out whether the API server asks Probate, by a dry run.",
    .description =
            "Sends one dry run to the API server, the creation of a Lease, that only Probate "
            "answers: it refuses it with a name in the text that was made up for this call. Nothing "
            "is changed. What the API server says otherwise is printed: a certificate it does not "
            "trust, a Service without a pod, a configuration that is not there.\n"
            "Exit codes: 0 answered, 1 not answered or not allowed, 2 wrong usage or input, 3 the "
            "cluster could not be reached.",
    .flags = &flags,
    .run = run,
};

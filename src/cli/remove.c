/* What does `probate remove` do, and in which order? */

#include "remove.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/cli/verb.h"

#include "loop_flags.h"
#include "registration.h"
#include "registration_internal.h"
#include "resources.h"

/* Between two rounds: by then the API server has noticed that nobody is to be asked any more, and
 * who changed an object under our hands is done. */
#define PAUSE_MS 1000

#define NAMESPACE "probate-system"
#define LINE_MAX_ 2048

struct options {
    struct prb_source_options source;
    const char *configuration;
    const char *lease_namespace;
    const char *lease_name;
    const char *cluster_name;
    struct prb_list claims;
    struct prb_list skip;
    int old_labels;
    int dry_run;
    int64_t timeout_ms;
    struct prb_gvr *claim_kinds; /* owned: what `claims` says */
    size_t claim_count;
};

/* The steps, in their order; those that are sweeps have their rows in prb_traces. */
static const char *const steps[] = { "configuration", "lease", "labels", "marks", "clusters",
    "works", "applied-works", "policies", PRB_REMOVE_CLAIMS };
#define STEP_COUNT (sizeof(steps) / sizeof(steps[0]))

void prb_remove_say(const struct prb_removal *removal, const char *fmt, ...)
{
    char line[LINE_MAX_];
    va_list args;

    va_start(args, fmt);
    (void)vsnprintf(line, sizeof(line), fmt, args);
    va_end(args);
    (void)printf("%s%s\n", removal->dry_run ? "would " : "", line);
    (void)fflush(stdout);
}

void prb_remove_fail(struct prb_removal *removal, const char *what, const struct prb_error *err)
{
    removal->left++;
    removal->code = err->code;
    prb_remove_wait_for(removal, what, "%s", err->msg);
}

bool prb_remove_goes_on(const struct prb_removal *removal)
{
    const struct prb_clock *clock = prb_clock_system();

    return clock->mono_ms(clock) < removal->end_ms && !prb_supervisor_stopping(removal->supervisor);
}

/* By its uid: one of the same name that somebody makes meanwhile is not ours. */
static void delete_configuration(struct prb_removal *removal)
{
    prb_auto(prb_registered_done) struct prb_registered registered = { 0 };
    struct prb_delete_options options = { .timeout_ms = PRB_REMOVE_CALL_MS };
    struct prb_error err;
    struct prb_ref ref;
    int r = prb_registered_read(
            removal->api, removal->configuration, PRB_REMOVE_CALL_MS, &registered, &err);

    if (r == 0 && !registered.config)
        return;
    if (r == 0 && !removal->dry_run &&
            prb_object_ref_in(registered.config, &prb_webhook_configurations, &ref)) {
        options.uid = prb_object_uid(registered.config);
        r = prb_api_delete(removal->api, &ref, &options, &err);
    }
    if (r == PRB_E_NOTFOUND)
        return;
    if (r < 0) {
        prb_remove_fail(removal, "the webhook configuration", &err);
        return;
    }
    prb_remove_took(removal, registered.config, "the webhook configuration", "it");
    prb_remove_say(removal,
            "delete the ValidatingWebhookConfiguration %s: nobody is asked any more",
            removal->configuration);
}

static bool is_skipped(const struct prb_removal *removal, const char *step)
{
    for (size_t i = 0; i < removal->skip->count; i++) {
        if (prb_streq(removal->skip->items[i], step))
            return true;
    }
    return false;
}

static int check_skip(const struct options *options, struct prb_error *err)
{
    for (size_t i = 0; i < options->skip.count; i++) {
        const char *name = options->skip.items[i];
        size_t known = 0;

        while (known < STEP_COUNT && !prb_streq(steps[known], name))
            known++;
        if (known == STEP_COUNT)
            return prb_fail(err, PRB_E_INVALID,
                    "--skip: there is no step \"%s\"; there are configuration, lease, labels, "
                    "marks, clusters, works, applied-works, policies and claims",
                    name);
    }
    return 0;
}

/* One round over everything that is left on objects. */
static void sweep_all(struct prb_removal *removal)
{
    for (size_t i = 0; i < prb_trace_count && prb_remove_goes_on(removal); i++) {
        if (!is_skipped(removal, prb_traces[i].step))
            prb_remove_sweep(removal, &prb_traces[i]);
    }
    if (!is_skipped(removal, PRB_REMOVE_CLAIMS) && prb_remove_goes_on(removal))
        prb_remove_claims(removal);
}

static void round_of_all(struct prb_removal *removal, bool *leads)
{
    if (!is_skipped(removal, "configuration"))
        delete_configuration(removal);
    if (!*leads)
        *leads = prb_remove_lead(removal);
    sweep_all(removal);
}

/*
 * Until a round finds nothing any more. A dry run takes nothing off, and so is over after one. The
 * configuration is looked for in each: an operator may put it back. While somebody else leads a
 * round proves nothing: what it took off may come back.
 */
void prb_remove_all(struct prb_removal *removal)
{
    bool leads = is_skipped(removal, "lease"), again = false;
    size_t before;

    do {
        if (again)
            (void)prb_supervisor_wait(removal->supervisor, PAUSE_MS);
        again = true;
        before = removal->done;
        removal->left = 0;
        prb_remove_round_begin(removal);
        if (removal->old_labels)
            prb_remove_sweep(removal, &prb_old_labels); /* of a Probate that goes on */
        else
            round_of_all(removal, &leads);
        prb_remove_round_end(removal);
    } while (!removal->dry_run && (removal->left > 0 || removal->done > before) &&
             prb_remove_goes_on(removal));
}

static bool is_away(enum prb_errc code)
{
    return code == PRB_E_IO || code == PRB_E_CANCELLED;
}

static const char *success_text(const struct prb_removal *removal)
{
    if (removal->old_labels)
        return removal->done > 0 ? "done: no Deployment has the label any more"
                                 : "no Deployment has the label";
    return removal->done > 0 ? "done: nothing of Probate is left" : "nothing of Probate is left";
}

static enum prb_exit conclude(struct prb_removal *removal)
{
    if (removal->left > 0 || !prb_remove_goes_on(removal)) {
        prb_autofree char *why = prb_remove_last_words(removal);
        prb_autofree char *text = prb_asprintf("not everything could be taken away: %s", why);

        prb_cli_complain("remove", text, "run it again: what is done stays done");
        return is_away(removal->code) ? PRB_EXIT_UNREACHABLE : PRB_EXIT_DENIED;
    }
    (void)printf("%s\n", removal->done > 0 && removal->dry_run
                                 ? "nothing was changed: this was a dry run"
                                 : success_text(removal));
    return PRB_EXIT_DONE;
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    const struct options *options = ctx;
    const struct prb_clock *clock = prb_clock_system();
    struct prb_source source = { 0 };
    struct prb_removal removal;
    enum prb_exit result;
    struct prb_error err;

    if (prb_source_open(&options->source, supervisor, &source, &err) < 0) {
        prb_cli_complain("remove", err.msg, NULL);
        return prb_errc_is_transient(err.code) ? PRB_EXIT_UNREACHABLE : PRB_EXIT_USAGE;
    }
    removal = (struct prb_removal){ .api = source.api,
        .supervisor = supervisor,
        .configuration = options->configuration,
        .lease_namespace = options->lease_namespace ? options->lease_namespace
                           : source.namespace[0]    ? source.namespace
                                                    : NAMESPACE,
        .lease_name = options->lease_name,
        .works_namespace = options->cluster_name,
        .claims = options->claim_kinds,
        .claim_count = options->claim_count,
        .skip = &options->skip,
        .old_labels = options->old_labels,
        .dry_run = options->dry_run,
        .end_ms = clock->mono_ms(clock) + options->timeout_ms };
    prb_remove_all(&removal);
    result = conclude(&removal);
    prb_remove_waits_done(&removal);
    prb_source_close(&source);
    return result;
}

static int check(struct options *options, struct prb_error *err)
{
    static const struct prb_resource_flag flag = { .name = "--claim-resource",
        .example = "buckets.example.org" };

    if (check_skip(options, err) < 0)
        return err->code;
    return prb_resources_parse(
            &flag, &options->claims, &options->claim_kinds, &options->claim_count, err);
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct options options = { 0 };
    enum prb_exit result;
    struct prb_error err;

    if (prb_verb_parse(self, input, &options, &args, &result)) {
        prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
        result = check(&options, &err) < 0 ? prb_cli_misused(self->name, err.msg)
                                           : prb_supervise(work, &options);
    }
    free(options.claim_kinds);
    prb_flags_done(self->flags, &options);
    return result;
}

#define AT(member) offsetof(struct options, member)

static const struct prb_flag table[] = {
    PRB_KUBECONFIG_FLAGS(struct options, source),
    { .name = "webhook-configuration",
            .type = PRB_FLAG_TEXT,
            .at = AT(configuration),
            .value = "NAME",
            .preset = "probate",
            .help = "The ValidatingWebhookConfiguration by which the API server asks Probate." },
    { .name = "lease-namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_namespace),
            .value = "NAME",
            .preset_text = "that of the service account or context, else " NAMESPACE,
            .help = "Where the Lease of leader election is." },
    { .name = "lease-name",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_name),
            .value = "NAME",
            .preset = "probate",
            .help = "Its name." },
    { .name = "cluster-name",
            .type = PRB_FLAG_TEXT,
            .at = AT(cluster_name),
            .value = "NAME",
            .preset_text = "every cluster",
            .help = "Of ManifestWorks, only those of this cluster: agents of others still run." },
    { .name = "claim-resource",
            .type = PRB_FLAG_LIST,
            .at = AT(claims),
            .value = "PLURAL.GROUP,...",
            .help = "Kinds that are claims, beside those that CompositeResourceDefinitions name; "
                    "as they were given to 'probate serve'." },
    { .name = "skip",
            .type = PRB_FLAG_LIST,
            .at = AT(skip),
            .value = "STEP,...",
            .help = "Steps to leave out: configuration, lease, labels, marks, clusters, works, "
                    "applied-works, policies, claims." },
    { .name = "old-labels",
            .type = PRB_FLAG_SWITCH,
            .at = AT(old_labels),
            .preset = "false",
            .help = "Take the label probate.dev/protected off Deployments, where Probate 0.1 put "
                    "it, and do nothing else: Probate goes on running. Takes the right to list and "
                    "patch Deployments, which no account of the chart has." },
    { .name = "dry-run",
            .type = PRB_FLAG_SWITCH,
            .at = AT(dry_run),
            .preset = "false",
            .help = "Say what would be done, and change nothing." },
    { .name = "timeout",
            .type = PRB_FLAG_DURATION,
            .at = AT(timeout_ms),
            .value = "TIME",
            .preset = "4m",
            .min = PRB_SECOND,
            .max = 60 * PRB_MINUTE,
            .help = "Give up after that; below the five minutes that Helm waits for a hook." },
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_remove = {
    .name = "remove",
    .arguments = "[flags]",
    .summary = "Take away what Probate has left on a cluster, before it is uninstalled.",
    .description =
            "In this order: the webhook configuration, so that nobody is asked any more; the Lease, "
            "so that controllers stop; the labels on the Namespaces of what CriticalServices "
            "protect; the marks on Namespaces; and the finalizers that Probate, and nobody else, put on ManagedClusters, "
            "ManifestWorks, AppliedManifestWorks, ConfigurationPolicies and claims. Who put one "
            "there is what managedFields say. What is being deleted already is let go. No custom resource "
            "is deleted, nothing that works have brought to a cluster, and nothing that policies "
            "have created. What it waits for it says on stderr, with the name of the object and "
            "of the program that has to act: when it begins to wait, when the reason changes, "
            "every 15 s, and at last when it gives up. May be run again at any time.\n"
            "Exit codes: 0 nothing is left, 1 something is, 2 wrong usage or input, 3 the cluster "
            "could not be reached.",
    .flags = &flags,
    .run = run,
};

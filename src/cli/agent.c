/* What does `probate agent` do, from start to end? */

#include "probate/base/log.h"
#include "probate/cli/verb.h"

#include "loop.h"
#include "loop_flags.h"

/* Looks at how things stand: as often as a person would notice. */
#define LOOK_MS 1000

/* A lease of its own: where hub and cluster are one, `serve` has the other. */
#define LEASE_NAME "probate-agent"

struct options {
    struct prb_loop_flags loop;
    struct prb_source_options hub;
};

/* One run of the verb. */
struct agent {
    struct options options;
    struct prb_loop loop;
};

/* Where the hub is; NULL: the cluster in memory is its own, or nobody looks at the hub. INVALID: it
 * is not said. */
static int find_hub(
        const struct agent *agent, const struct prb_source_options **ret, struct prb_error *err)
{
    const struct options *options = &agent->options;
    bool is_said = options->hub.embedded || options->hub.kubeconfig || options->hub.context;

    if (!is_said && !options->loop.source.embedded &&
            prb_controller_choice_works(&agent->loop.controllers))
        return prb_fail(err, PRB_E_INVALID,
                "--hub-kubeconfig is missing: the API server that has the works of this cluster");
    *ret = is_said ? &options->hub : NULL;
    return 0;
}

static int start(struct agent *agent, struct prb_supervisor *supervisor, struct prb_error *err)
{
    const struct prb_source_options *hub = NULL;
    int r = prb_controller_choice_make(
            &agent->options.loop.controllers, PRB_PLACE_AGENT, &agent->loop.controllers, err);

    if (r == 0)
        r = find_hub(agent, &hub, err);
    if (r == 0)
        r = prb_loop_start_ops(&agent->loop, err);
    if (r == 0)
        r = prb_loop_open(&agent->loop, hub, supervisor, err);
    if (r == 0)
        r = prb_loop_join(&agent->loop, NULL, err);
    if (r == 0)
        r = prb_loop_run(&agent->loop, supervisor, err);
    if (r == 0)
        prb_loop_log_ready(&agent->loop, NULL);
    return r;
}

static enum prb_exit work(struct prb_supervisor *supervisor, void *ctx)
{
    struct agent *agent = ctx;
    enum prb_exit result = PRB_EXIT_DONE;
    struct prb_error err;

    if (start(agent, supervisor, &err) < 0) {
        result = prb_loop_give_up(&agent->loop, &err);
    } else {
        while (!prb_wiring_failed(agent->loop.wiring) && !prb_supervisor_wait(supervisor, LOOK_MS))
            prb_loop_tend(&agent->loop, supervisor);
        if (prb_wiring_failed(agent->loop.wiring))
            result = PRB_EXIT_INTERNAL;
    }
    prb_loop_halt(&agent->loop, supervisor);
    prb_loop_close_ops(&agent->loop, supervisor);
    prb_loop_end(&agent->loop, supervisor);
    if (result == PRB_EXIT_DONE)
        prb_info("stopped");
    return result;
}

static enum prb_exit run(const struct prb_verb *self, const struct prb_flag_input *input)
{
    prb_auto(prb_args_done) struct prb_args args = { 0 };
    struct agent agent = { .options = { .loop = { .leader_elect = PRB_NOT_SAID },
                                   .hub = { .prefix = "hub-" } } };
    enum prb_exit result;

    if (prb_verb_parse(self, input, &agent.options, &args, &result)) {
        prb_loop_settle(&agent.options.loop);
        prb_loop_init(&agent.loop, self->name, &agent.options.loop);
        result = prb_supervise(work, &agent);
    }
    prb_loop_done(&agent.loop);
    prb_flags_done(self->flags, &agent.options);
    return result;
}

static void list_controllers(struct prb_str *out)
{
    prb_controllers_help(PRB_PLACE_AGENT, out);
}

#define AT(member) offsetof(struct options, member)

static const struct prb_flag table[] = {
    { .section = "The hub",
            .name = "hub-kubeconfig",
            .type = PRB_FLAG_TEXT,
            .at = AT(hub.kubeconfig),
            .value = "FILE",
            .preset_text = "with --hub-context, $KUBECONFIG, else ~/.kube/config",
            .help = "The API server that has the ManifestWorks of this cluster." },
    { .name = "hub-context",
            .type = PRB_FLAG_TEXT,
            .at = AT(hub.context),
            .value = "NAME",
            .preset_text = "its current-context",
            .help = "The context of that kubeconfig to use." },
    { .name = "hub-embedded",
            .type = PRB_FLAG_TEXT,
            .at = AT(hub.embedded),
            .value = "DIR",
            .preset_text = "with --embedded, that cluster is its own hub",
            .help = "Hold the hub in memory, loaded from the manifests below DIR." },

    PRB_SOURCE_FLAGS(struct options, loop, "The cluster"),

    PRB_WORK_FLAGS(struct options, loop.controllers.works, "Works"),

    PRB_POLICY_NAMESPACE_FLAG(struct options, loop.controllers.policies, "Policies"),

    PRB_CONTROLLERS_FLAG(struct options, loop.controllers, "work", "What runs"),
    PRB_WORKERS_FLAGS(struct options, loop),

    PRB_LEASE_FLAGS(struct options, loop, LEASE_NAME),

    PRB_OPS_FLAG(struct options, loop),
    PRB_LOG_FLAGS(struct options, loop),
};
static const struct prb_flags flags = { table, sizeof(table) / sizeof(table[0]) };

const struct prb_verb prb_verb_agent = {
    .name = "agent",
    .arguments = "--hub-kubeconfig FILE --cluster-name NAME [flags]",
    .summary = "Carry out on a cluster what a hub's ManifestWorks ask for, and policies.",
    .description =
            "Reads the ManifestWorks in the namespace NAME of the hub, brings what they hold to its "
            "own cluster, keeps it as they say, and takes it away again when they go, until "
            "SIGTERM or SIGINT. A second signal ends it at once. With --controllers=work,policy it "
            "carries out the ConfigurationPolicies of its cluster as well, those in the namespace "
            "--policy-namespace; with --controllers=policy nothing else, and needs no hub.\n"
            "Exit codes: 0 stopped as asked, 2 wrong usage or input, 3 the cluster or its hub could "
            "not be reached at the start, 4 internal. Once running, it waits for either that is "
            "away; a hub that is away never makes it delete anything.",
    .flags = &flags,
    .more_help = list_controllers,
    .run = run,
};

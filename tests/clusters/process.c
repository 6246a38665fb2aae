/* How is Probate started for the deletion of clusters? */

#include "process.h"

static const char monitored[] = MONITORED_RESOURCE ".v1." MONITORED_GROUP;

/* The switches of the chart that mean the same as the flags below. */
static const char values[] =
        "{featureGates: {ClusterLifeCycle: true}, controllers: {"
        "critical-service: false, deletion-watch: false}, "
        "resourcesToMonitorForDeletion: [" MONITORED_RESOURCE ".v1." MONITORED_GROUP "]}";

int process_open(struct process *process, const char *admin, struct prb_error *err)
{
    if (!program_go_outside())
        return prb_fail(err, PRB_E_INTERNAL, "the program cannot be run as another user");
    if (prb_test_account_of_chart(&process->account,
                &(struct prb_test_release){ .admin = admin, .values = values }, err) < 0)
        return err->code;
    return prb_test_account_take_proxy(&process->account, process->target->real.proxy, err);
}

void process_close(struct process *process)
{
    prb_test_account_done(&process->account);
}

/* Who is killed keeps the lease so long. */
#define SHORT_LEASE "2s"

/* Who is not must not lose it to a server that is busy. */
#define LONG_LEASE "30s"

static void start(struct process *process, const char *lease)
{
    program_start(&process->program,
            (const char *const[]){ "--kubeconfig",
                    prb_fault_proxy_kubeconfig(process->target->real.proxy), "--feature-gates",
                    "ClusterLifeCycle=true", "--controllers", "cluster-deletion",
                    "--resources-to-monitor-for-deletion", monitored, "--lease-namespace",
                    PRB_TEST_RELEASE_NAMESPACE, "--lease-name", PRB_TEST_RELEASE,
                    "--lease-duration", lease, "--shutdown-delay", "0s", NULL });
}

void process_start(struct process *process)
{
    start(process, SHORT_LEASE);
}

void process_start_to_stay(struct process *process)
{
    start(process, LONG_LEASE);
}

bool process_leads(struct process *process)
{
    return program_is_ready(&process->program) &&
           program_shows(&process->program, "/readyz?verbose", "[i] leader: this one leads");
}

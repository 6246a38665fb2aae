/* How is Probate started for the deletion of clusters? */

#include "process.h"

/* Who is killed keeps the lease so long. */
#define LEASE "2s"

static const char monitored[] = MONITORED_RESOURCE ".v1." MONITORED_GROUP;

void process_start(struct process *process)
{
    program_start(&process->program,
            (const char *const[]){ "--kubeconfig",
                    prb_fault_proxy_kubeconfig(process->target->real.proxy), "--feature-gates",
                    "ClusterLifeCycle=true", "--controllers", "cluster-deletion",
                    "--resources-to-monitor-for-deletion", monitored, "--lease-namespace",
                    "default", "--lease-name", process->lease, "--lease-duration", LEASE,
                    "--shutdown-delay", "0s", NULL });
}

bool process_leads(struct process *process)
{
    return program_is_ready(&process->program) &&
           program_shows(&process->program, "/readyz?verbose", "[i] leader: this one leads");
}

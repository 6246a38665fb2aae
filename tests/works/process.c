/* How is `probate agent` started? */

#include "process.h"

#include "probate/base/mem.h"

/* Its works are in a namespace of their own, and its hub is where the proxy says. */
int process_hire(struct process *process, struct scene *scene)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *hub =
            prb_fault_proxy_config(scene->ends->hub->real.proxy);

    process->scene = scene;
    DO(scene_hire(scene));
    scene_move(scene, hub->server, scene->id);
    return 0;
}

/* Without a lease: who is killed is dead before the next one comes. */
void process_start(struct process *process)
{
    const struct ends *ends = process->scene->ends;
    const struct prb_work_settings *settings = &process->scene->own.settings;

    program_start_agent(&process->program,
            (const char *const[]){ "--hub-kubeconfig",
                    prb_fault_proxy_kubeconfig(ends->hub->real.proxy), "--kubeconfig",
                    prb_fault_proxy_kubeconfig(ends->spoke->real.proxy), "--cluster-name",
                    settings->cluster_name, "--agent-id", settings->agent_id,
                    "--leader-elect=false", NULL });
}

/* How is `probate agent` started? */

#include "process.h"

#include <stdlib.h>

#include "probate/base/mem.h"

/* What works bring here. Who installs the chart says so with such a role. */
#define BROUGHT                                                                             \
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: "       \
    "probate-%s-brought, labels: {open-cluster-management.io/aggregate-to-work: 'true'}}, " \
    "rules: [{apiGroups: [''], resources: [configmaps], verbs: [get, list, watch, create, " \
    "update, patch, delete]}]}"

/* Set by scripts/test, before main. */
static const char *admin_of(const char *variable)
{
    const char *path = getenv(variable); /* NOLINT(concurrency-mt-unsafe) */

    return path ? path : "";
}

/* On the managed cluster, under a name that nobody else there has. */
static int join_cluster(struct process *process, struct prb_error *err)
{
    const struct scene *scene = process->scene;
    prb_autofree char *name = prb_asprintf("probate-%s", scene->id);
    prb_autofree char *values = prb_asprintf("{mode: agent, works: {clusterName: '%s'}, hub: "
                                             "{kubeconfigSecret: hub}}",
            scene->own.settings.cluster_name);
    prb_autofree char *brought = prb_asprintf(BROUGHT, scene->id);

    if (prb_test_account_of_chart(&process->cluster,
                &(struct prb_test_release){ .admin = admin_of("PROBATE_TEST_SPOKE_KUBECONFIG"),
                        .name = name,
                        .namespace = name,
                        .values = values,
                        .more = brought },
                err) < 0)
        return err->code;
    return prb_test_account_take_proxy(&process->cluster, scene->ends->spoke->real.proxy, err);
}

/* On the hub, in the namespace of its works. */
static int join_hub(struct process *process, struct prb_error *err)
{
    const struct scene *scene = process->scene;
    const char *cluster = scene->own.settings.cluster_name;
    prb_autofree char *rights = NULL;

    if (program_run(
                (const char *const[]){ "manifest", "hub-rbac", "--cluster-name", cluster, NULL },
                NULL, &rights) != 0)
        return prb_fail(err, PRB_E_INTERNAL, "manifest hub-rbac: %.500s", rights);
    if (prb_test_account_of_manifests(&process->hub,
                &(struct prb_test_release){ .admin = admin_of("PROBATE_TEST_KUBECONFIG"),
                        .name = "probate-agent",
                        .namespace = cluster },
                rights, err) < 0)
        return err->code;
    return prb_test_account_take_proxy(&process->hub, scene->ends->hub->real.proxy, err);
}

/* Its works are in a namespace of their own, and its hub is where the proxy says. */
int process_hire(struct process *process, struct scene *scene)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *hub =
            prb_fault_proxy_config(scene->ends->hub->real.proxy);
    struct prb_error err = { .msg = "the program cannot be run as another user" };

    process->scene = scene;
    DO(scene_hire(scene));
    scene_move(scene, hub->server, scene->id);
    if (!program_go_outside() || join_cluster(process, &err) < 0 || join_hub(process, &err) < 0)
        return scene_fail(scene, "%s", err.msg);
    return 0;
}

void process_done(struct process *process)
{
    prb_test_account_done(&process->cluster);
    prb_test_account_done(&process->hub);
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

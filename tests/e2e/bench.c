/* What do the rows run on, and how does it come and go? */

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "bench_internal.h"
#include "manifests.h"
#include "support/cluster.h"
#include "support/outsider.h"
#include "support/process.h"
#include "support/temp_dir.h"

#define KIND(name, kind_, group_)                                                                 \
    OBJECT("apiextensions.k8s.io/v1", "CustomResourceDefinition", "'name':'" name "." group_ "'", \
            ",'spec':{'group':'" group_ "','scope':'Namespaced','names':{'kind':'" kind_          \
            "','plural':'" name "'},'versions':[{'name':'v1','served':true,'storage':true,"       \
            "'schema':{'openAPIV3Schema':{'type':'object',"                                       \
            "'x-kubernetes-preserve-unknown-fields':true}}}]}")

/* Kinds of claims, which are not strict about how they are deleted, and one that is none. */
static const char kinds[] = KIND("databases", "Database", "claims.example.org")
        KIND("buckets", "Bucket", "named.example.org") KIND("notes", "Note", "named.example.org");

static const char definition[] = OBJECT("apiextensions.crossplane.io/v1",
        "CompositeResourceDefinition", "'name':'xdatabases.claims.example.org'",
        ",'spec':{'group':'claims.example.org','names':{'kind':'XDatabase','plural':'xdatabases'},"
        "'claimNames':{'kind':'Database','plural':'databases'},'versions':[{'name':'v1',"
        "'served':true,'referenceable':true}]}");

bool bench_fail(struct bench *bench, const char *what, const char *reason)
{
    (void)snprintf(bench->why, sizeof(bench->why), "%.200s: %.800s", what, reason);
    return false;
}

bool bench_kubectl(struct bench *bench, const char *command, const char *input)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(&bench->kubectl, "default", command, input, &answer);
    return answer.exit == 0 || bench_fail(bench, command, answer.text);
}

static bool find_kubeconfig(struct bench *bench)
{
    const char *script = getenv("PROBATE_TEST_CLUSTER"); /* NOLINT(concurrency-mt-unsafe) */
    const char *argv[] = { script, "kubeconfig", "hub", NULL };
    const char *env[] = { "PROBATE_CLUSTER_DIR", bench->cluster, NULL };

    return prb_test_run(&(struct prb_test_command){ .argv = argv, .env = env },
                   bench->kubectl.kubeconfig, sizeof(bench->kubectl.kubeconfig)) == 0 ||
           bench_fail(bench, "scripts/cluster kubeconfig", "failed");
}

static bool start_cluster(struct bench *bench)
{
    struct prb_error err;

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(bench->cluster, "down", &err);
    if (prb_test_cluster_do(bench->cluster, "up", &err) < 0)
        return bench_fail(bench, "scripts/cluster up", err.msg);
    return find_kubeconfig(bench);
}

bool bench_probate(struct bench *bench, const char *const *arguments, char **ret_output)
{
    if (program_run(arguments, NULL, ret_output) == 0)
        return true;
    (void)bench_fail(bench, arguments[0], *ret_output);
    free(prb_take(*ret_output));
    return false;
}

static bool make_certificates(struct bench *bench)
{
    prb_autofree char *out = prb_asprintf("%s/certs", bench->dir), *said = NULL;

    return bench_probate(bench,
            (const char *const[]){ "certs", "--out", out, "--name", "127.0.0.1", NULL }, &said);
}

bool bench_open(struct bench *bench)
{
    kubectl_init(&bench->kubectl);
    bench->dir = prb_test_temp_dir();
    if (!prb_test_outsider_own(bench->dir) || !program_go_outside())
        return bench_fail(bench, program_path, "cannot be run as another user");
    return start_cluster(bench) && make_certificates(bench) && bench_make_accounts(bench);
}

bool bench_define(struct bench *bench)
{
    return bench_loosen(bench) && bench_kubectl(bench, "create", kinds) &&
           bench_kubectl(bench, "wait --for=condition=Established --timeout=60s crd --all", NULL) &&
           bench_kubectl(bench, "create", definition);
}

void bench_close(struct bench *bench)
{
    struct prb_error err;

    for (size_t i = 0; i < INSTANCES; i++)
        program_done(&bench->programs[i]);
    prb_fault_proxy_stop(prb_take(bench->proxy));
    prb_test_account_done(&bench->account);
    (void)prb_test_cluster_do(bench->cluster, "down", &err);
    kubectl_done(&bench->kubectl);
    prb_test_temp_dir_remove(prb_take(bench->dir));
}

/* As whom does Probate speak to the API server, and what may it do? */

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "bench_internal.h"
#include "manifests.h"

#define PLACE PRB_TEST_RELEASE_NAMESPACE

#define ACCOUNT(name) \
    OBJECT("v1", "ServiceAccount", "'name':'" name "','namespace':'" PLACE "'", "")

/* All but the right to look a single cluster up. */
#define POWERLESS_ROLE                                                                         \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRole", "'name':'powerless'",                \
            ",'rules':[{'apiGroups':['*'],'resources':['*'],'verbs':['list','watch','create'," \
            "'patch','update']}]")                                                             \
    OBJECT("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "'name':'powerless'",         \
            ",'roleRef':{'apiGroup':'rbac.authorization.k8s.io','kind':'ClusterRole',"         \
            "'name':'powerless'},'subjects':[{'kind':'ServiceAccount','name':'powerless',"     \
            "'namespace':'" PLACE "'}]")

static char *path_of(const struct bench *bench, const char *name, const char *suffix)
{
    return prb_asprintf("%s/%s%s", bench->dir, name, suffix);
}

char *bench_account(const struct bench *bench, const char *name)
{
    return prb_asprintf("%s/%s.kubeconfig", bench->account.dir, name);
}

bool bench_apply_text(struct bench *bench, const char *name, const char *text)
{
    prb_autofree char *path = path_of(bench, name, ".yaml");
    prb_autofree char *command = prb_asprintf("apply --validate=false -f %s", path);
    struct prb_error err;

    if (prb_file_write(path, text, strlen(text), 0600, &err) < 0)
        return bench_fail(bench, path, err.msg);
    return bench_kubectl(bench, command, NULL);
}

/* The chart's own, and one that may do too little. */
bool bench_make_accounts(struct bench *bench)
{
    prb_autofree char *values =
            prb_asprintf("{criteriaResources: [%s]}", bench->criteria ? bench->criteria : "");
    const struct prb_test_release release = { .admin = bench->kubectl.kubeconfig,
        .values = values };
    prb_autofree char *kubeconfig = NULL;
    struct prb_error err;

    if (prb_test_account_of_chart(&bench->account, &release, &err) < 0)
        return bench_fail(bench, "account", err.msg);
    if (!bench_kubectl(bench, "create", ACCOUNT("powerless") POWERLESS_ROLE))
        return false;
    return prb_test_account_token(&bench->account, "powerless", &kubeconfig, &err) == 0 ||
           bench_fail(bench, "powerless", err.msg);
}

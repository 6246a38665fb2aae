/* As whom does Probate speak to the API server, and what may it do? */

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"

#include "bench_internal.h"
#include "manifests.h"

#define PLACE "probate-system"

/* A kubeconfig has certificates of some KB. */
#define FILE_MAX ((size_t)64 * 1024)

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
    return path_of(bench, name, ".kubeconfig");
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

/* The administrator's, with another user in it. */
static bool write_kubeconfig(struct bench *bench, const char *name, const char *token)
{
    prb_autofree char *path = bench_account(bench, name), *text = NULL, *changed = NULL;
    prb_auto(prb_json_free) struct json_object *config = NULL;
    struct json_object *user = json_object_new_object();
    struct prb_error err;
    size_t len;

    prb_json_set_str(user, "token", token);
    if (prb_file_read(bench->kubectl.kubeconfig, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_parse(text, len, &config, &err) < 0) {
        prb_json_free(user);
        return bench_fail(bench, bench->kubectl.kubeconfig, err.msg);
    }
    prb_json_set(prb_json_elem(prb_json_arr(config, "users"), 0), "user", user);
    changed = prb_json_text(config, false);
    return prb_file_write(path, changed, strlen(changed), 0600, &err) == 0 ||
           bench_fail(bench, path, err.msg);
}

static bool make_kubeconfig(struct bench *bench, const char *name)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };
    prb_autofree char *command = prb_asprintf("create token %s", name);

    kubectl_run(&bench->kubectl, PLACE, command, NULL, &answer);
    if (answer.exit != 0)
        return bench_fail(bench, command, answer.text);
    answer.text[strcspn(answer.text, "\n")] = '\0';
    return write_kubeconfig(bench, name, answer.text);
}

/* Exactly what the verb prints. */
static bool grant_rights(struct bench *bench)
{
    prb_autofree char *rights = NULL;

    return bench_probate(bench,
                   (const char *const[]){ "manifest", "rbac",
                           bench->criteria ? "--criteria-resource" : NULL, bench->criteria, NULL },
                   &rights) &&
           bench_apply_text(bench, "rbac", rights);
}

bool bench_make_accounts(struct bench *bench)
{
    return bench_kubectl(bench, "create",
                   NAMESPACE_OF(PLACE) ACCOUNT("probate") ACCOUNT("powerless") POWERLESS_ROLE) &&
           grant_rights(bench) && make_kubeconfig(bench, "probate") &&
           make_kubeconfig(bench, "powerless");
}

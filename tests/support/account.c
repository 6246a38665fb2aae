/* As whom does Probate speak to the API server? */

#include "support/account.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "support/outsider.h"
#include "support/process.h"

/* All that a chart renders is some 100 KB, a kubeconfig some KB. */
#define TEXT_MAX ((size_t)1024 * 1024)

/* Others may look for what they know the name of; what is secret in it has an owner. */
#define DIR_MODE 0711

/* Who has the tools says where: scripts/test does. */
static const char *tool(const char *variable, const char *name)
{
    const char *path = getenv(variable); /* NOLINT(concurrency-mt-unsafe): set before main */

    return path && *path ? path : name;
}

/* Run to the end; what it prints is the caller's to free. Its errors go to stderr. */
static int run(const char *const *argv, const char *const *env, char **ret, struct prb_error *err)
{
    char *text = prb_calloc(1, TEXT_MAX);
    int code = prb_test_run(&(struct prb_test_command){ .argv = argv, .env = env }, text, TEXT_MAX);

    if (code == 0) {
        *ret = text;
        return 0;
    }
    free(text);
    return prb_fail(err, PRB_E_INTERNAL, "%s %s: exit %d", argv[0], argv[1], code);
}

static int kubectl(const struct prb_test_account *account, const char *const *arguments, char **ret,
        struct prb_error *err)
{
    prb_autofree char *cache = prb_asprintf("%s/cache", account->dir);
    const char *argv[16] = { tool("PROBATE_KUBECTL", "kubectl"), "--kubeconfig", account->admin,
        "--cache-dir", cache };
    size_t count = 5;

    while (*arguments && count < 15)
        argv[count++] = *arguments++;
    return run(argv, NULL, ret, err);
}

/* ---- what is made for it ---- */

/* Of all that the chart brings, who may do what. */
static bool is_about_rights(const char *kind)
{
    static const char *const kinds[] = { "ServiceAccount", "Role", "RoleBinding", "ClusterRole",
        "ClusterRoleBinding" };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (prb_streq(kind, kinds[i]))
            return true;
    }
    return false;
}

static int keep_rights(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *document = taken;
    prb_autofree char *text = prb_json_text(document, false);

    (void)line;
    (void)err;
    if (is_about_rights(prb_json_str(document, "kind")))
        prb_str_addf(ctx, "---\n%s\n", text);
    return 0;
}

static int render(struct prb_test_account *account, const char *values, struct prb_str *ret,
        struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/values.yaml", account->dir), *text = NULL;
    const char *argv[] = { tool("PROBATE_HELM", "helm"), "template", account->name, PROBATE_CHART,
        "--namespace", account->namespace, "--values", path, "--set", "crds.install=false", NULL };
    /* Nothing of the user's own. */
    const char *env[] = { "HELM_CONFIG_HOME", account->dir, "HELM_CACHE_HOME", account->dir,
        "HELM_DATA_HOME", account->dir, NULL };

    if (prb_file_write(path, values, strlen(values), 0600, err) < 0 ||
            run(argv, env, &text, err) < 0)
        return prb_wrap(err, "the chart");
    return prb_yaml_read(text, strlen(text), keep_rights, ret, err);
}

static int apply(struct prb_test_account *account, const char *manifests, struct prb_error *err)
{
    prb_autofree char *said = NULL;
    prb_autofree char *all = prb_asprintf("{\"apiVersion\":\"v1\",\"kind\":\"Namespace\","
                                          "\"metadata\":{\"name\":\"%s\"}}\n%s%s",
            account->namespace, prb_starts_with(manifests, "---") ? "" : "---\n", manifests);

    account->manifest = prb_asprintf("%s/manifest.yaml", account->dir);
    if (prb_file_write(account->manifest, all, strlen(all), 0600, err) < 0)
        return err->code;
    return kubectl(account,
            (const char *const[]){
                    "apply", "--server-side", "--validate=false", "-f", account->manifest, NULL },
            &said, err);
}

/* ---- its kubeconfig ---- */

/* The administrator's, with another user in it. */
static int write_kubeconfig(
        const char *admin, const char *path, const char *token, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *config = NULL;
    prb_autofree char *text = NULL, *changed = NULL;
    struct json_object *user;
    size_t len;

    if (prb_file_read(admin, TEXT_MAX, &text, &len, err) < 0 ||
            prb_yaml_parse(text, len, &config, err) < 0)
        return prb_wrap(err, "%s", admin);
    user = json_object_new_object();
    prb_json_set_str(user, "token", token);
    prb_json_set(prb_json_elem(prb_json_arr(config, "users"), 0), "user", user);
    changed = prb_json_text(config, false);
    if (prb_file_write(path, changed, strlen(changed), 0600, err) < 0)
        return err->code;
    return prb_test_outsider_own(path) ? 0 : prb_fail(err, PRB_E_IO, "%s: errno %d", path, errno);
}

int prb_test_account_token(const struct prb_test_account *account, const char *name,
        char **ret_kubeconfig, struct prb_error *err)
{
    prb_autofree char *path = prb_asprintf("%s/%s.kubeconfig", account->dir, name);
    prb_autofree char *token = NULL;

    if (kubectl(account,
                (const char *const[]){ "-n", account->namespace, "create", "token", name, NULL },
                &token, err) < 0 ||
            write_kubeconfig(account->admin, path, token, err) < 0)
        return err->code;
    *ret_kubeconfig = prb_take(path);
    return 0;
}

/* ---- the whole ---- */

static int init(struct prb_test_account *account, const struct prb_test_release *release,
        struct prb_error *err)
{
    const char *namespace = release->namespace ? release->namespace : PRB_TEST_RELEASE_NAMESPACE;

    *account = (struct prb_test_account){ .admin = release->admin };
    if (!prb_copy(account->name, sizeof(account->name),
                release->name ? release->name : PRB_TEST_RELEASE) ||
            !prb_copy(account->namespace, sizeof(account->namespace), namespace))
        return prb_fail(err, PRB_E_INVALID, "the name of a release is too long");
    account->dir = prb_test_temp_dir();
    return chmod(account->dir, DIR_MODE) == 0
                   ? 0
                   : prb_fail(err, PRB_E_IO, "%s: errno %d", account->dir, errno);
}

static int make(struct prb_test_account *account, const char *manifests, struct prb_error *err)
{
    if (apply(account, manifests, err) < 0 ||
            prb_test_account_token(account, account->name, &account->kubeconfig, err) < 0)
        return err->code;
    return prb_test_account_await(account, manifests, err);
}

int prb_test_account_of_chart(struct prb_test_account *account,
        const struct prb_test_release *release, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str manifests;

    prb_str_init(&manifests, TEXT_MAX);
    if (init(account, release, err) < 0 || render(account, release->values, &manifests, err) < 0)
        return err->code;
    if (release->more)
        prb_str_addf(&manifests, "---\n%s\n", release->more);
    return make(account, prb_str_get(&manifests), err);
}

int prb_test_account_of_manifests(struct prb_test_account *account,
        const struct prb_test_release *release, const char *manifests, struct prb_error *err)
{
    prb_autofree char *all = NULL;

    if (init(account, release, err) < 0)
        return err->code;
    all = prb_asprintf("{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":"
                       "\"%s\",\"namespace\":\"%s\"}}\n---\n%s",
            account->name, account->namespace, manifests);
    return make(account, all, err);
}

int prb_test_account_take_proxy(const struct prb_test_account *account,
        struct prb_fault_proxy *proxy, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    if (prb_kube_config_load(account->kubeconfig, NULL, &config, err) < 0)
        return err->code;
    return prb_fault_proxy_act_as(proxy, config, err);
}

/* What scripts/cluster keeps beside the administrator's kubeconfig. */
static const char *const secrets[] = { "kubeconfig", "controller-manager.kubeconfig", "pki/ca.key",
    "pki/admin.key", "pki/apiserver.key", "pki/controller-manager.key", "pki/service-account.key" };

static int check_secrets(const struct prb_test_account *account, struct prb_error *err)
{
    prb_autofree char *copy = prb_strdup(account->admin);
    const char *folder = dirname(copy);

    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        prb_autofree char *path = prb_asprintf("%s/%s", folder, secrets[i]);

        if (prb_test_outsider_reads(path))
            return prb_fail(err, PRB_E_FORBIDDEN, "%s can be read by Probate's user", path);
    }
    return prb_test_outsider_reads(account->admin)
                   ? prb_fail(err, PRB_E_FORBIDDEN, "%s can be read by Probate's user",
                             account->admin)
                   : 0;
}

bool prb_test_account_confines(
        const struct prb_test_account *account, pid_t pid, struct prb_error *err)
{
    if (prb_test_outsider() == 0)
        return true;
    if (!prb_test_outsider_runs(pid))
        return prb_fail(err, PRB_E_FORBIDDEN, "process %d is not that user's", (int)pid) == 0;
    if (!prb_test_outsider_reads(account->kubeconfig))
        return prb_fail(err, PRB_E_FORBIDDEN, "its own kubeconfig cannot be read, either") == 0;
    return check_secrets(account, err) == 0;
}

void prb_test_account_done(struct prb_test_account *account)
{
    prb_autofree char *said = NULL;
    struct prb_error err;

    if (account->manifest)
        (void)kubectl(account,
                (const char *const[]){ "delete", "--ignore-not-found", "--wait=false", "-f",
                        account->manifest, NULL },
                &said, &err);
    free(account->manifest);
    free(account->kubeconfig);
    prb_test_temp_dir_remove(account->dir);
    *account = (struct prb_test_account){ .admin = NULL };
}

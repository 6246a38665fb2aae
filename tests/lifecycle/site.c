/* What does an installation find, and who is who? */

#include "site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/kube/kube.h"

#include "support/cluster.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

#define PATIENCE_MS 30000

/* A kubeconfig has certificates of some KB. */
#define FILE_MAX ((size_t)64 * 1024)

/* Short, so that `remove` need not wait long for the one that led. */
#define LEASE_DURATION "3s"

static bool fail(struct site *site, const char *what, const char *reason)
{
    (void)snprintf(site->why, sizeof(site->why), "%.200s: %.800s", what, reason);
    return false;
}

bool site_do(struct site *site, const char *command, const char *input)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(&site->kubectl, "default", command, input, &answer);
    return answer.exit == 0 || fail(site, command, answer.text);
}

char *site_get(struct site *site, const char *command)
{
    struct kubectl_answer answer = { 0 };
    char *text;

    kubectl_run(&site->kubectl, "default", command, NULL, &answer);
    text = prb_strdup(answer.exit == 0 ? answer.text : "");
    text[strcspn(text, "\n")] = '\0';
    (void)snprintf(site->why, sizeof(site->why), "%.200s: %.800s", command, answer.text);
    kubectl_answer_done(&answer);
    return text;
}

bool site_awaits(struct site *site, const char *command, const char *text)
{
    int64_t end_ms = prb_test_now_ms() + PATIENCE_MS;

    do {
        prb_autofree char *got = site_get(site, command);

        if (prb_streq(got, text))
            return true;
        prb_test_pause();
    } while (prb_test_now_ms() < end_ms);
    return false;
}

char *site_account(const struct site *site, const char *name)
{
    return prb_asprintf("%s/%s.kubeconfig", site->dir, name);
}

int site_verb(struct site *site, const char *account, const char *const *arguments, char **ret)
{
    prb_autofree char *kubeconfig = site_account(site, account);
    const char *argv[16] = { arguments[0], "--kubeconfig", kubeconfig, "--lease-namespace",
        SITE_NAMESPACE };
    size_t count = 5;

    for (arguments++; *arguments && count < 15; arguments++)
        argv[count++] = *arguments;
    return program_run(argv, NULL, ret);
}

/* What Probate prints for this, into the cluster. */
static bool apply_manifest(struct site *site, const char *const *arguments)
{
    prb_autofree char *text = NULL, *path = prb_asprintf("%s/manifest.yaml", site->dir);
    prb_autofree char *command = prb_asprintf("apply --validate=false -f %s", path);
    struct prb_error err;

    if (program_run(arguments, NULL, &text) != 0)
        return fail(site, arguments[1], text);
    if (prb_file_write(path, text, strlen(text), 0600, &err) < 0)
        return fail(site, path, err.msg);
    return site_do(site, command, NULL);
}

/* The administrator's, with another user in it. */
static bool write_kubeconfig(struct site *site, const char *name, const char *token)
{
    prb_autofree char *path = site_account(site, name), *text = NULL, *changed = NULL;
    prb_auto(prb_json_free) struct json_object *config = NULL;
    struct json_object *user = json_object_new_object();
    struct prb_error err;
    size_t len;

    prb_json_set_str(user, "token", token);
    if (prb_file_read(site->kubectl.kubeconfig, FILE_MAX, &text, &len, &err) < 0 ||
            prb_yaml_parse(text, len, &config, &err) < 0) {
        prb_json_free(user);
        return fail(site, site->kubectl.kubeconfig, err.msg);
    }
    prb_json_set(prb_json_elem(prb_json_arr(config, "users"), 0), "user", user);
    changed = prb_json_text(config, false);
    return prb_file_write(path, changed, strlen(changed), 0600, &err) == 0 ||
           fail(site, path, err.msg);
}

static bool make_account(struct site *site, const char *name)
{
    prb_autofree char *create = prb_asprintf("create serviceaccount %s -n " SITE_NAMESPACE, name);
    prb_autofree char *token_command = prb_asprintf("create token %s -n " SITE_NAMESPACE, name);
    prb_autofree char *token = NULL;

    if (!site_do(site, create, NULL))
        return false;
    token = site_get(site, token_command);
    return token[0] && write_kubeconfig(site, name, token);
}

static bool make_accounts(struct site *site)
{
    return site_do(site, "create namespace " SITE_NAMESPACE, NULL) &&
           make_account(site, "probate") && make_account(site, "probate-remove") &&
           make_account(site, "probate-selftest") &&
           apply_manifest(site, (const char *const[]){ "manifest", "rbac", "--feature-gates",
                                        "ClusterLifeCycle=true", "--webhook-configuration",
                                        "probate", "--certs-secret", SITE_SECRET,
                                        "--criteria-resource", "configmaps", NULL }) &&
           apply_manifest(site, (const char *const[]){ "manifest", "remove-rbac", NULL }) &&
           apply_manifest(site, (const char *const[]){ "manifest", "selftest-rbac", NULL });
}

static bool define(struct site *site)
{
    for (size_t i = 0; i < 2; i++) {
        prb_autofree char *command =
                prb_asprintf("apply --server-side --validate=false -f %s", site->crds[i]);

        if (!site_do(site, command, NULL))
            return false;
    }
    return site_do(site, "wait --for=condition=Established --timeout=60s crd --all", NULL);
}

static bool start_cluster(struct site *site)
{
    const char *script = getenv("PROBATE_TEST_CLUSTER"); /* NOLINT(concurrency-mt-unsafe) */
    const char *argv[] = { script, "kubeconfig", "hub", NULL };
    const char *env[] = { "PROBATE_CLUSTER_DIR", site->cluster, NULL };
    struct prb_error err;

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(site->cluster, "down", &err);
    if (prb_test_cluster_do(site->cluster, "up", &err) < 0)
        return fail(site, "scripts/cluster up", err.msg);
    return prb_test_run(&(struct prb_test_command){ .argv = argv, .env = env },
                   site->kubectl.kubeconfig, sizeof(site->kubectl.kubeconfig)) == 0 ||
           fail(site, "scripts/cluster kubeconfig", "failed");
}

static bool open_api(struct site *site)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    return (prb_kube_config_load(site->kubectl.kubeconfig, NULL, &config, &err) == 0 &&
                   prb_kube_open(config, NULL, &site->api, &err) == 0) ||
           fail(site, "kubeconfig", err.msg);
}

bool site_open(struct site *site)
{
    kubectl_init(&site->kubectl);
    site->dir = prb_test_temp_dir();
    return start_cluster(site) && open_api(site) && define(site) && make_accounts(site);
}

void site_close(struct site *site)
{
    struct prb_error err;

    program_done(&site->program);
    prb_api_close(prb_take(site->api));
    (void)prb_test_cluster_do(site->cluster, "down", &err);
    kubectl_done(&site->kubectl);
    prb_test_temp_dir_remove(prb_take(site->dir));
}

bool site_start(struct site *site)
{
    prb_autofree char *kubeconfig = site_account(site, "probate"), *log = NULL;

    program_start(&site->program,
            (const char *const[]){ "--kubeconfig", kubeconfig, "--certs-secret", SITE_SECRET,
                    "--service-name", "127.0.0.1", "--webhook-configuration", "probate",
                    "--lease-namespace", SITE_NAMESPACE, "--lease-duration", LEASE_DURATION,
                    "--exempt-namespaces", SITE_NAMESPACE, "--feature-gates",
                    "ClusterLifeCycle=true", "--shutdown-delay", "0s", NULL });
    if (program_is_ready(&site->program))
        return true;
    log = program_log(&site->program);
    return fail(site, "serve", log);
}

/* What does an installation find, and who is who? */

#include "site.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"

#include "../e2e/manifests.h"
#include "support/cluster.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

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

/* The first line that a command prints; NULL when it fails. The caller frees. */
static char *find_line(struct site *site, const char *command)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(&site->kubectl, "default", command, NULL, &answer);
    (void)fail(site, command, answer.text);
    if (answer.exit != 0)
        return NULL;
    return prb_asprintf("%.*s", (int)strcspn(answer.text, "\n"), answer.text);
}

char *site_get(struct site *site, const char *command)
{
    char *line = find_line(site, command);

    return line ? line : prb_strdup("");
}

bool site_awaits(struct site *site, const char *command, const char *text)
{
    struct prb_test_wait wait = prb_test_wait_for(
            PRB_TEST_SOON_MS, "\"%s\" as the answer to: kubectl %s", text, command);

    do {
        prb_autofree char *got = find_line(site, command);

        if (prb_streq(got, text))
            return true;
        (void)prb_test_saw("%s", site->why);
    } while (prb_test_wait_more(&wait));
    (void)snprintf(site->why, sizeof(site->why), "%s", prb_test_awaited());
    return false;
}

char *site_account(const struct site *site, const char *name)
{
    return prb_asprintf("%s/%s.kubeconfig", site->account.dir, name);
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

/* As the flags of site_start say. Whoever removes is to find works, too, which this chart knows
 * nothing of: so it has the rights to remove anything, which Probate prints. */
static const char values[] = "{featureGates: {ClusterLifeCycle: true}, criteriaResources: "
                             "[configmaps], hooks: {remove: {enabled: false}}}";

#define REMOVER                                                                                          \
    "{apiVersion: v1, kind: ServiceAccount, metadata: {name: probate-remove, namespace: " SITE_NAMESPACE \
    "}}\n---\n%s"

/* That of the chart's pods, and those that the chart's hooks run as. */
static bool make_accounts(struct site *site)
{
    static const char *const others[] = { "probate-remove", "probate-selftest" };
    struct prb_test_release release = { .admin = site->kubectl.kubeconfig, .values = values };
    prb_autofree char *rights = NULL, *remover = NULL;
    struct prb_error err;

    if (program_run((const char *const[]){ "manifest", "remove-rbac", NULL }, NULL, &rights) != 0)
        return fail(site, "manifest remove-rbac", rights);
    release.more = remover = prb_asprintf(REMOVER, rights);
    if (prb_test_account_of_chart(&site->account, &release, &err) < 0)
        return fail(site, "account", err.msg);
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        prb_autofree char *kubeconfig = NULL;

        if (prb_test_account_token(&site->account, others[i], &kubeconfig, &err) < 0)
            return fail(site, others[i], err.msg);
    }
    return true;
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

#define TRIAL                                                                                     \
    OBJECT("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "'name':'trial'", \
            ",'webhooks':[{'name':'trial.probate.dev','admissionReviewVersions':['v1'],"          \
            "'sideEffects':'None','rules':[],'clientConfig':{'url':'https://127.0.0.1:1'},"       \
            "'matchConditions':[{'name':'kept','expression':'true'}]}]")

/* Kubernetes has matchConditions from 1.28 on. Before that a create drops them, unlike an apply,
 * which is refused. */
static bool ask_for_conditions(struct site *site)
{
    static const char command[] = "create --dry-run=server -o "
                                  "jsonpath={.webhooks[0].matchConditions[*].name}";
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(&site->kubectl, "default", command, TRIAL, &answer);
    site->conditions = strstr(answer.text, "kept") != NULL;
    return answer.exit == 0 || fail(site, command, answer.text);
}

bool site_open(struct site *site)
{
    kubectl_init(&site->kubectl);
    site->dir = prb_test_temp_dir();
    if (!program_go_outside())
        return fail(site, program_path, "cannot be run as another user");
    return start_cluster(site) && open_api(site) && ask_for_conditions(site) && define(site) &&
           make_accounts(site);
}

void site_close(struct site *site)
{
    struct prb_error err;

    program_done(&site->program);
    prb_test_account_done(&site->account);
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

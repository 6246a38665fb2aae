/* How does a real `probate serve` stand before a real API server, and end and begin again? */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "../cli/program.h"
#include "../e2e/kubectl.h"
#include "support/account.h"
#include "support/cluster.h"
#include "support/definitions.h"
#include "support/json_text.h"
#include "support/outsider.h"
#include "support/wait.h"
#include "target.h"
#include "target_roles.h"

#define REGISTRATION "probate"
#define GUARD_OF_LABELS "critical-service-label.probate.dev"
#define CERT_MAX ((size_t)64 * 1024)

struct real {
    struct target target;
    const char *folder, *crds, *standalone; /* borrowed */
    char *dir;                              /* owned, as all below: certificates, manifests */
    struct kubectl kubectl, of_player;
    struct prb_test_account account; /* Probate's */
    struct prb_test_account player;
    struct prb_api *eye_api, *player_api;
    struct program program;
    bool runs;
    char *ca;
    char *before; /* what Probate said in its life before */
    uint16_t port;
};

static const struct prb_gvr registrations = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

static struct real *of(struct target *target)
{
    return (struct real *)target;
}

static int kubectl(struct real *real, const char *command, const char *input, struct prb_error *err)
{
    prb_auto(kubectl_answer_done) struct kubectl_answer answer = { 0 };

    kubectl_run(&real->kubectl, "default", command, input, &answer);
    return answer.exit == 0
                   ? 0
                   : prb_fail(err, PRB_E_INTERNAL, "kubectl %s: %.800s", command, answer.text);
}

static int probate(
        struct real *real, const char *const *arguments, char **ret_said, struct prb_error *err)
{
    int code = program_run(arguments, NULL, ret_said);

    (void)real;
    return code == 0 ? 0
                     : prb_fail(err, PRB_E_INTERNAL, "probate %s: exit %d: %.800s", arguments[0],
                               code, *ret_said);
}

/* ---- Probate ---- */

static int start(struct target *target, struct prb_error *err)
{
    struct real *real = of(target);
    prb_autofree char *cert = prb_asprintf("%s/certs/tls.crt", real->dir);
    prb_autofree char *key = prb_asprintf("%s/certs/tls.key", real->dir);
    prb_autofree char *ca = prb_asprintf("%s/certs/ca.crt", real->dir);
    prb_autofree char *listen = prb_asprintf("127.0.0.1:%u", real->port), *said = NULL;

    program_start_at(&real->program, listen,
            (const char *const[]){ "--kubeconfig", real->account.kubeconfig, "--tls-cert", cert,
                    "--tls-key", key, "--ca-bundle", ca, "--webhook-configuration", REGISTRATION,
                    "--controllers", "critical-service,work,policy", "--cluster-name",
                    TARGET_CLUSTER, "--leader-elect=false", "--shutdown-delay", "0s", NULL });
    real->runs = true;
    if (!program_says(&real->program, " ready ")) {
        said = program_log(&real->program);
        return prb_fail(err, PRB_E_INTERNAL, "serve: %.1500s", said);
    }
    target->is_down = false;
    return prb_test_account_confines(&real->account, real->program.pid, err) ? 0 : err->code;
}

static int stop(struct target *target, bool kill, struct prb_error *err)
{
    struct real *real = of(target);
    int64_t ms;
    int code;

    if (!real->runs)
        return 0;
    target->is_down = true;
    code = program_end(&real->program, kill ? SIGKILL : SIGTERM, &ms);
    free(real->before);
    real->before = program_log(&real->program);
    program_done(&real->program);
    real->runs = false;
    return kill || code == 0
                   ? 0
                   : prb_fail(err, PRB_E_INTERNAL, "Probate ended with exit code %d", code);
}

static uint16_t get_port(struct target *target)
{
    return of(target)->runs ? of(target)->port : 0;
}

static void close_target(struct target *target)
{
    struct real *real = of(target);
    struct prb_error err;

    (void)stop(target, true, &err);
    prb_api_close(real->player_api);
    prb_api_close(real->eye_api);
    prb_test_account_done(&real->player);
    prb_test_account_done(&real->account);
    (void)prb_test_cluster_do(real->folder, "down", &err);
    kubectl_done(&real->kubectl);
    kubectl_done(&real->of_player);
    prb_test_temp_dir_remove(prb_take(real->dir));
    free(real->ca);
    free(real->before);
    (void)pthread_rwlock_destroy(&target->turn);
    free(real);
}

static bool run_kubectl(struct target *target, const char *name, const char *command,
        const char *input, char **ret_said)
{
    struct kubectl_answer answer = { 0 };
    bool done;

    kubectl_run(&of(target)->of_player, name, command, input, &answer);
    done = answer.exit == 0;
    *ret_said = prb_take(answer.text);
    kubectl_answer_done(&answer);
    return done;
}

static const struct target_ops ops = {
    .stop = stop, .start = start, .port = get_port, .kubectl = run_kubectl, .close = close_target
};

char *target_real_log(struct target *target)
{
    struct real *real = of(target);
    prb_autofree char *now = real->runs ? program_log(&real->program) : prb_strdup("");

    return prb_asprintf(
            "%s\n--- and since it was started last:\n%s", real->before ? real->before : "", now);
}

/* ---- the control plane ---- */

static int start_cluster(struct real *real, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error ignored;

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(real->folder, "down", &ignored);
    if (prb_test_cluster_do(real->folder, "up", err) < 0)
        return err->code;
    (void)snprintf(real->kubectl.kubeconfig, sizeof(real->kubectl.kubeconfig),
            "%.4000s/hub/kubeconfig", real->folder);
    if (prb_kube_config_load(real->kubectl.kubeconfig, NULL, &config, err) < 0)
        return err->code;
    return prb_kube_open(config, NULL, &real->eye_api, err);
}

static int define(struct real *real, struct prb_error *err)
{
    static const struct prb_gvr kinds[] = {
        { "work.open-cluster-management.io", "v1", "manifestworks" },
        { "work.open-cluster-management.io", "v1", "appliedmanifestworks" },
        { "policy.open-cluster-management.io", "v1", "configurationpolicies" },
        { "cluster.open-cluster-management.io", "v1", "managedclusters" },
        { "addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons" },
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (prb_test_define(real->eye_api, real->standalone, kinds[i].resource, &kinds[i], err) < 0)
            return err->code;
    }
    return prb_test_define(
            real->eye_api, real->crds, "criticalservices", &prb_critical_services, err);
}

#define CLUSTER                                                                           \
    "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'" TARGET_CLUSTER "'}}\n"   \
    "---\n{'apiVersion':'cluster.open-cluster-management.io/v1','kind':'ManagedCluster'," \
    "'metadata':{'name':'" TARGET_CLUSTER "'},'spec':{'hubAcceptsClient':true}}"

static int make_certificates(struct real *real, struct prb_error *err)
{
    prb_autofree char *out = prb_asprintf("%s/certs", real->dir), *said = NULL;
    prb_autofree char *ca = prb_asprintf("%s/certs/ca.crt", real->dir);
    size_t len;

    if (probate(real,
                (const char *const[]){
                        "certs", "--out", out, "--name", "127.0.0.1", "--name", "localhost", NULL },
                &said, err) < 0)
        return err->code;
    if (prb_file_read(ca, CERT_MAX, &real->ca, &len, err) < 0)
        return err->code;
    real->target.ca = real->ca;
    return 0;
}

/* ---- accounts ---- */

static int sign_on(struct real *real, struct prb_error *err)
{
    prb_autofree char *values = target_values();
    const struct prb_test_release release = {
        .admin = real->kubectl.kubeconfig, .values = values, .more = TARGET_BROUGHT
    };

    return prb_test_account_of_chart(&real->account, &release, err);
}

static int let_player_in(struct real *real, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    const struct prb_test_release release = {
        .admin = real->kubectl.kubeconfig, .name = "player", .namespace = "players"
    };
    prb_autofree char *roles = target_player_roles();

    if (prb_test_account_of_manifests(&real->player, &release, roles, err) < 0 ||
            prb_kube_config_load(real->player.kubeconfig, NULL, &config, err) < 0)
        return err->code;
    (void)prb_copy(real->of_player.kubeconfig, sizeof(real->of_player.kubeconfig),
            real->player.kubeconfig);
    return prb_kube_open(config, NULL, &real->player_api, err);
}

/* ---- the registration ---- */

/* One that is free now: Probate comes back to it again and again. */
static uint16_t free_port(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t len = sizeof(address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return 0;
    if (bind(fd, (struct sockaddr *)&address, len) < 0 ||
            getsockname(fd, (struct sockaddr *)&address, &len) < 0)
        address.sin_port = 0;
    (void)close(fd);
    return ntohs(address.sin_port);
}

static int register_probate(struct real *real, struct prb_error *err)
{
    prb_autofree char *url = prb_asprintf("https://127.0.0.1:%u/validate", real->port);
    prb_autofree char *ca = prb_asprintf("%s/certs/ca.crt", real->dir), *manifest = NULL;
    prb_autofree char *path = prb_asprintf("%s/webhook.yaml", real->dir);
    prb_autofree char *command = prb_asprintf("apply --validate=false -f %s", path);

    if (probate(real,
                (const char *const[]){ "manifest", "webhook", "--url", url, "--ca-file", ca,
                        "--rules", "*,-claim-delete-policy", NULL },
                &manifest, err) < 0 ||
            prb_file_write(path, manifest, strlen(manifest), 0600, err) < 0)
        return err->code;
    return kubectl(real, command, NULL, err);
}

static const struct json_object *guard_of_labels(const struct prb_object *registration)
{
    const struct json_object *list = prb_json_arr(prb_object_tree(registration), "webhooks");

    for (size_t i = 0; i < prb_json_len(list); i++) {
        if (prb_streq(prb_json_str(prb_json_elem(list, i), "name"), GUARD_OF_LABELS))
            return prb_json_elem(list, i);
    }
    return NULL;
}

/* Where the server keeps the condition, Probate has the guard fail closed. */
static bool is_guarded(void *ctx)
{
    struct real *real = ctx;
    prb_auto(prb_object_unref) struct prb_object *registration = NULL;
    const struct json_object *guard;
    struct prb_error err;
    struct prb_ref ref;

    if (!prb_ref_init(&ref, &registrations, NULL, REGISTRATION) ||
            prb_api_get(real->eye_api, &ref, NULL, &registration, &err) < 0)
        return prb_test_saw("no registration");
    guard = guard_of_labels(registration);
    real->target.keeps_conditions = prb_json_len(prb_json_arr(guard, "matchConditions")) > 0;
    return !real->target.keeps_conditions ||
           prb_streq(prb_json_str(guard, "failurePolicy"), "Fail") || prb_test_saw("it fails open");
}

/* A CriticalService that waits for its own provider is refused on Probate's word. */
static bool is_asked(void *ctx)
{
    struct real *real = ctx;
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
            "'name':'probe'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'a','name':'b'},'criteria':[{'type':'SpecificResource',"
            "'specificResource':{'group':'apps','resource':'deployments','namespace':'a',"
            "'name':'b'}}]}}");
    struct prb_error err = { .msg = "" };
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &prb_critical_services, NULL, "probe");
    return prb_api_create(real->eye_api, &ref, body, &(struct prb_write_options){ .dry_run = true },
                   NULL, &err) == PRB_E_INVALID ||
           prb_test_saw("it is not refused as invalid: %s", err.msg);
}

static int await(
        struct real *real, const char *what, bool (*holds)(void *ctx), struct prb_error *err)
{
    return prb_test_await(what, holds, real, PRB_TEST_SOON_MS)
                   ? 0
                   : prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

/* ---- the whole ---- */

static int set_up(struct real *real, struct prb_error *err)
{
    if (!prb_test_outsider_own(real->dir) || !program_go_outside())
        return prb_fail(err, PRB_E_INTERNAL, "the program cannot be run as another user");
    real->port = free_port();
    if (start_cluster(real, err) < 0 || define(real, err) < 0 ||
            kubectl(real, "create", CLUSTER, err) < 0 || make_certificates(real, err) < 0 ||
            sign_on(real, err) < 0 || let_player_in(real, err) < 0 ||
            register_probate(real, err) < 0 || start(&real->target, err) < 0 ||
            await(real, "the API server asks Probate", is_asked, err) < 0)
        return err->code;
    return await(real, "the guard of the label fails closed", is_guarded, err);
}

int target_real_open(const char *folder, const char *crds, const char *standalone,
        struct target **ret, struct prb_error *err)
{
    struct real *real = prb_calloc(1, sizeof(*real));
    struct target *target = &real->target;

    target_init(target);
    target->ops = &ops;
    target->where = REAL;
    real->folder = folder;
    real->crds = crds;
    real->standalone = standalone;
    real->dir = prb_test_temp_dir();
    kubectl_init(&real->kubectl);
    kubectl_init(&real->of_player);
    if (set_up(real, err) < 0) {
        close_target(target);
        return err->code;
    }
    target->eye = real->eye_api;
    target->player = real->player_api;
    *ret = target;
    return 0;
}

/* How does a real API server come to ask a Probate that deletes clusters? */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/critical_service.h"

#include "../cli/program.h"
#include "provider_internal.h"
#include "support/account.h"
#include "support/json_text.h"
#include "support/outsider.h"

static const struct prb_gvr registrations = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

/* The switches of the chart that mean the same as the flags below. */
static const char values[] =
        "{featureGates: {ClusterLifeCycle: true}, "
        "criteriaResources: [configmaps], controllers: {deletion-watch: false}}";

struct process {
    struct probate probate; /* first: it is one */
    struct target *target;  /* borrowed */
    struct prb_test_account account;
    struct program program;
    char *dir; /* owned: of the certificates */
    struct prb_ref registration;
};

/* The registration first: what nobody answers would hold up everything. */
static void stop(struct probate *probate)
{
    struct process *process = (struct process *)probate;
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_api *api = process->target->direct;
    struct prb_error err;
    int64_t ms;

    if (process->registration.name[0] &&
            prb_api_get(api, &process->registration, NULL, &object, &err) == 0)
        (void)prb_api_delete(api, &process->registration,
                &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &err);
    if (process->program.pid > 0)
        (void)program_end(&process->program, SIGTERM, &ms);
    program_done(&process->program);
    prb_test_account_done(&process->account);
    prb_test_temp_dir_remove(process->dir);
    free(process);
}

static char *waiting(struct probate *probate)
{
    return program_get(&((struct process *)probate)->program, "/waiting");
}

static int run(const char *const *arguments, char **ret_said, struct prb_error *err)
{
    int code = program_run(arguments, NULL, ret_said);

    return code == 0 ? 0
                     : prb_fail(err, PRB_E_INTERNAL, "%s: exit %d: %.500s", arguments[0], code,
                               *ret_said);
}

static int make_certificates(struct process *process, struct prb_error *err)
{
    prb_autofree char *said = NULL;

    process->dir = prb_test_temp_dir();
    if (!prb_test_outsider_own(process->dir)) /* whoever runs it, it can write there */
        return prb_fail(err, PRB_E_IO, "%s cannot be given away", process->dir);
    return run((const char *const[]){ "certs", "--out", process->dir, "--name", "127.0.0.1", NULL },
            &said, err);
}

static int start(struct process *process, struct prb_error *err)
{
    prb_autofree char *cert = prb_asprintf("%s/tls.crt", process->dir);
    prb_autofree char *key = prb_asprintf("%s/tls.key", process->dir);
    prb_autofree char *log = NULL;

    program_start(&process->program,
            (const char *const[]){ "--kubeconfig", process->account.kubeconfig, "--tls-cert", cert,
                    "--tls-key", key, "--feature-gates", "ClusterLifeCycle=true", "--controllers",
                    "critical-service,cluster-deletion", "--leader-elect=false", "--shutdown-delay",
                    "0s", NULL });
    if (program_is_ready(&process->program))
        return 0;
    log = program_log(&process->program);
    return prb_fail(err, PRB_E_INTERNAL, "serve: %.800s", log);
}

static int add(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    const char *name = prb_json_str(prb_json_obj(body, "metadata"), "name");
    struct process *process = ctx;

    (void)line;
    if (!name || !prb_ref_init(&process->registration, &registrations, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "this is no registration");
    return prb_api_create(process->target->direct, &process->registration, body, NULL, NULL, err);
}

static int enroll(struct process *process, struct prb_error *err)
{
    static const char before[] = "admission=127.0.0.1:";
    prb_autofree char *log = program_log(&process->program), *manifest = NULL, *url = NULL;
    prb_autofree char *ca = prb_asprintf("%s/ca.crt", process->dir);
    const char *at = strstr(log, before);

    at = at ? at + strlen(before) : "0";
    url = prb_asprintf("https://127.0.0.1:%.*s/validate", (int)strspn(at, "0123456789"), at);
    if (run((const char *const[]){ "manifest", "webhook", "--url", url, "--ca-file", ca, "--rules",
                    PROBATE_RULES, NULL },
                &manifest, err) < 0)
        return err->code;
    return prb_yaml_read(manifest, strlen(manifest), add, process, err);
}

/* Does the API server refuse, on Probate's word, a CriticalService that waits for its own provider?
 */
static bool is_asked(void *ctx)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
            "'name':'probe'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'a','name':'b'},'criteria':[{'type':'SpecificResource',"
            "'specificResource':{'group':'apps','resource':'deployments','namespace':'a',"
            "'name':'b'}}]}}");
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &prb_critical_services, NULL, "probe");
    err.msg[0] = '\0';
    return prb_api_create(ctx, &ref, body, &(struct prb_write_options){ .dry_run = true }, NULL,
                   &err) == PRB_E_INVALID ||
           prb_test_saw("it is not refused as invalid: %s", err.msg);
}

int probate_on_server(
        struct target *target, const char *admin, struct probate **ret, struct prb_error *err)
{
    struct process *process = prb_calloc(1, sizeof(*process));
    int r = 0;

    process->probate = (struct probate){ .stop = stop, .waiting = waiting };
    process->target = target;
    if (!program_go_outside())
        r = prb_fail(err, PRB_E_INTERNAL, "the program cannot be run as another user");
    if (r == 0)
        r = prb_test_account_of_chart(&process->account,
                &(struct prb_test_release){ .admin = admin, .values = values }, err);
    if (r == 0)
        r = make_certificates(process, err);
    if (r == 0)
        r = start(process, err);
    if (r == 0)
        r = enroll(process, err);
    if (r == 0 && !prb_test_await("the API server asks Probate", is_asked, target->direct,
                          PRB_TEST_SOON_MS))
        r = prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    if (r < 0)
        stop(&process->probate);
    else
        *ret = &process->probate;
    return r;
}

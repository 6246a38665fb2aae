/* How does Probate come to judge what policies prune? */

#include "guard.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"
#include "probate/model/critical_service.h"

#include "support/definitions.h"
#include "support/json_text.h"
#include "support/outsider.h"
#include "support/wait.h"

static const struct prb_gvr registrations = { "admissionregistration.k8s.io", "v1",
    "validatingwebhookconfigurations" };

static int run(const char *const *arguments, char **ret_said, struct prb_error *err)
{
    int code = program_run(arguments, NULL, ret_said);

    return code == 0 ? 0
                     : prb_fail(err, PRB_E_INTERNAL, "%s: exit %d: %.500s", arguments[0], code,
                               *ret_said);
}

static int make_certificates(struct guard *guard, struct prb_error *err)
{
    prb_autofree char *said = NULL;

    guard->dir = prb_test_temp_dir();
    if (!prb_test_outsider_own(guard->dir)) /* whoever runs it, it can write there */
        return prb_fail(err, PRB_E_IO, "%s cannot be given away", guard->dir);
    return run((const char *const[]){ "certs", "--out", guard->dir, "--name", "127.0.0.1", NULL },
            &said, err);
}

/* The number after this text; 0: there is none. */
static unsigned find_port(const char *log, const char *before)
{
    const char *at = strstr(log, before);
    char digits[8] = "";
    int64_t port = 0;

    if (!at)
        return 0;
    at += strlen(before);
    (void)snprintf(digits, sizeof(digits), "%.*s", (int)strspn(at, "0123456789"), at);
    return prb_parse_int(digits, 1, UINT16_MAX, &port) ? (unsigned)port : 0;
}

static int start_program(struct guard *guard, char **ret_log, struct prb_error *err)
{
    prb_autofree char *cert = prb_asprintf("%s/tls.crt", guard->dir);
    prb_autofree char *key = prb_asprintf("%s/tls.key", guard->dir);
    bool ready;

    program_start(&guard->program,
            (const char *const[]){ "--kubeconfig",
                    prb_fault_proxy_kubeconfig(guard->place->real.proxy), "--tls-cert", cert,
                    "--tls-key", key, "--controllers", "critical-service,policy",
                    "--policy-namespace", PROCESS_POLICIES, "--leader-elect=false",
                    "--shutdown-delay", "0s", NULL });
    ready = program_says(&guard->program, " ready ");
    *ret_log = program_log(&guard->program);
    return ready ? 0 : prb_fail(err, PRB_E_INTERNAL, "serve: %.800s", *ret_log);
}

static int add(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = taken;
    const char *name = prb_json_str(prb_json_obj(body, "metadata"), "name");
    struct guard *guard = ctx;

    (void)line;
    if (!name || !prb_streq(prb_json_str(body, "kind"), "ValidatingWebhookConfiguration") ||
            !prb_ref_init(&guard->registration, &registrations, NULL, name))
        return prb_fail(err, PRB_E_INVALID, "this is no registration");
    return prb_api_create(guard->place->direct, &guard->registration, body, NULL, NULL, err);
}

static int enroll(struct guard *guard, const char *log, struct prb_error *err)
{
    prb_autofree char *url =
            prb_asprintf("https://127.0.0.1:%u/validate", find_port(log, "admission=127.0.0.1:"));
    prb_autofree char *ca = prb_asprintf("%s/ca.crt", guard->dir), *manifest = NULL;

    if (run((const char *const[]){ "manifest", "webhook", "--url", url, "--ca-file", ca, "--rules",
                    "critical-service,policy-prune", NULL },
                &manifest, err) < 0)
        return err->code;
    return prb_yaml_read(manifest, strlen(manifest), add, guard, err);
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

static int start_on_server(struct guard *guard, const char *crds, struct prb_error *err)
{
    prb_autofree char *log = NULL;

    if (prb_test_define(
                guard->place->direct, crds, "criticalservices", &prb_critical_services, err) < 0 ||
            make_certificates(guard, err) < 0 || start_program(guard, &log, err) < 0 ||
            enroll(guard, log, err) < 0)
        return err->code;
    return prb_test_await(
                   "the API server asks Probate", is_asked, guard->place->direct, PRB_TEST_SOON_MS)
                   ? 0
                   : prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
}

int guard_start(struct guard *guard, struct place *place, const char *crds, struct prb_error *err)
{
    *guard = (struct guard){ .place = place };
    if (!place->hub)
        return start_on_server(guard, crds, err);
    if (hub_guard_start(place->hub, &guard->hub, err) < 0)
        return err->code;
    return prb_test_loop_start(&guard->loop, &prb_reconciler_policy, place->api, err);
}

/* The registration first: what nobody answers would hold up everything. */
static void stop_on_server(struct guard *guard)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;
    int64_t ms;

    if (prb_api_get(guard->place->direct, &guard->registration, NULL, &object, &err) == 0)
        (void)prb_api_delete(guard->place->direct, &guard->registration,
                &(struct prb_delete_options){ .uid = prb_object_uid(object) }, &err);
    if (guard->program.pid > 0)
        (void)program_end(&guard->program, SIGTERM, &ms);
    program_done(&guard->program);
    prb_test_temp_dir_remove(prb_take(guard->dir));
}

void guard_stop(struct guard *guard)
{
    prb_test_loop_stop(&guard->loop);
    if (guard->place->hub)
        hub_guard_stop(prb_take(guard->hub));
    else
        stop_on_server(guard);
}

/* How does Probate run, and how does the API server come to ask it? */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "bench_internal.h"

/* Beside databases, of which the hub itself knows. */
static const char claims[] = "buckets.named.example.org";

/* What the API server asks about has to be named, whoever knows it. */
static const char registered_claims[] = "buckets.named.example.org,databases.claims.example.org";

#define ALL_IN(mode)                                                                    \
    "manifestwork-orphan=" mode ",cluster-lifecycle=" mode ",claim-delete-policy=" mode \
    ",policy-prune=" mode

/* The number after this text; 0: there is none. */
static uint16_t find_port(const char *log, const char *before)
{
    const char *at = strstr(log, before);
    char digits[8] = "";
    int64_t port;

    if (!at)
        return 0;
    at += strlen(before);
    (void)snprintf(digits, sizeof(digits), "%.*s", (int)strspn(at, "0123456789"), at);
    return prb_parse_int(digits, 1, UINT16_MAX, &port) ? (uint16_t)port : 0;
}

static bool start(
        struct bench *bench, enum instance instance, const char *kubeconfig, const char *modes)
{
    prb_autofree char *cert = prb_asprintf("%s/certs/tls.crt", bench->dir);
    prb_autofree char *key = prb_asprintf("%s/certs/tls.key", bench->dir);
    struct program *program = &bench->programs[instance];
    prb_autofree char *log = NULL;
    struct prb_error err;

    program_start(
            program, (const char *const[]){ "--kubeconfig", kubeconfig, "--tls-cert", cert,
                             "--tls-key", key, "--claim-resource", claims, "--leader-elect=false",
                             "--shutdown-delay", "0s", modes ? "--rule-mode" : NULL, modes, NULL });
    if (!program_says(program, " ready ")) {
        log = program_log(program);
        return bench_fail(bench, "serve", log);
    }
    if (!prb_test_account_confines(&bench->account, program->pid, &err))
        return bench_fail(bench, "serve", err.msg);
    log = program_log(program);
    program->port = find_port(log, "ops=127.0.0.1:");
    return program->port != 0 || bench_fail(bench, "no ops port in", log);
}

static bool start_cut_off(struct bench *bench)
{
    prb_autofree char *path = bench_account(bench, "probate");
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    if (prb_kube_config_load(path, NULL, &config, &err) < 0 ||
            prb_fault_proxy_start(config, &bench->proxy, &err) < 0)
        return bench_fail(bench, "the proxy", err.msg);
    return start(bench, CUT_OFF, prb_fault_proxy_kubeconfig(bench->proxy), NULL);
}

bool bench_start(struct bench *bench, enum instance instance)
{
    prb_autofree char *full = bench_account(bench, "probate");
    prb_autofree char *little = bench_account(bench, "powerless");

    switch (instance) {
    case DENYING:
        return start(bench, instance, full, NULL);
    case ONLY_WARNING:
        return start(bench, instance, full, ALL_IN("warn"));
    case ONLY_AUDITING:
        return start(bench, instance, full, ALL_IN("audit"));
    case CUT_OFF:
        return start_cut_off(bench);
    case WITHOUT_RIGHT:
        return start(bench, instance, little, NULL);
    case INSTANCES:
        break;
    }
    return false;
}

uint16_t bench_admission_port(const struct bench *bench, enum instance instance)
{
    prb_autofree char *log = program_log(&bench->programs[instance]);

    return find_port(log, "admission=127.0.0.1:");
}

bool bench_register(struct bench *bench, enum instance instance, const char *rules)
{
    prb_autofree char *url =
            prb_asprintf("https://127.0.0.1:%u/validate", bench_admission_port(bench, instance));
    prb_autofree char *ca = prb_asprintf("%s/certs/ca.crt", bench->dir), *manifest = NULL;

    return bench_probate(bench,
                   (const char *const[]){ "manifest", "webhook", "--url", url, "--ca-file", ca,
                           "--claim-resource", registered_claims, "--rules", rules ? rules : "*",
                           NULL },
                   &manifest) &&
           bench_apply_text(bench, "webhook", manifest);
}

bool bench_stop(struct bench *bench)
{
    bool ended = true;

    for (size_t i = 0; i < INSTANCES; i++) {
        struct program *program = &bench->programs[i];
        prb_autofree char *log = NULL;
        int64_t ms;

        if (program->pid == 0 || program_end(program, SIGTERM, &ms) == 0)
            continue;
        log = program_log(program);
        ended = bench_fail(bench, "serve did not end in good order", log);
    }
    return ended;
}

/* Which flags does `probate serve` have? */

#include <stddef.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "serve.h"

#define SECOND INT64_C(1000) /* in milliseconds */
#define MINUTE (60 * SECOND)

#define LISTEN_PORT 9443 /* where webhooks listen by custom */

#define AT(member) offsetof(struct prb_serve_options, member)

/* In the order of enum prb_log_format and enum prb_log_level. */
static const char *const log_formats[] = { "text", "json", NULL };
static const char *const log_levels[] = { "debug", "info", "warn", "error", NULL };

static const struct prb_flag table[] = {
    { .section = "Where the state comes from",
            .name = "embedded",
            .type = PRB_FLAG_TEXT,
            .at = AT(embedded),
            .value = "DIR",
            .help = "Hold the cluster in memory, loaded from the .yaml, .yml and .json manifests "
                    "below DIR. Needs no Kubernetes." },
    { .name = "kubeconfig",
            .type = PRB_FLAG_TEXT,
            .at = AT(kubeconfig),
            .value = "FILE",
            .preset_text = "the service account of the pod, else $KUBECONFIG, else ~/.kube/config",
            .help = "Speak to the API server that FILE names." },
    { .name = "context",
            .type = PRB_FLAG_TEXT,
            .at = AT(context),
            .value = "NAME",
            .preset_text = "its current-context",
            .help = "The context of the kubeconfig to use." },

    PRB_CONTROLLERS_FLAG(struct prb_serve_options, controllers, "What runs"),
    PRB_GATES_FLAG(struct prb_serve_options, controllers),
    { .name = "workers",
            .type = PRB_FLAG_INT,
            .at = AT(workers),
            .value = "N",
            .preset = "2",
            .min = 1,
            .max = 64,
            .help = "How many objects each controller looks at side by side." },
    { .name = "dry-run",
            .type = PRB_FLAG_SWITCH,
            .at = AT(dry_run),
            .preset = "false",
            .help = "Send every write as a dry run, and record neither Events nor denials." },

    PRB_MONITORED_FLAG(struct prb_serve_options, controllers.clusters, "Deletion of clusters"),
    PRB_DELETE_WORKS_FLAG(struct prb_serve_options, controllers.clusters),
    PRB_CLUSTER_FINALIZER_FLAG(struct prb_serve_options, controllers.clusters),

    PRB_RULE_FLAGS(struct prb_serve_options, rules),

    { .section = "Admission",
            .name = "listen",
            .type = PRB_FLAG_ADDRESS,
            .at = AT(listen),
            .value = "ADDR:PORT",
            .preset_text = ":9443, but 127.0.0.1:9443 with --embedded",
            .help = "Where to answer admission reviews, POST /validate, over HTTPS; :PORT is every "
                    "interface." },
    { .name = "tls-cert",
            .type = PRB_FLAG_TEXT,
            .at = AT(tls_cert),
            .value = "FILE",
            .preset_text = "made in memory, for a try on this machine",
            .help = "The serving certificate in PEM, read again whenever it changes. 'probate "
                    "certs' makes one." },
    { .name = "tls-key",
            .type = PRB_FLAG_TEXT,
            .at = AT(tls_key),
            .value = "FILE",
            .help = "Its private key." },
    { .name = "client-ca",
            .type = PRB_FLAG_TEXT,
            .at = AT(client_ca),
            .value = "FILE",
            .preset_text = "callers need no certificate",
            .help = "Answer only callers with a certificate that one of these CAs signed; read "
                    "again whenever it changes." },
    { .name = "client-names",
            .type = PRB_FLAG_LIST,
            .at = AT(client_names),
            .value = "NAME,...",
            .preset_text = "any that the CA signed",
            .help = "The names, common or DNS, of the callers that --client-ca lets in." },

    { .section = "Several replicas",
            .name = "leader-elect",
            .type = PRB_FLAG_SWITCH,
            .at = AT(leader_elect),
            .preset_text = "true, but false with --embedded or --dry-run",
            .help = "Act only while holding a Lease, so that one replica acts at a time." },
    { .name = "lease-namespace",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_namespace),
            .value = "NAME",
            .preset_text = "that of the service account or context, else probate-system",
            .help = "The namespace of that Lease; it must exist." },
    { .name = "lease-name",
            .type = PRB_FLAG_TEXT,
            .at = AT(lease_name),
            .value = "NAME",
            .preset = "probate",
            .help = "The name of that Lease." },
    { .name = "lease-duration",
            .type = PRB_FLAG_DURATION,
            .at = AT(lease_duration_ms),
            .value = "TIME",
            .preset = "15s",
            .min = SECOND,
            .max = 10 * MINUTE,
            .help = "How long after the last sign of a leader another one takes over." },

    { .section = "Operation",
            .name = "ops-listen",
            .type = PRB_FLAG_ADDRESS,
            .at = AT(ops_listen),
            .value = "ADDR:PORT",
            .preset = "127.0.0.1:8081",
            .help = "Where to serve /healthz, /readyz, /metrics and /waiting over plain HTTP; "
                    ":PORT is every interface." },
    { .name = "shutdown-delay",
            .type = PRB_FLAG_DURATION,
            .at = AT(shutdown_delay_ms),
            .value = "TIME",
            .preset_text = "10s, but 0s with --embedded",
            .min = 0,
            .max = 5 * MINUTE,
            .help = "How long after SIGTERM to go on serving, unready, until everyone has "
                    "noticed." },
    { .name = "log-format",
            .type = PRB_FLAG_ENUM,
            .at = AT(log_format),
            .choices = log_formats,
            .preset = "text",
            .help = "How log lines on stderr look." },
    { .name = "log-level",
            .type = PRB_FLAG_ENUM,
            .at = AT(log_level),
            .choices = log_levels,
            .preset = "info",
            .help = "The least important lines to show." },
};

const struct prb_flags prb_serve_flags = { table, sizeof(table) / sizeof(table[0]) };

void prb_serve_options_init(struct prb_serve_options *options)
{
    *options = (struct prb_serve_options){ .leader_elect = PRB_NOT_SAID,
        .shutdown_delay_ms = PRB_NOT_SAID,
        .listen = { .host = PRB_HOST_NOT_SAID } };
}

void prb_serve_settle(struct prb_serve_options *options)
{
    if (options->leader_elect == PRB_NOT_SAID)
        options->leader_elect = !options->embedded && !options->dry_run;
    if (prb_streq(options->listen.host, PRB_HOST_NOT_SAID)) {
        (void)prb_copy(options->listen.host, sizeof(options->listen.host),
                options->embedded ? "127.0.0.1" : "");
        options->listen.port = LISTEN_PORT;
    }
    if (options->shutdown_delay_ms == PRB_NOT_SAID)
        options->shutdown_delay_ms = options->embedded ? 0 : 10 * SECOND;
}

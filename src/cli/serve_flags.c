/* Which flags does `probate serve` have? */

#include <stddef.h>

#include "probate/base/str.h"

#include "loop_flags.h"
#include "serve.h"

#define LISTEN_PORT 9443 /* where webhooks listen by custom */

#define AT(member) offsetof(struct prb_serve_options, member)

static const struct prb_flag table[] = {
    PRB_SOURCE_FLAGS(struct prb_serve_options, loop, "Where the state comes from"),

    PRB_CONTROLLERS_FLAG(struct prb_serve_options, loop.controllers, "*", "What runs"),
    PRB_GATES_FLAG(struct prb_serve_options, loop.controllers),
    PRB_WORKERS_FLAGS(struct prb_serve_options, loop),

    PRB_MONITORED_FLAG(struct prb_serve_options, loop.controllers.clusters, "Deletion of clusters"),
    PRB_DELETE_WORKS_FLAG(struct prb_serve_options, loop.controllers.clusters),
    PRB_CLUSTER_FINALIZER_FLAG(struct prb_serve_options, loop.controllers.clusters),

    PRB_WORK_FLAGS(struct prb_serve_options, loop.controllers.works, "Works"),

    PRB_POLICY_NAMESPACE_FLAG(struct prb_serve_options, loop.controllers.policies, "Policies"),

    PRB_CLAIM_FINALIZER_FLAG(struct prb_serve_options, loop.controllers.claims, "Claims"),

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
    { .name = "certs-secret",
            .type = PRB_FLAG_TEXT,
            .at = AT(certs_secret),
            .value = "NAMESPACE/NAME",
            .help = "Instead of --tls-cert: look after the certificates. The Secret holds CAs, which "
                    "are made and rotated; each replica signs its own certificate in memory." },
    { .name = "service-name",
            .type = PRB_FLAG_LIST,
            .at = AT(service_names),
            .value = "NAME,...",
            .help = "The names, DNS or IP, by which the API server calls Probate: "
                    "probate.probate-system.svc. For --certs-secret." },
    { .name = "webhook-configuration",
            .type = PRB_FLAG_TEXT,
            .at = AT(webhook_configuration),
            .value = "NAME",
            .preset_text = "its owner looks after it",
            .help = "Look after this ValidatingWebhookConfiguration: with --certs-secret or "
                    "--ca-bundle set caBundle, try out a call through the API server, and when it "
                    "is answered let the webhooks that are meant to fail closed do so." },
    { .name = "ca-bundle",
            .type = PRB_FLAG_TEXT,
            .at = AT(ca_bundle),
            .value = "FILE",
            .preset_text = "without --certs-secret, caBundle is left alone",
            .help = "The CAs (PEM) that vouch for --tls-cert, to be put into caBundle." },
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

    PRB_LEASE_FLAGS(struct prb_serve_options, loop, "probate"),

    PRB_OPS_FLAG(struct prb_serve_options, loop),
    { .name = "shutdown-delay",
            .type = PRB_FLAG_DURATION,
            .at = AT(shutdown_delay_ms),
            .value = "TIME",
            .preset_text = "10s, but 0s with --embedded",
            .min = 0,
            .max = 5 * PRB_MINUTE,
            .help = "How long after SIGTERM to go on serving, unready, until everyone has "
                    "noticed." },
    PRB_LOG_FLAGS(struct prb_serve_options, loop),
};

const struct prb_flags prb_serve_flags = { table, sizeof(table) / sizeof(table[0]) };

void prb_serve_options_init(struct prb_serve_options *options)
{
    *options = (struct prb_serve_options){ .loop = { .leader_elect = PRB_NOT_SAID },
        .shutdown_delay_ms = PRB_NOT_SAID,
        .listen = { .host = PRB_HOST_NOT_SAID } };
}

void prb_serve_settle(struct prb_serve_options *options)
{
    const bool embedded = options->loop.source.embedded != NULL;

    prb_loop_settle(&options->loop);
    if (prb_streq(options->listen.host, PRB_HOST_NOT_SAID)) {
        (void)prb_copy(
                options->listen.host, sizeof(options->listen.host), embedded ? "127.0.0.1" : "");
        options->listen.port = LISTEN_PORT;
    }
    if (options->shutdown_delay_ms == PRB_NOT_SAID)
        options->shutdown_delay_ms = embedded ? 0 : 10 * PRB_SECOND;
}

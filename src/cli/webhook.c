/* How do certificate, rules and server become one webhook? */

#include "webhook.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "probate/admission/certs.h"
#include "probate/admission/server.h"
#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"

#define HOST_SIZE 256 /* HOST_NAME_MAX is 64; a domain makes it longer */

struct prb_webhook {
    struct prb_webhook_options options;
    struct prb_engine engine;
    struct prb_tls *tls; /* owned, as all below */
    struct prb_review_reader *reader;
    struct prb_asker *asker;
    struct prb_server *server;
};

/* For a try on this machine: nobody else could be given the CA in time to trust it. */
static int make_pair(struct prb_certs *certs, struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    char host[HOST_SIZE] = "localhost";
    const char *names[] = { "localhost", "127.0.0.1", "::1", host };
    struct prb_certs_options options = {
        .names = names, .count = sizeof(names) / sizeof(names[0]), .now_ms = clock->wall_ms(clock)
    };

    (void)gethostname(host, sizeof(host) - 1);
    prb_info("no --tls-cert: a certificate for this machine is made in memory; the CA that signed "
             "it is gone when this process ends");
    return prb_certs_make(&options, certs, err);
}

static int open_tls(struct prb_webhook *webhook, struct prb_error *err)
{
    const struct prb_webhook_options *o = &webhook->options;
    prb_auto(prb_certs_done) struct prb_certs certs = { 0 };
    struct prb_tls_options options = { .cert_file = o->tls_cert,
        .key_file = o->tls_key,
        .cert_pem = o->cert_pem,
        .key_pem = o->key_pem,
        .clock = o->clock,
        .client_ca_file = o->client_ca,
        .client_names = (const char *const *)o->client_names->items,
        .client_name_count = o->client_names->count };

    if (!o->tls_cert != !o->tls_key)
        return prb_fail(err, PRB_E_INVALID, "--tls-cert and --tls-key go together");
    if (o->client_names->count > 0 && !o->client_ca)
        return prb_fail(err, PRB_E_INVALID, "--client-names needs --client-ca");
    if (!o->tls_cert && !o->cert_pem) {
        if (make_pair(&certs, err) < 0)
            return err->code;
        options.cert_pem = certs.cert;
        options.key_pem = certs.key;
    }
    return prb_tls_open(&options, &webhook->tls, err);
}

static struct prb_review_reader *make_reader(const struct prb_judge *judge)
{
    prb_autofree const struct prb_rule **rules = prb_calloc(judge->count + 1, sizeof(*rules));

    for (size_t i = 0; i < judge->count; i++)
        rules[i] = judge->entries[i].rule;
    return prb_review_reader_new(rules, judge->count);
}

static struct prb_view *open_view(void *ctx)
{
    return prb_wiring_view(ctx);
}

/* What a verdict leaves behind; the log has it from the server itself. */
static void decided(
        void *ctx, const struct prb_request *request, const struct prb_verdict *verdict, int64_t us)
{
    (void)request;
    (void)us;
    prb_wiring_note(ctx, verdict->notes, verdict->note_count);
}

static int start_server(struct prb_webhook *webhook, struct prb_error *err)
{
    const struct prb_address *listen = &webhook->options.listen;
    const struct prb_server_options options = { .host = listen->host,
        .port = listen->port,
        .tls = webhook->tls,
        .engine = &webhook->engine,
        .reader = webhook->reader,
        .asker = webhook->asker,
        .decided = decided,
        .ctx = webhook->options.wiring };
    char text[PRB_ADDRESS_TEXT_SIZE];
    prb_autofree char *reason = NULL;

    if (prb_server_start(&options, &webhook->server, err) == 0)
        return 0;
    prb_address_format(listen, text);
    reason = prb_strdup(err->msg);
    return prb_fail(err, err->code, "--listen %s: %s; choose another with --listen", text, reason);
}

int prb_webhook_start(
        const struct prb_webhook_options *options, struct prb_webhook **ret, struct prb_error *err)
{
    struct prb_webhook *webhook = prb_calloc(1, sizeof(*webhook));
    int r;

    webhook->options = *options;
    webhook->engine = (struct prb_engine){ .judge = options->judge,
        .api = options->api,
        .clock = prb_clock_system(),
        .open_view = open_view,
        .ctx = options->wiring };
    webhook->reader = make_reader(options->judge);
    r = open_tls(webhook, err);
    if (r == 0)
        r = prb_asker_new(options->api, prb_clock_system(), 0, &webhook->asker, err);
    if (r == 0)
        r = start_server(webhook, err);
    if (r < 0)
        prb_webhook_stop(webhook, 0);
    else
        *ret = webhook;
    return r;
}

struct prb_tls *prb_webhook_tls(const struct prb_webhook *webhook)
{
    return webhook->tls;
}

void prb_webhook_address(const struct prb_webhook *webhook, char text[PRB_ADDRESS_TEXT_SIZE])
{
    struct prb_address address = webhook->options.listen;

    address.port = prb_server_port(webhook->server);
    prb_address_format(&address, text);
}

void prb_webhook_each_check(struct prb_webhook *webhook, prb_ops_check_fn each, void *sink)
{
    struct prb_tls_state state;
    char until[PRB_TIME_SIZE], detail[sizeof(state.error) + PRB_TIME_SIZE + 64];
    struct prb_ops_check check = { .name = "certificate", .detail = detail };

    prb_tls_state(webhook->tls, &state);
    prb_time_format(state.expires_ms, until);
    (void)snprintf(detail, sizeof(detail), "valid until %s%s%s", until,
            state.error[0] ? "; the files on disk are not served: " : "", state.error);
    check.state = state.valid ? PRB_OPS_OK : PRB_OPS_FAILED;
    each(sink, &check);
}

void prb_webhook_drain(struct prb_webhook *webhook)
{
    prb_server_drain(webhook->server);
}

void prb_webhook_stop(struct prb_webhook *webhook, int64_t finish_ms)
{
    if (!webhook)
        return;
    prb_server_stop(webhook->server, finish_ms);
    prb_asker_free(webhook->asker);
    prb_review_reader_free(webhook->reader);
    prb_tls_free(webhook->tls);
    free(webhook);
}

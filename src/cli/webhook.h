#ifndef PROBATE_SRC_CLI_WEBHOOK_H
#define PROBATE_SRC_CLI_WEBHOOK_H

/*
 * The admission half of `probate serve`: certificate, rules, engine and HTTPS server, joined over
 * the port and the collections that the wiring reads. Driven by the verb's thread; the ops server
 * asks for its checks from its own.
 */

#include <stdint.h>

#include "probate/admission/ops.h"
#include "probate/admission/tls.h"
#include "probate/cli/flags.h"
#include "probate/core/judge.h"

#include "wiring.h"

struct prb_webhook_options {
    struct prb_address listen;
    const char *tls_cert; /* file; NULL: a pair is made in memory. Borrowed, as all here */
    const char *tls_key;
    const char *cert_pem; /* without files: a pair in memory, to be replaced; NULL: one is made */
    const char *key_pem;
    const struct prb_clock *clock; /* what certificates go by; NULL: the system's */
    const char *client_ca;
    const struct prb_list *client_names;
    const struct prb_judge *judge;
    struct prb_api *api;
    struct prb_wiring *wiring; /* started */
};

struct prb_webhook;

/* INVALID when the certificate or the address cannot be used. */
int prb_webhook_start(
        const struct prb_webhook_options *options, struct prb_webhook **ret, struct prb_error *err);

/* What it serves with; borrowed. */
struct prb_tls *prb_webhook_tls(const struct prb_webhook *webhook);

/* Where it listens. */
void prb_webhook_address(const struct prb_webhook *webhook, char text[PRB_ADDRESS_TEXT_SIZE]);

/* What /readyz shows of it: the certificate. */
void prb_webhook_each_check(struct prb_webhook *webhook, prb_ops_check_fn each, void *sink);

/* From now on every answer asks its client to leave. */
void prb_webhook_drain(struct prb_webhook *webhook);

/* Finish what is in flight, at most `finish_ms`, and end. NULL is fine. */
void prb_webhook_stop(struct prb_webhook *webhook, int64_t finish_ms);

#endif

#ifndef PROBATE_SRC_CLI_SERVE_H
#define PROBATE_SRC_CLI_SERVE_H

/* What `probate serve` was told. */

#include <stdint.h>

#include "probate/cli/flags.h"
#include "probate/cli/rules.h"

#include "loop.h"

#define PRB_HOST_NOT_SAID "?" /* no address looks like this */

struct prb_serve_options {
    struct prb_loop_flags loop;
    struct prb_address listen; /* host PRB_HOST_NOT_SAID until prb_serve_settle */
    const char *tls_cert;
    const char *tls_key;
    const char *certs_secret;
    struct prb_list service_names;
    const char *webhook_configuration;
    const char *ca_bundle;
    const char *client_ca;
    struct prb_list client_names;
    struct prb_rule_flags rules;
    int64_t shutdown_delay_ms; /* PRB_NOT_SAID until prb_serve_settle */
};

extern const struct prb_flags prb_serve_flags;

/* Before parsing: what is not said. */
void prb_serve_options_init(struct prb_serve_options *options);

/* After parsing: the defaults that depend on other flags. */
void prb_serve_settle(struct prb_serve_options *options);

#endif

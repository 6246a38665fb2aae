#ifndef PROBATE_SRC_CLI_SERVE_H
#define PROBATE_SRC_CLI_SERVE_H

/* What `probate serve` was told. */

#include <stdint.h>

#include "probate/cli/controllers.h"
#include "probate/cli/flags.h"
#include "probate/cli/rules.h"

#define PRB_NOT_SAID (-1) /* of a switch or a duration whose default depends on others */

#define PRB_HOST_NOT_SAID "?" /* no address looks like this */

struct prb_serve_options {
    const char *embedded;
    const char *kubeconfig;
    const char *context;
    struct prb_controller_flags controllers;
    int64_t workers;
    int dry_run;
    int leader_elect; /* PRB_NOT_SAID until prb_serve_settle */
    const char *lease_namespace;
    const char *lease_name;
    int64_t lease_duration_ms;
    struct prb_address listen; /* host PRB_HOST_NOT_SAID until prb_serve_settle */
    const char *tls_cert;
    const char *tls_key;
    const char *client_ca;
    struct prb_list client_names;
    struct prb_rule_flags rules;
    struct prb_address ops_listen;
    int64_t shutdown_delay_ms; /* PRB_NOT_SAID until prb_serve_settle */
    int log_format;            /* enum prb_log_format */
    int log_level;             /* enum prb_log_level */
};

extern const struct prb_flags prb_serve_flags;

/* Before parsing: what is not said. */
void prb_serve_options_init(struct prb_serve_options *options);

/* After parsing: the defaults that depend on other flags. */
void prb_serve_settle(struct prb_serve_options *options);

#endif

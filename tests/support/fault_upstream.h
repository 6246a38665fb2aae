#ifndef TESTS_SUPPORT_FAULT_UPSTREAM_H
#define TESTS_SUPPORT_FAULT_UPSTREAM_H

/* The real API server behind the fault proxy: where it is and as whom it is called. */

#include <stdbool.h>

#include <gnutls/gnutls.h>

#include "probate/base/error.h"
#include "probate/kube/config.h"

#include "support/tls_stream.h"

struct prb_fault_upstream {
    char *host;                                   /* owned */
    char *port;                                   /* owned */
    char *token;                                  /* owned; NULL: none */
    gnutls_certificate_credentials_t credentials; /* owned: its CA and our certificate */
};

int prb_fault_upstream_init(struct prb_fault_upstream *upstream,
        const struct prb_kube_config *config, struct prb_error *err);
void prb_fault_upstream_done(struct prb_fault_upstream *upstream);

/* Connect an empty stream; false when nobody answers or the certificate is not to be trusted. */
bool prb_fault_upstream_connect(
        const struct prb_fault_upstream *upstream, struct prb_tls_stream *stream);

#endif

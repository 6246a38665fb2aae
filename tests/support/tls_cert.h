#ifndef TESTS_SUPPORT_TLS_CERT_H
#define TESTS_SUPPORT_TLS_CERT_H

/* A serving certificate for 127.0.0.1, made on the spot and signed by itself. */

#include <gnutls/gnutls.h>

#include "probate/base/error.h"

/* `ret_pem` is the certificate, which is its own authority, for clients to trust (heap). The key
 * is in `ret_credentials` only; free them with gnutls_certificate_free_credentials. */
int prb_test_serving_cert(
        gnutls_certificate_credentials_t *ret_credentials, char **ret_pem, struct prb_error *err);

#endif

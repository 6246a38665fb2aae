/* Where do tests get a certificate and its key from? They make them: no key is kept in the tree. */

#include "pem.h"

#include <stdlib.h>
#include <time.h>

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include "probate/base/mem.h"

static void must(int r)
{
    if (r < 0)
        abort();
}

static char *text_of(gnutls_datum_t datum)
{
    char *text = prb_strndup((const char *)datum.data, datum.size);

    gnutls_free(datum.data);
    return text;
}

void prb_test_pem_pair(char **ret_cert, char **ret_key)
{
    gnutls_x509_privkey_t key;
    gnutls_x509_crt_t cert;
    gnutls_datum_t datum;
    time_t now = time(NULL);

    must(gnutls_x509_privkey_init(&key));
    must(gnutls_x509_privkey_generate(
            key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0));
    must(gnutls_x509_crt_init(&cert));
    must(gnutls_x509_crt_set_version(cert, 3));
    must(gnutls_x509_crt_set_serial(cert, "\x01", 1));
    must(gnutls_x509_crt_set_dn(cert, "CN=test", NULL));
    must(gnutls_x509_crt_set_activation_time(cert, now - 60));
    must(gnutls_x509_crt_set_expiration_time(cert, now + 3600));
    must(gnutls_x509_crt_set_key(cert, key));
    must(gnutls_x509_crt_sign2(cert, cert, key, GNUTLS_DIG_SHA256, 0));

    must(gnutls_x509_crt_export2(cert, GNUTLS_X509_FMT_PEM, &datum));
    *ret_cert = text_of(datum);
    must(gnutls_x509_privkey_export2(key, GNUTLS_X509_FMT_PEM, &datum));
    *ret_key = text_of(datum);
    gnutls_x509_crt_deinit(cert);
    gnutls_x509_privkey_deinit(key);
}

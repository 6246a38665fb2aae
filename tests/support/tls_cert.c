/* How do clients come to trust a server that a test has just started? */

#include "support/tls_cert.h"

#include <arpa/inet.h>
#include <time.h>

#include <gnutls/x509.h>

#include "probate/base/cleanup.h"
#include "probate/base/mem.h"

/* Longer than any test runs; from a little before now, should the clock be set meanwhile. */
#define VALID_BEFORE_S 3600
#define VALID_AFTER_S (24L * 3600)

PRB_DEFINE_CLEANUP(gnutls_x509_crt_t, gnutls_x509_crt_deinit)
PRB_DEFINE_CLEANUP(gnutls_x509_privkey_t, gnutls_x509_privkey_deinit)

/* Keeps the first failure of a row of calls. */
static void note(int *result, int code)
{
    if (*result >= 0)
        *result = code;
}

static int describe(gnutls_x509_crt_t crt, gnutls_x509_privkey_t key)
{
    const unsigned char serial[] = { 1 };
    struct in_addr address = { .s_addr = htonl(INADDR_LOOPBACK) };
    time_t now = time(NULL);
    int result = 0;

    note(&result, gnutls_x509_crt_set_version(crt, 3));
    note(&result, gnutls_x509_crt_set_serial(crt, serial, sizeof(serial)));
    note(&result, gnutls_x509_crt_set_dn(crt, "CN=fault proxy", NULL));
    note(&result, gnutls_x509_crt_set_activation_time(crt, now - VALID_BEFORE_S));
    note(&result, gnutls_x509_crt_set_expiration_time(crt, now + VALID_AFTER_S));
    note(&result, gnutls_x509_crt_set_subject_alt_name(
                          crt, GNUTLS_SAN_IPADDRESS, &address, sizeof(address), GNUTLS_FSAN_SET));
    note(&result, gnutls_x509_crt_set_ca_status(crt, 1));
    note(&result, gnutls_x509_crt_set_key_usage(
                          crt, GNUTLS_KEY_DIGITAL_SIGNATURE | GNUTLS_KEY_KEY_CERT_SIGN));
    note(&result, gnutls_x509_crt_set_key(crt, key));
    note(&result, gnutls_x509_crt_sign2(crt, crt, key, GNUTLS_DIG_SHA256, 0));
    return result;
}

static int make_credentials(
        gnutls_x509_crt_t crt, gnutls_x509_privkey_t key, gnutls_certificate_credentials_t *ret)
{
    gnutls_certificate_credentials_t credentials;
    int result = gnutls_certificate_allocate_credentials(&credentials);

    if (result < 0)
        return result;
    result = gnutls_certificate_set_x509_key(credentials, &crt, 1, key);
    if (result < 0)
        gnutls_certificate_free_credentials(credentials);
    else
        *ret = credentials;
    return result;
}

int prb_test_serving_cert(
        gnutls_certificate_credentials_t *ret_credentials, char **ret_pem, struct prb_error *err)
{
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t crt = NULL;
    prb_auto(gnutls_x509_privkey_deinit) gnutls_x509_privkey_t key = NULL;
    gnutls_datum_t pem = { .data = NULL };
    int result = 0;

    note(&result, gnutls_x509_crt_init(&crt));
    note(&result, gnutls_x509_privkey_init(&key));
    if (result >= 0)
        result = gnutls_x509_privkey_generate(
                key, GNUTLS_PK_ECDSA, GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0);
    if (result >= 0)
        result = describe(crt, key);
    if (result >= 0)
        result = gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_PEM, &pem);
    if (result >= 0)
        result = make_credentials(crt, key, ret_credentials);
    if (result >= 0)
        *ret_pem = prb_strndup((const char *)pem.data, pem.size);
    gnutls_free(pem.data);
    return result < 0 ? prb_fail(err, PRB_E_INTERNAL, "certificate: %s", gnutls_strerror(result))
                      : 0;
}

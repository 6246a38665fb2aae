/* Can these certificates and this key be used at all? */

#include "credentials.h"

#include <string.h>

#include <gnutls/gnutls.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "secret.h"

/* One PEM text with its name for messages. */
struct pem {
    char *text; /* owned, secret */
    size_t len;
    char *name; /* owned: "/etc/x/key.pem", "client-key-data of context dev of ..." */
};

static void pem_done(struct pem *pem)
{
    prb_secret_free(pem->text);
    free(pem->name);
}

static void pem_donep(struct pem *pem)
{
    pem_done(pem);
}

static void credentials_free(gnutls_certificate_credentials_t credentials)
{
    gnutls_certificate_free_credentials(credentials);
}
PRB_DEFINE_CLEANUP(gnutls_certificate_credentials_t, credentials_free)

/* From the configuration itself, or from the file it names. */
static int read_pem(const char *data, const char *file, const char *field, const char *source,
        struct pem *ret, struct prb_error *err)
{
    if (data) {
        ret->text = prb_strdup(data);
        ret->len = strlen(data);
        ret->name = prb_asprintf("%s-data of %s", field, source);
        return 0;
    }
    if (prb_file_read(file, PRB_KUBE_PEM_MAX, &ret->text, &ret->len, err) < 0)
        return prb_fail(err, PRB_E_INVALID, "%s of %s: %s", field, source, err->msg);
    ret->name = prb_asprintf("%s %s", field, file);
    return 0;
}

static gnutls_datum_t datum_of(const struct pem *pem)
{
    return (gnutls_datum_t){ .data = (unsigned char *)pem->text, .size = (unsigned)pem->len };
}

static int check_ca(const struct prb_kube_config *config,
        gnutls_certificate_credentials_t credentials, struct prb_error *err)
{
    prb_auto(pem_done) struct pem ca = { .text = NULL };
    gnutls_datum_t datum;
    int r;

    if (!config->ca_data && !config->ca_file)
        return 0;
    r = read_pem(
            config->ca_data, config->ca_file, "certificate-authority", config->source, &ca, err);
    if (r < 0)
        return r;

    datum = datum_of(&ca);
    r = gnutls_certificate_set_x509_trust_mem(credentials, &datum, GNUTLS_X509_FMT_PEM);
    if (r <= 0)
        return prb_fail(err, PRB_E_INVALID, "%s: no certificate in it%s%s", ca.name,
                r < 0 ? ": " : "", r < 0 ? gnutls_strerror(r) : "");
    return 0;
}

static int fail_pair(
        const struct pem *cert, const struct pem *key, int number, struct prb_error *err)
{
    if (number == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
        return prb_fail(
                err, PRB_E_INVALID, "%s: the key does not belong to %s", key->name, cert->name);
    if (number == GNUTLS_E_DECRYPTION_FAILED)
        return prb_fail(err, PRB_E_INVALID,
                "%s: the key is encrypted, which is not supported: store it without a passphrase",
                key->name);
    return prb_fail(
            err, PRB_E_INVALID, "%s with %s: %s", cert->name, key->name, gnutls_strerror(number));
}

static int check_pair(const struct prb_kube_config *config,
        gnutls_certificate_credentials_t credentials, struct prb_error *err)
{
    prb_auto(pem_done) struct pem cert = { .text = NULL };
    prb_auto(pem_done) struct pem key = { .text = NULL };
    gnutls_datum_t cert_datum, key_datum;
    int r;

    if (!config->cert_data && !config->cert_file)
        return 0;
    r = read_pem(
            config->cert_data, config->cert_file, "client-certificate", config->source, &cert, err);
    if (r == 0)
        r = read_pem(config->key_data, config->key_file, "client-key", config->source, &key, err);
    if (r < 0)
        return r;

    cert_datum = datum_of(&cert);
    key_datum = datum_of(&key);
    r = gnutls_certificate_set_x509_key_mem(
            credentials, &cert_datum, &key_datum, GNUTLS_X509_FMT_PEM);
    return r < 0 ? fail_pair(&cert, &key, r, err) : 0;
}

int prb_kube_credentials_check(const struct prb_kube_config *config, struct prb_error *err)
{
    prb_auto(credentials_free) gnutls_certificate_credentials_t credentials = NULL;
    bool has_cert = config->cert_data || config->cert_file;
    bool has_key = config->key_data || config->key_file;
    int r;

    if (has_cert != has_key)
        return prb_fail(err, PRB_E_INVALID, "%s: the user has a %s without a %s", config->source,
                has_cert ? "client-certificate" : "client-key",
                has_cert ? "client-key" : "client-certificate");
    if (gnutls_certificate_allocate_credentials(&credentials) < 0)
        return prb_fail(err, PRB_E_INTERNAL, "GnuTLS has no memory for credentials");

    r = check_ca(config, credentials, err);
    return r < 0 ? r : check_pair(config, credentials, err);
}

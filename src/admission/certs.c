/* Which certificates does a webhook need, and for how long are they good? */

#include "probate/admission/certs.h"

#include <stdlib.h>
#include <string.h>

#include "probate/base/mem.h"

#include "certs_sign.h"

#define DAY_S INT64_C(86400)

static void free_key(char *pem)
{
    if (pem)
        gnutls_memset(pem, 0, strlen(pem));
    free(pem);
}

void prb_certs_done(struct prb_certs *certs)
{
    free(certs->ca_cert);
    free_key(certs->ca_key);
    free(certs->cert);
    free_key(certs->key);
    *certs = (struct prb_certs){ 0 };
}

static int check_names(const struct prb_certs_options *options, struct prb_error *err)
{
    if (options->count == 0)
        return prb_fail(err, PRB_E_INVALID, "a serving certificate needs a name");
    for (size_t i = 0; i < options->count; i++) {
        if (!prb_certificate_name_ok(options->names[i]))
            return prb_fail(err, PRB_E_INVALID, "\"%s\" is neither a DNS name nor an IP address",
                    options->names[i]);
    }
    return 0;
}

static int check_ca(gnutls_x509_crt_t crt, int64_t now_s, struct prb_error *err)
{
    unsigned critical, usage;

    if (gnutls_x509_crt_get_ca_status(crt, &critical) <= 0)
        return prb_fail(err, PRB_E_INVALID, "it is not the certificate of a CA");
    if (gnutls_x509_crt_get_key_usage(crt, &usage, &critical) >= 0 &&
            !(usage & GNUTLS_KEY_KEY_CERT_SIGN))
        return prb_fail(err, PRB_E_INVALID, "it may not sign certificates");
    if (gnutls_x509_crt_get_expiration_time(crt) <= now_s)
        return prb_fail(err, PRB_E_INVALID, "it has expired");
    if (gnutls_x509_crt_get_activation_time(crt) > now_s)
        return prb_fail(err, PRB_E_INVALID, "it is not valid yet");
    return 0;
}

static int get_ca(
        const struct prb_certs_options *options, struct prb_signed *ret, struct prb_error *err)
{
    prb_auto(prb_signed_done) struct prb_signed ca = { 0 };
    int64_t now_s = options->now_ms / 1000;
    const struct prb_certificate new_ca = { .from_s = now_s - PRB_CERTS_BEFORE_S,
        .until_s = now_s + (options->ca_days ? options->ca_days : PRB_CERTS_CA_DAYS) * DAY_S };

    if (!options->ca_cert)
        return prb_signed_make(&new_ca, NULL, ret, err);
    if (prb_signed_read(options->ca_cert, options->ca_key, &ca, err) < 0 ||
            check_ca(ca.crt, now_s, err) < 0)
        return prb_wrap(err, "the CA");
    *ret = ca;
    ca = (struct prb_signed){ 0 };
    return 0;
}

/* Signed by `ca`, and no longer valid than it. */
static int make_leaf(const struct prb_certs_options *options, const struct prb_signed *ca,
        struct prb_signed *ret, struct prb_error *err)
{
    int64_t now_s = options->now_ms / 1000;
    int64_t ca_from_s = gnutls_x509_crt_get_activation_time(ca->crt);
    int64_t ca_until_s = gnutls_x509_crt_get_expiration_time(ca->crt);
    struct prb_certificate what = { .from_s = now_s - PRB_CERTS_BEFORE_S,
        .until_s = now_s + (options->leaf_days ? options->leaf_days : PRB_CERTS_LEAF_DAYS) * DAY_S,
        .names = options->names,
        .count = options->count };

    if (what.from_s < ca_from_s)
        what.from_s = ca_from_s;
    if (what.until_s > ca_until_s)
        what.until_s = ca_until_s;
    return prb_signed_make(&what, ca, ret, err);
}

int prb_certs_make(
        const struct prb_certs_options *options, struct prb_certs *ret, struct prb_error *err)
{
    prb_auto(prb_signed_done) struct prb_signed ca = { 0 };
    prb_auto(prb_signed_done) struct prb_signed leaf = { 0 };
    struct prb_certs certs = { 0 };
    int r;

    r = check_names(options, err);
    if (r == 0)
        r = get_ca(options, &ca, err);
    if (r == 0)
        r = make_leaf(options, &ca, &leaf, err);
    if (r == 0)
        r = prb_signed_write(&ca, &certs.ca_cert, &certs.ca_key, err);
    if (r == 0)
        r = prb_signed_write(&leaf, &certs.cert, &certs.key, err);
    if (r < 0) {
        prb_certs_done(&certs);
        return r;
    }
    certs.ca_expires_ms = (int64_t)gnutls_x509_crt_get_expiration_time(ca.crt) * 1000;
    certs.expires_ms = (int64_t)gnutls_x509_crt_get_expiration_time(leaf.crt) * 1000;
    *ret = certs;
    return 0;
}

char *prb_certs_bundle(const char *pem)
{
    gnutls_datum_t text = prb_datum(pem, strlen(pem));
    gnutls_datum_t encoded = { 0 };
    char *bundle;

    if (gnutls_base64_encode2(&text, &encoded) < 0)
        prb_exhausted(); /* nothing else can go wrong */
    bundle = prb_strndup((const char *)encoded.data, encoded.size);
    gnutls_free(encoded.data);
    return bundle;
}

char *prb_certs_decode(const char *base64)
{
    gnutls_datum_t text, decoded = { 0 };
    char *pem;

    if (!base64)
        return NULL;
    text = prb_datum(base64, strlen(base64));
    if (gnutls_base64_decode2(&text, &decoded) < 0)
        return NULL;
    pem = prb_strndup((const char *)decoded.data, decoded.size);
    gnutls_memset(decoded.data, 0, decoded.size); /* it may be a key */
    gnutls_free(decoded.data);
    return pem;
}

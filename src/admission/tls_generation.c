/* Can this certificate be served now? */

#include "tls_generation.h"

#include <stdlib.h>
#include <string.h>

#include <gnutls/x509.h>

#include "probate/base/clock.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "certs_sign.h"

PRB_DEFINE_CLEANUP(gnutls_x509_crt_t, gnutls_x509_crt_deinit)

struct prb_tls_generation *prb_tls_generation_ref(struct prb_tls_generation *generation)
{
    atomic_fetch_add(&generation->references, 1);
    return generation;
}

void prb_tls_generation_unref(struct prb_tls_generation *generation)
{
    if (!generation || atomic_fetch_sub(&generation->references, 1) > 1)
        return;
    if (generation->credentials)
        gnutls_certificate_free_credentials(generation->credentials);
    free(generation->chain);
    free(generation);
}

/* A parsed chain and key, on their way into credentials. */
struct pair {
    gnutls_x509_crt_t *chain; /* owned, as each of them */
    unsigned count;
    gnutls_x509_privkey_t key; /* owned */
};

static void pair_done(struct pair *pair)
{
    for (unsigned i = 0; i < pair->count; i++)
        gnutls_x509_crt_deinit(pair->chain[i]);
    gnutls_free(pair->chain);
    if (pair->key)
        gnutls_x509_privkey_deinit(pair->key);
}

static void pair_donep(struct pair *pair)
{
    pair_done(pair);
}

static int parse_pair(
        struct pair *pair, const struct prb_tls_material *material, struct prb_error *err)
{
    gnutls_datum_t cert = prb_datum(material->cert, strlen(material->cert));
    gnutls_datum_t key = prb_datum(material->key, strlen(material->key));
    int result =
            gnutls_x509_crt_list_import2(&pair->chain, &pair->count, &cert, GNUTLS_X509_FMT_PEM, 0);

    if (result < 0) {
        pair->count = 0;
        pair->chain = NULL;
        return prb_fail(err, PRB_E_INVALID, "certificate: %s", gnutls_strerror(result));
    }
    result = gnutls_x509_privkey_init(&pair->key);
    if (result >= 0)
        result = gnutls_x509_privkey_import2(pair->key, &key, GNUTLS_X509_FMT_PEM, NULL, 0);
    if (result == GNUTLS_E_REQUESTED_DATA_NOT_AVAILABLE)
        return prb_fail(err, PRB_E_INVALID, "key: there is none in PEM format");
    if (result < 0)
        return prb_fail(err, PRB_E_INVALID, "key: %s", gnutls_strerror(result));
    return 0;
}

/* The certificates alone, whatever else the text has in it. */
static int export_chain(const struct pair *pair, char **ret, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_TLS_CHAIN_MAX);
    for (unsigned i = 0; i < pair->count; i++) {
        gnutls_datum_t pem = { 0 };
        int result = gnutls_x509_crt_export2(pair->chain[i], GNUTLS_X509_FMT_PEM, &pem);

        if (result < 0)
            return prb_fail(err, PRB_E_INVALID, "certificate: %s", gnutls_strerror(result));
        prb_str_addn(&text, (const char *)pem.data, pem.size);
        gnutls_free(pem.data);
    }
    *ret = prb_str_take(&text);
    return 0;
}

/*
 * Parsed here and handed over: the one call of GnuTLS that does both leaks what it has parsed when
 * the text is broken, and a broken file may be looked at for days.
 */
static int load_pair(struct prb_tls_generation *generation, const struct prb_tls_material *material,
        struct prb_error *err)
{
    prb_auto(pair_done) struct pair pair = { 0 };
    int r = parse_pair(&pair, material, err);
    int result;

    if (r < 0)
        return r;
    result = gnutls_certificate_set_x509_key(
            generation->credentials, pair.chain, (int)pair.count, pair.key);
    if (result == GNUTLS_E_CERTIFICATE_KEY_MISMATCH)
        return prb_fail(err, PRB_E_INVALID, "the key does not belong to the certificate");
    if (result < 0)
        return prb_fail(err, PRB_E_INVALID, "certificate: %s", gnutls_strerror(result));
    return export_chain(&pair, &generation->chain, err);
}

static int load_client_ca(gnutls_certificate_credentials_t credentials,
        const struct prb_tls_material *material, struct prb_error *err)
{
    gnutls_datum_t ca;
    int count;

    if (!material->client_ca)
        return 0;
    ca = prb_datum(material->client_ca, strlen(material->client_ca));
    count = gnutls_certificate_set_x509_trust_mem(credentials, &ca, GNUTLS_X509_FMT_PEM);
    if (count < 0)
        return prb_fail(err, PRB_E_INVALID, "CA of clients: %s", gnutls_strerror(count));
    if (count == 0)
        return prb_fail(err, PRB_E_INVALID, "CA of clients: no certificate in it");
    return 0;
}

static int check_time(gnutls_x509_crt_t leaf, int64_t now_ms, struct prb_error *err)
{
    int64_t from_ms = (int64_t)gnutls_x509_crt_get_activation_time(leaf) * 1000;
    int64_t until_ms = (int64_t)gnutls_x509_crt_get_expiration_time(leaf) * 1000;
    char text[PRB_TIME_SIZE];

    if (now_ms >= until_ms) {
        prb_time_format(until_ms, text);
        return prb_fail(err, PRB_E_INVALID, "the certificate expired at %s", text);
    }
    if (now_ms < from_ms) {
        prb_time_format(from_ms, text);
        return prb_fail(err, PRB_E_INVALID, "the certificate is not valid before %s", text);
    }
    return 0;
}

static int read_leaf(struct prb_tls_generation *generation, int64_t now_ms, struct prb_error *err)
{
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t leaf = NULL;
    gnutls_datum_t der;
    int result = gnutls_certificate_get_crt_raw(generation->credentials, 0, 0, &der);

    if (result >= 0)
        result = gnutls_x509_crt_init(&leaf);
    if (result >= 0)
        result = gnutls_x509_crt_import(leaf, &der, GNUTLS_X509_FMT_DER);
    if (result < 0)
        return prb_fail(err, PRB_E_INVALID, "certificate: %s", gnutls_strerror(result));
    generation->expires_ms = (int64_t)gnutls_x509_crt_get_expiration_time(leaf) * 1000;
    return check_time(leaf, now_ms, err);
}

int prb_tls_generation_new(const struct prb_tls_material *material, int64_t now_ms,
        struct prb_tls_generation **ret, struct prb_error *err)
{
    prb_auto(prb_tls_generation_unref) struct prb_tls_generation *generation =
            prb_calloc(1, sizeof(*generation));
    int r;

    atomic_init(&generation->references, 1);
    if (gnutls_certificate_allocate_credentials(&generation->credentials) < 0) {
        generation->credentials = NULL;
        return prb_fail(err, PRB_E_INTERNAL, "could not allocate credentials");
    }
    r = load_pair(generation, material, err);
    if (r == 0)
        r = load_client_ca(generation->credentials, material, err);
    if (r == 0)
        r = read_leaf(generation, now_ms, err);
    if (r < 0)
        return r;

    generation->checks_clients = material->client_ca != NULL;
    memcpy(generation->print, material->print, sizeof(generation->print));
    *ret = prb_take(generation);
    return 0;
}

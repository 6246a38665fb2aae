/* Which certificates does the API server know a webhook by? */

#include "probate/admission/bundle.h"

#include <stdlib.h>
#include <string.h>

#include <gnutls/crypto.h>

#include "probate/admission/certs.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "certs_sign.h"

#define PEM_BEGIN "-----BEGIN CERTIFICATE-----"
#define PEM_END "-----END CERTIFICATE-----"

PRB_DEFINE_CLEANUP(gnutls_x509_crt_t, gnutls_x509_crt_deinit)

void prb_bundle_done(struct prb_bundle *bundle)
{
    for (size_t i = 0; i < bundle->count; i++)
        free(bundle->items[i].pem);
    *bundle = (struct prb_bundle){ 0 };
}

static void drop_at(struct prb_bundle *bundle, size_t index)
{
    free(bundle->items[index].pem);
    memmove(&bundle->items[index], &bundle->items[index + 1],
            (bundle->count - index - 1) * sizeof(bundle->items[0]));
    bundle->count--;
}

static void put(struct prb_bundle *bundle, struct prb_bundle_cert *cert_taken)
{
    bool has = prb_bundle_has(bundle, cert_taken->print);

    if (has || bundle->count == PRB_BUNDLE_MAX) {
        bundle->more = bundle->more || !has;
        free(cert_taken->pem);
        return;
    }
    bundle->items[bundle->count++] = *cert_taken;
}

/* One certificate, written anew: what stands around it in a text is nobody's. */
static bool describe(gnutls_x509_crt_t crt, struct prb_bundle_cert *ret)
{
    size_t size = sizeof(ret->print);
    gnutls_datum_t pem = { 0 };

    if (gnutls_x509_crt_get_fingerprint(crt, GNUTLS_DIG_SHA256, ret->print, &size) < 0 ||
            gnutls_x509_crt_export2(crt, GNUTLS_X509_FMT_PEM, &pem) < 0)
        return false;
    ret->pem = prb_strndup((const char *)pem.data, pem.size);
    ret->from_ms = (int64_t)gnutls_x509_crt_get_activation_time(crt) * 1000;
    ret->until_ms = (int64_t)gnutls_x509_crt_get_expiration_time(crt) * 1000;
    gnutls_free(pem.data);
    return true;
}

static void add_one(struct prb_bundle *bundle, const char *pem, size_t len)
{
    prb_auto(gnutls_x509_crt_deinit) gnutls_x509_crt_t crt = NULL;
    gnutls_datum_t text = prb_datum(pem, len);
    struct prb_bundle_cert cert;

    if (gnutls_x509_crt_init(&crt) >= 0 &&
            gnutls_x509_crt_import(crt, &text, GNUTLS_X509_FMT_PEM) >= 0 && describe(crt, &cert))
        put(bundle, &cert);
}

/* Certificate by certificate: one that is broken must not take the others with it. */
void prb_bundle_add(struct prb_bundle *bundle, const char *pem)
{
    const char *end;

    if (!pem)
        return;
    if (strlen(pem) > PRB_BUNDLE_SIZE_MAX) {
        bundle->more = true;
        return;
    }
    while ((pem = strstr(pem, PEM_BEGIN)) && (end = strstr(pem, PEM_END))) {
        end += strlen(PEM_END);
        add_one(bundle, pem, (size_t)(end - pem));
        pem = end;
    }
}

void prb_bundle_add_encoded(struct prb_bundle *bundle, const char *base64)
{
    prb_autofree char *pem = prb_certs_decode(base64);

    prb_bundle_add(bundle, pem);
}

void prb_bundle_unite(struct prb_bundle *bundle, const struct prb_bundle *other)
{
    for (size_t i = 0; i < other->count; i++) {
        struct prb_bundle_cert cert = other->items[i];

        cert.pem = prb_strdup(cert.pem);
        put(bundle, &cert);
    }
    bundle->more = bundle->more || other->more;
}

void prb_bundle_intersect(struct prb_bundle *bundle, const struct prb_bundle *other)
{
    for (size_t i = bundle->count; i > 0; i--) {
        if (!prb_bundle_has(other, bundle->items[i - 1].print))
            drop_at(bundle, i - 1);
    }
}

void prb_bundle_drop_expired(struct prb_bundle *bundle, int64_t now_ms)
{
    for (size_t i = bundle->count; i > 0; i--) {
        if (bundle->items[i - 1].until_ms <= now_ms)
            drop_at(bundle, i - 1);
    }
}

void prb_bundle_drop_older(struct prb_bundle *bundle, int64_t from_ms)
{
    for (size_t i = bundle->count; i > 0; i--) {
        if (bundle->items[i - 1].from_ms < from_ms)
            drop_at(bundle, i - 1);
    }
}

bool prb_bundle_has(const struct prb_bundle *bundle, const unsigned char print[PRB_CERT_PRINT_SIZE])
{
    for (size_t i = 0; i < bundle->count; i++) {
        if (memcmp(bundle->items[i].print, print, PRB_CERT_PRINT_SIZE) == 0)
            return true;
    }
    return false;
}

bool prb_bundle_equal(const struct prb_bundle *a, const struct prb_bundle *b)
{
    for (size_t i = 0; i < a->count; i++) {
        if (!prb_bundle_has(b, a->items[i].print))
            return false;
    }
    return a->count == b->count; /* each is in there once */
}

char *prb_bundle_text(const struct prb_bundle *bundle)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_BUNDLE_MAX * PRB_BUNDLE_SIZE_MAX);
    for (size_t i = 0; i < bundle->count; i++)
        prb_str_add(&text, bundle->items[i].pem);
    return prb_str_take(&text);
}

char *prb_bundle_encoded(const struct prb_bundle *bundle)
{
    prb_autofree char *text = prb_bundle_text(bundle);

    return prb_certs_bundle(text);
}

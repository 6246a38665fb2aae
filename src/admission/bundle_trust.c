/* Does the API server trust what is served, and for how long? */

#include <string.h>

#include "probate/admission/bundle.h"
#include "probate/base/cleanup.h"

#include "certs_sign.h"

/* Two intermediates are rare, more than that is nobody's. */
#define CHAIN_MAX 8

struct chain {
    gnutls_x509_crt_t *items; /* owned, as each of them; the leaf comes first */
    unsigned count;
};

static void chain_donep(struct chain *chain)
{
    for (unsigned i = 0; i < chain->count; i++)
        gnutls_x509_crt_deinit(chain->items[i]);
    gnutls_free(chain->items);
}

static bool read_chain(const char *pem, struct chain *ret)
{
    gnutls_datum_t text = prb_datum(pem, strlen(pem));
    gnutls_x509_crt_t *items;
    unsigned count;

    if (gnutls_x509_crt_list_import2(&items, &count, &text, GNUTLS_X509_FMT_PEM, 0) < 0)
        return false;
    *ret = (struct chain){ .items = items, .count = count };
    return count > 0 && count <= CHAIN_MAX;
}

static int64_t until_ms_of(gnutls_x509_crt_t crt)
{
    return (int64_t)gnutls_x509_crt_get_expiration_time(crt) * 1000;
}

/*
 * One CA at a time: several may have the same name. Whether it is time for these certificates is
 * the caller's question. A bundle may hold the leaf itself, which Go then trusts.
 */
static bool vouches(gnutls_x509_crt_t ca, const struct chain *chain)
{
    unsigned status = 0;

    return gnutls_x509_crt_equals(ca, chain->items[0]) ||
           (gnutls_x509_crt_list_verify(chain->items, (int)chain->count, &ca, 1, NULL, 0,
                    GNUTLS_VERIFY_DISABLE_TIME_CHECKS, &status) >= 0 &&
                   status == 0);
}

static int64_t trusted_by(const struct prb_bundle_cert *cert, const struct chain *chain)
{
    struct chain ca __attribute__((cleanup(chain_donep))) = { 0 };
    int64_t until_ms = until_ms_of(chain->items[0]);

    if (!read_chain(cert->pem, &ca) || !vouches(ca.items[0], chain))
        return 0;
    return cert->until_ms < until_ms ? cert->until_ms : until_ms;
}

int64_t prb_bundle_trusts_until(const struct prb_bundle *bundle, const char *chain_pem)
{
    struct chain chain __attribute__((cleanup(chain_donep))) = { 0 };
    int64_t last_ms = 0;

    if (!read_chain(chain_pem, &chain))
        return 0;
    for (size_t i = 0; i < bundle->count; i++) {
        int64_t until_ms = trusted_by(&bundle->items[i], &chain);

        last_ms = until_ms > last_ms ? until_ms : last_ms;
    }
    return last_ms;
}

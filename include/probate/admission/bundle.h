#ifndef PROBATE_ADMISSION_BUNDLE_H
#define PROBATE_ADMISSION_BUNDLE_H

/*
 * The certificates by which the API server knows a webhook: a set, in the order they came, each
 * once. A plain value of the caller's; not thread-safe.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/error.h"

/* Two CAs are trusted during a rotation, and a few that repairs of a broken Secret left behind; but
 * somebody may bring the trust store of a whole system, which has about 150. Past it what comes
 * later is left out, and the bundle says so. */
#define PRB_BUNDLE_MAX 256

/* Bytes of a caBundle that are looked at: a Secret or ConfigMap it may come from holds no more. */
#define PRB_BUNDLE_SIZE_MAX ((size_t)1024 * 1024)

#define PRB_CERT_PRINT_SIZE 32 /* SHA-256 of the certificate */

struct prb_bundle_cert {
    char *pem; /* owned */
    unsigned char print[PRB_CERT_PRINT_SIZE];
    int64_t from_ms, until_ms; /* wall */
};

struct prb_bundle {
    struct prb_bundle_cert items[PRB_BUNDLE_MAX];
    size_t count;
    bool more; /* there was what did not fit in */
};

void prb_bundle_done(struct prb_bundle *bundle); /* empty afterwards, and usable */
static inline void prb_bundle_donep(struct prb_bundle *bundle)
{
    prb_bundle_done(bundle);
}

/* Add what is readable of a PEM text (NULL is fine); what is not is passed over. */
void prb_bundle_add(struct prb_bundle *bundle, const char *pem);

/* The same for a caBundle: base64 of such a text. */
void prb_bundle_add_encoded(struct prb_bundle *bundle, const char *base64);

/* Add all of another, which may have been too long itself, or leave in only what the other has too.
 */
void prb_bundle_unite(struct prb_bundle *bundle, const struct prb_bundle *other);
void prb_bundle_intersect(struct prb_bundle *bundle, const struct prb_bundle *other);

/* Leave out what is no longer valid at `now_ms`, or what is older than of `from_ms`. */
void prb_bundle_drop_expired(struct prb_bundle *bundle, int64_t now_ms);
void prb_bundle_drop_older(struct prb_bundle *bundle, int64_t from_ms);

bool prb_bundle_has(
        const struct prb_bundle *bundle, const unsigned char print[PRB_CERT_PRINT_SIZE]);

/* Are the same certificates in both, in whatever order? */
bool prb_bundle_equal(const struct prb_bundle *a, const struct prb_bundle *b);

/* As PEM, and as a caBundle: base64 on one line. The caller frees. */
char *prb_bundle_text(const struct prb_bundle *bundle);
char *prb_bundle_encoded(const struct prb_bundle *bundle);

/*
 * Until when the API server trusts the first certificate of `chain_pem` by this bundle, if it does:
 * the end of the leaf or of the CA that vouches for it, whichever comes first; of several CAs the
 * one that lasts longest counts. 0: it does not, or the text cannot be read.
 */
int64_t prb_bundle_trusts_until(const struct prb_bundle *bundle, const char *chain_pem);

#endif

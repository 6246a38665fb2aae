#ifndef PROBATE_SRC_ADMISSION_CERTS_SIGN_H
#define PROBATE_SRC_ADMISSION_CERTS_SIGN_H

/* A certificate and its key as GnuTLS has them: made, signed, read and written. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <gnutls/x509.h>

#include "probate/base/error.h"

/* Bytes for GnuTLS to read; it never writes to them, but does not say so. */
static inline gnutls_datum_t prb_datum(const char *bytes, size_t len)
{
    gnutls_datum_t datum = { .size = (unsigned)len };

    memcpy(&datum.data, &bytes, sizeof(bytes));
    return datum;
}

struct prb_signed {
    gnutls_x509_crt_t crt; /* owned, as the key; NULL: none yet */
    gnutls_x509_privkey_t key;
};

void prb_signed_done(struct prb_signed *pair);
static inline void prb_signed_donep(struct prb_signed *pair)
{
    prb_signed_done(pair);
}

/* What a certificate is to say. */
struct prb_certificate {
    int64_t from_s; /* Unix time */
    int64_t until_s;
    const char *const *names; /* subject alternative names; NULL: it is a CA */
    size_t count;
};

/* Is it a DNS name (with a wildcard as its first label at most) or a numeric IP address? */
bool prb_certificate_name_ok(const char *name);

/* A new key, and its certificate signed by `issuer`; NULL: by itself. */
int prb_signed_make(const struct prb_certificate *what, const struct prb_signed *issuer,
        struct prb_signed *ret, struct prb_error *err);

/* Read PEM texts; INVALID when they are none or do not belong together. */
int prb_signed_read(
        const char *cert, const char *key, struct prb_signed *ret, struct prb_error *err);

/* Write PEM texts, which the caller frees. */
int prb_signed_write(
        const struct prb_signed *pair, char **ret_cert, char **ret_key, struct prb_error *err);

#endif

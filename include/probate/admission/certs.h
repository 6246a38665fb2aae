#ifndef PROBATE_ADMISSION_CERTS_H
#define PROBATE_ADMISSION_CERTS_H

/* Makes a CA and a serving certificate (ECDSA P-256) in memory. */

#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"

struct prb_certs {
    char *ca_cert; /* PEM, owned, as all here */
    char *ca_key;
    char *cert; /* the leaf; the CA's certificate follows it */
    char *key;
};

void prb_certs_done(struct prb_certs *certs);
static inline void prb_certs_donep(struct prb_certs *certs)
{
    prb_certs_done(certs);
}

struct prb_certs_options {
    const char *const *names; /* DNS names and IP addresses: subject alternative names */
    size_t count;
    int64_t now_ms;      /* wall; valid from five minutes before */
    int ca_days;         /* 0: 3650 */
    int leaf_days;       /* 0: 365 */
    const char *ca_cert; /* PEM of a CA to sign with; NULL: a new one is made */
    const char *ca_key;
};

int prb_certs_make(
        const struct prb_certs_options *options, struct prb_certs *ret, struct prb_error *err);

#endif

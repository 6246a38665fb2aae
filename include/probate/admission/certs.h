#ifndef PROBATE_ADMISSION_CERTS_H
#define PROBATE_ADMISSION_CERTS_H

/*
 * Makes a certificate authority (CA) and a serving certificate, both ECDSA P-256, in memory. Pure
 * but for random numbers.
 */

#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"

/* Long-lived: every caBundle that holds it has to change with it. */
#define PRB_CERTS_CA_DAYS 3650

#define PRB_CERTS_LEAF_DAYS 365

/* Valid from so long before now, for machines whose clock is behind. */
#define PRB_CERTS_BEFORE_S 300

struct prb_certs {
    char *ca_cert; /* PEM, owned, as all here */
    char *ca_key;
    char *cert; /* the leaf alone: who verifies it has the CA already */
    char *key;
    int64_t ca_expires_ms; /* wall */
    int64_t expires_ms;    /* the leaf; never later than the CA */
};

void prb_certs_done(struct prb_certs *certs);
static inline void prb_certs_donep(struct prb_certs *certs)
{
    prb_certs_done(certs);
}

struct prb_certs_options {
    const char *const *names; /* DNS names and IP addresses: subject alternative names */
    size_t count;
    int64_t now_ms;      /* wall */
    int ca_days;         /* 0: PRB_CERTS_CA_DAYS */
    int leaf_days;       /* 0: PRB_CERTS_LEAF_DAYS */
    const char *ca_cert; /* PEM of a CA to sign with; NULL: a new one is made */
    const char *ca_key;
};

/*
 * INVALID when there is no name, a name is neither a DNS name nor an IP address, or the CA given
 * cannot sign (broken, expired, no CA, or not its key).
 */
int prb_certs_make(
        const struct prb_certs_options *options, struct prb_certs *ret, struct prb_error *err);

/* A PEM text as a caBundle: base64 on one line. The caller frees. */
char *prb_certs_bundle(const char *pem);

/* Its reverse, also for base64 on several lines; NULL: it is none (NULL is none). The caller frees.
 */
char *prb_certs_decode(const char *base64);

#endif

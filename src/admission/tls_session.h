#ifndef PROBATE_SRC_ADMISSION_TLS_SESSION_H
#define PROBATE_SRC_ADMISSION_TLS_SESSION_H

/* What one TLS connection needs of the certificates: from before its handshake to its end. */

#include "probate/admission/tls.h"

#include "tls_generation.h"

/*
 * TLS 1.2 and 1.3 with forward secrecy and authenticated ciphers only. Go and curl offer all of
 * them; the certificate may be ECDSA or RSA.
 */
#define PRB_TLS_PRIORITIES                                      \
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:"               \
    "-CIPHER-ALL:+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:" \
    "-RSA:-DHE-RSA"

/* The one to begin a connection with; the caller ends with prb_tls_generation_unref. */
struct prb_tls_generation *prb_tls_current(struct prb_tls *tls);

/* Before the handshake: serve this generation, and ask the client for a certificate if needed. */
int prb_tls_session_begin(struct prb_tls_generation *generation, gnutls_session_t session);

/*
 * After the handshake: may this client speak? FORBIDDEN with a text that says what is wrong with
 * its certificate.
 */
int prb_tls_session_check(const struct prb_tls *tls, const struct prb_tls_generation *generation,
        gnutls_session_t session, struct prb_error *err);

#endif

#ifndef PROBATE_TESTS_HANDSHAKE_H
#define PROBATE_TESTS_HANDSHAKE_H

/* One handshake between the TLS of Probate and a client, over a pair of sockets, on one thread. */

#include <gnutls/gnutls.h>

#include "cert_files.h"
#include "tls_session.h"

struct handshake {
    bool done;                     /* both sides are content */
    char serial[SERIAL_TEXT_SIZE]; /* of the leaf the client saw */
    int allowed;                   /* what prb_tls_session_check says */
    struct prb_error err;          /* why not */
    gnutls_protocol_t version;
};

/* `generation` NULL: the current one; `priorities` NULL: the usual ones of a client. */
struct handshake shake_hands(struct prb_tls *tls, struct prb_tls_generation *generation,
        gnutls_certificate_credentials_t client, const char *priorities);

#endif

/* Which certificate does a client see, and what is thought of its own? */

#include "handshake.h"

#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include <gnutls/x509.h>

static gnutls_session_t new_session(
        unsigned role, int fd, const char *priorities, gnutls_certificate_credentials_t own)
{
    gnutls_session_t session;

    if (gnutls_init(&session, role | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0)
        return NULL;
    if (gnutls_priority_set_direct(session, priorities, NULL) < 0)
        (void)fprintf(stderr, "bad priorities: %s\n", priorities);
    gnutls_transport_set_int(session, fd);
    if (own)
        (void)gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, own);
    return session;
}

/* Let both sides go on until neither wants more. */
static bool run(gnutls_session_t server, gnutls_session_t client)
{
    int ours = GNUTLS_E_AGAIN, theirs = GNUTLS_E_AGAIN;

    while (ours != 0 || theirs != 0) {
        if (theirs != 0)
            theirs = gnutls_handshake(client);
        if (ours != 0)
            ours = gnutls_handshake(server);
        if (gnutls_error_is_fatal(ours) || gnutls_error_is_fatal(theirs))
            return false;
    }
    return true;
}

static void read_serial(gnutls_session_t client, char text[SERIAL_TEXT_SIZE])
{
    unsigned count;
    const gnutls_datum_t *chain = gnutls_certificate_get_peers(client, &count);
    gnutls_datum_t pem;

    if (!chain || gnutls_pem_base64_encode2("CERTIFICATE", &chain[0], &pem) < 0)
        return;
    serial_of_pem((const char *)pem.data, text);
    gnutls_free(pem.data);
}

struct handshake shake_hands(struct prb_tls *tls, struct prb_tls_generation *generation,
        gnutls_certificate_credentials_t client, const char *priorities)
{
    struct handshake result = { 0 };
    struct prb_tls_generation *own =
            generation ? prb_tls_generation_ref(generation) : prb_tls_current(tls);
    gnutls_session_t ours, theirs;
    int fds[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) != 0)
        return result;
    ours = new_session(GNUTLS_SERVER, fds[0], PRB_TLS_PRIORITIES, NULL);
    theirs = new_session(GNUTLS_CLIENT, fds[1], priorities ? priorities : "NORMAL", client);
    gnutls_session_set_verify_cert(theirs, "localhost", 0);
    if (prb_tls_session_begin(own, ours) == 0 && run(ours, theirs)) {
        result.done = true;
        result.version = gnutls_protocol_get_version(theirs);
        result.allowed = prb_tls_session_check(tls, own, ours, &result.err);
        read_serial(theirs, result.serial);
    }
    gnutls_deinit(ours);
    gnutls_deinit(theirs);
    (void)close(fds[0]);
    (void)close(fds[1]);
    prb_tls_generation_unref(own);
    return result;
}

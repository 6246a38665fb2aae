#ifndef PROBATE_TESTS_CALLERS_H
#define PROBATE_TESTS_CALLERS_H

/*
 * Clients that call an admission server again and again, each on a thread of its own, as the API
 * server does: a connection is used until an answer says Connection: close, or for so many calls.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <gnutls/gnutls.h>

#define CALLERS_MAX 16

struct callers {
    uint16_t port;
    gnutls_certificate_credentials_t credentials; /* borrowed */
    unsigned count;                               /* of threads */
    unsigned calls_per_connection;                /* 0: as many as the server lets it have */

    /* Told of each new connection, on the thread of its caller; NULL: nobody. */
    void (*connected)(void *ctx, gnutls_session_t session);
    void *ctx;

    /* Filled in: */
    atomic_uint calls;
    atomic_uint failures; /* calls without the right answer, and connections that failed */
    atomic_uint handshakes;
    atomic_bool over; /* internal, as all below */
    unsigned long threads[CALLERS_MAX];
};

void callers_start(struct callers *callers);

/* Lets each finish its call. */
void callers_stop(struct callers *callers);

#endif

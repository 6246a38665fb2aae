#ifndef PROBATE_KUBE_RETRY_H
#define PROBATE_KUBE_RETRY_H

/* Whether and when a failed attempt may be repeated. Pure. */

#include "rest.h"

/*
 * Attempts at connecting, with pauses of 100, 200 and 400 ms between them: enough for a load
 * balancer to take a dying API server out, short enough for a person who mistyped a port.
 */
#define PRB_KUBE_CONNECT_TRIES 4
#define PRB_KUBE_CONNECT_PAUSE_MS 100

/* Times a call is put off by the server before its caller is told; as client-go has it. */
#define PRB_KUBE_DEFER_TRIES 10

struct prb_kube_tries {
    int connect; /* failed attempts of which nothing was sent */
    int defer;   /* answers with Retry-After */
    bool token;  /* a newer token was tried */
};

/*
 * Milliseconds to wait before the next attempt; -1: none. Counts in `tries`. A 401 is not judged
 * here: it depends on the token.
 */
int64_t prb_kube_retry_wait(
        struct prb_kube_tries *tries, const struct prb_kube_answer *answer, enum prb_errc code);

#endif

#ifndef PROBATE_ADMISSION_SERVER_H
#define PROBATE_ADMISSION_SERVER_H

/*
 * The HTTPS admission server: POST /validate, HTTP/1.1 keep-alive over TLS >= 1.2, libmicrohttpd
 * with epoll and a thread pool. A review that waits for live answers is suspended and delays no
 * other.
 *
 * A review that can be read is answered 200, whatever the verdict. Everything else is answered
 * with a metav1.Status: 400 no review, 403 client certificate, 404 and 405 (with Allow) elsewhere,
 * 413 more to be built of one review than there is memory for, 415 no JSON, 503 with Retry-After
 * and Connection: close when there is too much to do. The API server repeats such a call, on
 * another connection, within its deadline.
 *
 * Each connection is closed when it takes too long over one thing: the handshake and the headers of
 * its first request together, later headers once their first byte is there, the body, or taking the
 * answer. Between requests it may be idle.
 *
 * When all connections are taken, a new one takes the place of another, in this order: one that has
 * not been used yet, one on which no review was answered, one that is idle for longer than the API
 * server keeps it. The one that waits longest goes first. All others stay, since a POST that meets
 * a closing connection is not repeated; if there are only such ones, the new one is answered 503.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/admission/tls.h"
#include "probate/base/cleanup.h"

/* From the accepted connection to the headers of its first request, the handshake included. The API
 * server connects when it has something to ask, and a handshake takes milliseconds. A connection
 * that it opened and then did not need stays in its pool, where it sees that we close it. */
#define PRB_SERVER_FIRST_MS 5000

/* From the first byte of a request to the last of its headers, which are some 500 bytes. */
#define PRB_SERVER_HEADER_MS 10000

/* From there to the last byte of the body, which has no other bound: 20 MiB, what the API server
 * can make of an object at the usual limit of etcd, old and new, at 2 MiB/s. */
#define PRB_SERVER_BODY_MS 10000

/* For the client to take the answer, which is some KB. */
#define PRB_SERVER_ANSWER_MS 10000

/* Above the 90 s for which the API server keeps an idle connection. It must be the one to close
 * it: a POST that meets a closing connection is not repeated. */
#define PRB_SERVER_IDLE_MS 120000

/* The API server closes a connection that was idle for so long. One that is still there afterwards
 * is not one of its pool, and may be closed for another. */
#define PRB_SERVER_POOLED_MS 90000

/* After so long the next answer asks for a new connection. It may lead to another replica: else
 * the first one to be there would keep all the load. */
#define PRB_SERVER_AGE_MS 600000

/* An API server has as many connections as requests under way, and 25 idle ones. With the spare
 * ones and all other files this stays below 1024 descriptors, the usual limit of a process. */
#define PRB_SERVER_CONNECTIONS_MAX 512

/* Reviews being read or judged; those that wait for answers do not count. At 5 ms for the largest
 * works and two threads, the last of them is answered within 0.7 s. */
#define PRB_SERVER_IN_FLIGHT_MAX 256

/* When there are as many, a new connection that takes longer than this over its first body goes
 * instead of another review: 8 MiB at 64 Mbit/s, where an API server has a thousand and more. */
#define PRB_SERVER_SLOW_BODY_MS 1000

/* Memory for what is built of all reviews at once, in bytes: the largest review there is and half
 * as much beside it, or thousands of the usual size, which build some 10 KB. */
#define PRB_SERVER_BUILT_MAX (PRB_REVIEW_BUILT_MAX / 2 * 3)

/* What a review may take when the caller does not say: the API server's own default. */
#define PRB_SERVER_TIMEOUT_MS 10000

/* The most that a registration can ask for. */
#define PRB_SERVER_TIMEOUT_MAX_MS 30000

/* Taken off, for the way back and for the part of a second by which the API server rounds up what
 * is left; but never more than half. */
#define PRB_SERVER_MARGIN_MS 500

/* Told of every verdict, on a server thread; must not block. `us`: microseconds it took. */
typedef void (*prb_decided_fn)(void *ctx, const struct prb_request *request,
        const struct prb_verdict *verdict, int64_t us);

struct prb_server_options {
    const char *host;    /* numeric; "": every interface */
    uint16_t port;       /* 0: any free one */
    struct prb_tls *tls; /* borrowed, as all pointers here */
    const struct prb_engine *engine;
    const struct prb_review_reader *reader;
    struct prb_asker *asker;
    prb_decided_fn decided; /* NULL: nobody wants to know */
    void *ctx;
    int threads;              /* 0: two per processor that can be used; at least 2 */
    unsigned connections_max; /* 0, as below: the default above; tests make these small */
    unsigned in_flight_max;
    size_t built_max;
    int64_t first_ms, header_ms, body_ms, answer_ms, idle_ms, pooled_ms, age_ms;
};

struct prb_server;

/* INVALID when the address cannot be had. */
int prb_server_start(
        const struct prb_server_options *options, struct prb_server **ret, struct prb_error *err);

uint16_t prb_server_port(const struct prb_server *server);

/* From now on every answer says `Connection: close`; new connections are still served. */
void prb_server_drain(struct prb_server *server);

/*
 * Take in who has connected already and nobody else, answer what is in flight (for at most
 * `finish_ms`), let idle connections end, stop. What still waits for answers then is handed back
 * by prb_asker_stop and answered as unverified. NULL is fine.
 */
void prb_server_stop(struct prb_server *server, int64_t finish_ms);

/* Requests being worked on now. */
unsigned prb_server_in_flight(const struct prb_server *server);

#endif

#ifndef PROBATE_ADMISSION_SERVER_H
#define PROBATE_ADMISSION_SERVER_H

/*
 * The HTTPS admission server: POST /validate, HTTP/1.1 keep-alive over TLS >= 1.2, libmicrohttpd
 * with epoll and a thread pool. A review that waits for live answers is suspended and delays no
 * other. See DESIGN's admission contract; each bound below is a named constant.
 */

#include <stdint.h>

#include "probate/admission/engine.h"
#include "probate/admission/review.h"
#include "probate/admission/tls.h"
#include "probate/base/cleanup.h"

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
    bool (*ready)(void *ctx); /* caches synced? otherwise reviews are answered 503 */
    prb_decided_fn decided;
    void *ctx;
    int threads;              /* 0: two per processor, at least 2 */
    unsigned connections_max; /* soft limit; 0: default; tests make these small */
    unsigned in_flight_max;
    int64_t handshake_ms, header_ms, body_ms, idle_ms;
};

struct prb_server;

int prb_server_start(
        const struct prb_server_options *options, struct prb_server **ret, struct prb_error *err);

uint16_t prb_server_port(const struct prb_server *server);

/* From now on every answer says `Connection: close`; new connections are still served. */
void prb_server_drain(struct prb_server *server);

/*
 * Stop accepting, finish what is in flight (at most `finish_ms`), close idle connections, end.
 * NULL is fine.
 */
void prb_server_stop(struct prb_server *server, int64_t finish_ms);

/* Requests being worked on now. */
unsigned prb_server_in_flight(const struct prb_server *server);

#endif

#ifndef PROBATE_ADMISSION_OPS_H
#define PROBATE_ADMISSION_OPS_H

/*
 * The ops port: plain HTTP for probes, metrics and people. GET and HEAD of
 *
 *     /         what there is
 *     /healthz  the process runs
 *     /readyz   it may be given work; `?verbose` lists each check with its reason
 *     /metrics  Prometheus text format 0.0.4
 *     /waiting  every deletion that waits, what for and since when; `?output=json` as an array
 *
 * One thread serves all connections, a second one closes those that are past their deadline.
 * Nothing here changes anything, and request bodies are refused.
 */

#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/clock.h"
#include "probate/base/error.h"
#include "probate/model/ref.h"

/* Served at once: a few probes, a scraper, a few people. Nobody is refused: a new connection takes
 * the place of the one that was not used yet or is idle for the longest time, and of one that takes
 * its answer if there is no other. A GET that meets a closing connection is repeated. */
#define PRB_OPS_CONNECTIONS_MAX 48

/* From the accepted connection to its first request. A kubelet gives up on a probe after seconds.
 */
#define PRB_OPS_FIRST_MS 5000

/* From the headers of a request to the last byte of the answer. A scraper gives up after ten. */
#define PRB_OPS_REQUEST_MS 10000

/* A kept connection may be idle this long: a person's browser asks for several pages in it. A
 * request that follows must be whole within the same time: it cannot be told from idleness. */
#define PRB_OPS_IDLE_MS 5000

enum prb_ops_state {
    PRB_OPS_OK,
    PRB_OPS_FAILED, /* not ready while it is so */
    PRB_OPS_INFO,   /* for people; readiness does not depend on it */
};

struct prb_ops_check {
    const char *name;
    enum prb_ops_state state;
    const char *detail; /* one line */
};
typedef void (*prb_ops_check_fn)(void *sink, const struct prb_ops_check *check);

struct prb_ops_wait {
    const char *controller;
    const struct prb_ref *ref;
    const char *waits_for;
    int64_t since_ms; /* wall: since when it says so; 0: not known */
};
typedef void (*prb_ops_wait_fn)(void *sink, const struct prb_ops_wait *wait);

/*
 * Where the answers come from. Called on the server's thread for one request at a time; must
 * return soon. All texts are borrowed during the call of `each` only.
 */
struct prb_ops_source {
    void (*each_check)(void *ctx, prb_ops_check_fn each, void *sink);
    void (*each_wait)(void *ctx, prb_ops_wait_fn each, void *sink);
    void *ctx;                     /* borrowed */
    const struct prb_clock *clock; /* NULL: the system's */
};

struct prb_ops_options {
    const char *host; /* numeric; "": every interface, IPv6 and IPv4 */
    uint16_t port;    /* 0: any free one, see prb_ops_port */
    struct prb_ops_source source;
    unsigned connections_max; /* 0: PRB_OPS_CONNECTIONS_MAX; tests make these small */
    int64_t first_ms;         /* 0: PRB_OPS_FIRST_MS */
    int64_t request_ms;       /* 0: PRB_OPS_REQUEST_MS */
    int64_t idle_ms;          /* 0: PRB_OPS_IDLE_MS */
};

struct prb_ops;

/* INVALID when the address cannot be had (in use, not of this machine, not allowed). */
int prb_ops_start(
        const struct prb_ops_options *options, struct prb_ops **ret, struct prb_error *err);

/* Closes every connection and ends both threads; no callback runs after it. NULL is fine. */
void prb_ops_stop(struct prb_ops *ops);
PRB_DEFINE_CLEANUP(struct prb_ops *, prb_ops_stop)

/* Where it listens. */
uint16_t prb_ops_port(const struct prb_ops *ops);

#endif

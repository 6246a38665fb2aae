#ifndef TESTS_SUPPORT_FAULT_CONNECTION_H
#define TESTS_SUPPORT_FAULT_CONNECTION_H

/* One client's connection to the fault proxy, with a thread and an upstream connection of its own.
 * Internal to the proxy. */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "support/fault_jitter.h"
#include "support/fault_log.h"
#include "support/fault_rules.h"
#include "support/fault_upstream.h"
#include "support/http_message.h"
#include "support/tls_stream.h"

/* What all connections of a proxy have in common. */
struct prb_fault_shared {
    struct prb_fault_rules *rules;                /* owned */
    struct prb_fault_log *log;                    /* owned */
    struct prb_fault_upstream upstream;           /* constant while a client is connected */
    gnutls_certificate_credentials_t credentials; /* owned: what we show to clients */
    struct prb_fault_jitter jitter;
    atomic_bool upstream_on;
    pthread_mutex_t lock; /* over the connections' `watching` and `call` and their list */
};

/* What another thread wants of a connection, beside waking it. */
enum prb_fault_order { PRB_FAULT_ORDER_NONE, PRB_FAULT_ORDER_CUT, PRB_FAULT_ORDER_EXPIRE };

struct prb_fault_connection {
    struct prb_fault_shared *shared; /* borrowed */
    pthread_t thread;
    int wake; /* owned eventfd: once written to, nothing waits any more */
    int fd;   /* owned until the thread has begun */
    _Atomic(enum prb_fault_order) order;
    atomic_bool ended; /* the thread is about to return: join it */
    struct prb_tls_stream client;
    struct prb_tls_stream upstream;
    bool watching;                     /* a watch is being forwarded now */
    struct prb_api_call call;          /* which one */
    struct prb_fault_connection *next; /* owned by the proxy's list */
};

/* One request, read whole. */
struct prb_fault_request {
    struct prb_http_head head;
    struct prb_str body;
    char method[16];
    char *target; /* owned */
    struct prb_api_call call;
};

/* Take the socket and start the thread; NULL when that is not possible. */
struct prb_fault_connection *prb_fault_connection_start(
        struct prb_fault_shared *shared, int fd_taken);

/* Make it end soon, in this way. */
void prb_fault_connection_order(
        struct prb_fault_connection *connection, enum prb_fault_order order);

/* Wait for its end and free it. */
void prb_fault_connection_join(struct prb_fault_connection *connection);

/* Handle one call; false when the connection is to be cut. (fault_forward.c) */
bool prb_fault_forward(
        struct prb_fault_connection *connection, const struct prb_fault_request *request);

/* Forward a watch whose upstream head says 200; false as above. (fault_watch.c) */
bool prb_fault_watch(struct prb_fault_connection *connection, const struct prb_api_call *call,
        const struct prb_http_head *head);

/* Answer with a metav1.Status. (fault_answer.c) */
bool prb_fault_answer(struct prb_tls_stream *client, int status, int retry_after_s);

/* The ERROR event of an expired watch, one line; static. */
const char *prb_fault_expired_event(void);

/* Open a watch only to end it with that event. */
bool prb_fault_answer_expired(struct prb_tls_stream *client);

/* Wait; false when woken before the time was over. */
bool prb_fault_pause(const struct prb_fault_connection *connection, int ms);

/* Say nothing until rule `id` is cleared (true), or the client goes or we are woken (false). */
bool prb_fault_hold(const struct prb_fault_connection *connection, int id);

/* Fields that belong to one connection, not to the message: they are not forwarded. */
extern const char *const prb_fault_hop_fields[];

#endif

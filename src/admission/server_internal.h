#ifndef PROBATE_SRC_ADMISSION_SERVER_INTERNAL_H
#define PROBATE_SRC_ADMISSION_SERVER_INTERNAL_H

/* The parts of the admission server, and what its files say to each other. */

#include <pthread.h>
#include <stdatomic.h>

#include <gnutls/gnutls.h>
#include <microhttpd.h>

#include "probate/admission/server.h"

#include "connections.h"
#include "intake.h"
#include "routes.h"
#include "tls_session.h"

struct prb_server {
    struct prb_server_options options;   /* defaults filled in */
    struct prb_connections *connections; /* owned */
    struct MHD_Daemon *daemon;           /* owned */
    int listener;                        /* owned socket; -1: closed */
    uint16_t port;
    pthread_t acceptor;
    bool accepting;
    int stop; /* eventfd for the acceptor */

    atomic_bool draining;
    atomic_uint open;      /* accepted and not closed yet */
    atomic_uint in_flight; /* requests whose headers are there and whose answer is not sent yet */
    atomic_uint waiting;   /* of them: suspended, for answers */
    struct prb_budget budget;

    pthread_mutex_t lock;   /* for changes of `waiting`, and: */
    pthread_cond_t resumed; /* it became less */
    bool closing;           /* no review may be suspended any more */
};

/* One connection. */
struct prb_client {
    struct prb_connection base;            /* first */
    struct prb_server *server;             /* borrowed */
    struct prb_tls_generation *generation; /* owned reference */
    gnutls_session_t session;              /* borrowed: the daemon's */
    int64_t born_ms;
    bool shaken;   /* the handshake is over */
    bool deaf;     /* nothing is read until the review that waits is answered */
    bool checked;  /* `refused` is what was found */
    char *refused; /* owned: why this client may not speak; NULL: it may */
};

/* One request, from its headers to the last byte of its answer. */
struct prb_exchange {
    struct prb_server *server;         /* borrowed, as the next two */
    struct MHD_Connection *connection; /* the daemon's */
    struct prb_client *client;
    struct prb_refusal refusal; /* status 0: it is to be judged */
    struct prb_intake intake;
    int64_t began_us;               /* monotonic: when its headers were there */
    int64_t deadline_ms;            /* monotonic */
    const char *only;               /* static: the one rule that judges; NULL: all */
    const char *route;              /* static: of its registration; NULL: none */
    struct prb_request *request;    /* owned; NULL before it is read */
    struct prb_questions questions; /* the asker's while the connection is suspended */
    bool held;                      /* the request counts among those in memory */
};

/* server_accept.c */
int prb_server_accept(struct prb_server *server, struct prb_error *err);
void prb_server_accept_stop(struct prb_server *server); /* takes in who is waiting, and ends */

/* server_client.c: for MHD_OPTION_NOTIFY_CONNECTION, with the server as its closure. */
void prb_client_notify(void *arg, struct MHD_Connection *connection, void **context,
        enum MHD_ConnectionNotificationCode code);
struct prb_client *prb_client_of(struct MHD_Connection *connection);
void prb_client_enter(struct prb_client *client, enum prb_phase phase);

/* Why this client may not speak; NULL: it may. */
const char *prb_client_refused(struct prb_client *client);

/* Has the connection been used for so long that it should end? */
bool prb_client_is_old(const struct prb_client *client);

/* server_exchange.c: for MHD_start_daemon and MHD_OPTION_NOTIFY_COMPLETED. */
enum MHD_Result prb_exchange_handle(void *arg, struct MHD_Connection *connection, const char *url,
        const char *method, const char *version, const char *upload, size_t *upload_size,
        void **state);
void prb_exchange_completed(void *arg, struct MHD_Connection *connection, void **state,
        enum MHD_RequestTerminationCode code);

/* server_reply.c */
enum MHD_Result prb_reply_refusal(struct prb_exchange *exchange, const struct prb_refusal *refusal);
enum MHD_Result prb_reply_review(struct prb_exchange *exchange, const struct prb_verdict *verdict);

/* server_review.c: the request is there, or the answers to its questions are. */
enum MHD_Result prb_exchange_judge(struct prb_exchange *exchange);

/* Free what was sent and what was made of it. */
void prb_exchange_forget(struct prb_exchange *exchange);

/* server_report.c: logs and metrics. */
int64_t prb_now_us(void); /* monotonic */
void prb_report_verdict(const struct prb_exchange *exchange, const struct prb_verdict *verdict);
void prb_report_code(int code);
void prb_report_shed(const char *limit);
void prb_report_handshake(bool good);
void prb_report_overdue(enum prb_phase phase);
void prb_report_displaced(enum prb_standing standing);
void prb_report_connections(int change);
void prb_report_in_flight(int change);
void prb_report_waiting(int change);
void prb_report_held(int change);

#endif

/* How does the admission server start, drain and stop? */

#include "probate/admission/server.h"

#include <malloc.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <gnutls/abstract.h>

#include "probate/base/cpus.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "listen.h"
#include "server_internal.h"

/* Memory of one connection: request line and headers must fit, and half of it is the piece in
 * which a body comes in. The API server sends some 500 bytes of headers. */
#define CONNECTION_MEMORY ((size_t)32 * 1024)

/* The library divides its limit among its threads, and closes what is above without a word; ours
 * is counted in one place and answered. */
#define LIBRARY_CONNECTIONS 65536

/* Idle connections are looked at again so often until all have come to their end. */
#define END_LOOK_MS 20

/* For who is told at the very end that there is no answer. */
#define LAST_ANSWERS_MS 500

/* Blocks from here on come from the kernel and go back to it when they are freed. */
#define MAPPED_MIN (256 * 1024)

#define THREADS_MIN 2 /* the library does not make a pool of one */
#define THREADS_PER_CPU 2

static void log_daemon(void *arg, const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;

    (void)arg;
    prb_str_init(&text, PRB_LOG_VALUE_MAX);
    prb_str_vaddf(&text, fmt, args);
    prb_debug("admission server", KV("message", prb_str_get(&text)));
}

/* NOLINTBEGIN(readability-*): the library wants so many parameters, and these types */

/* The library wants to have a certificate, or someone to ask for it; but each session gets its own
 * before its handshake, and so nobody is ever asked. */
static int no_certificate(gnutls_session_t session, const struct gnutls_cert_retr_st *info,
        gnutls_pcert_st **certs, unsigned *count, gnutls_ocsp_data_st **ocsp, unsigned *ocsp_count,
        gnutls_privkey_t *key, unsigned *flags)
{
    (void)session;
    (void)info;
    (void)certs;
    (void)count;
    (void)ocsp;
    (void)ocsp_count;
    (void)key;
    (void)flags;
    return -1;
}

/* NOLINTEND(readability-*) */

static int thread_count(int wanted)
{
    if (wanted == 0)
        wanted = (int)prb_cpus_usable() * THREADS_PER_CPU;
    return wanted < THREADS_MIN ? THREADS_MIN : wanted;
}

static int64_t either(int64_t given, int64_t preset)
{
    return given ? given : preset;
}

static void fill_in(struct prb_server_options *o)
{
    o->threads = thread_count(o->threads);
    o->connections_max = (unsigned)either(o->connections_max, PRB_SERVER_CONNECTIONS_MAX);
    o->in_flight_max = (unsigned)either(o->in_flight_max, PRB_SERVER_IN_FLIGHT_MAX);
    o->built_max = o->built_max ? o->built_max : PRB_SERVER_BUILT_MAX;
    o->first_ms = either(o->first_ms, PRB_SERVER_FIRST_MS);
    o->header_ms = either(o->header_ms, PRB_SERVER_HEADER_MS);
    o->body_ms = either(o->body_ms, PRB_SERVER_BODY_MS);
    o->answer_ms = either(o->answer_ms, PRB_SERVER_ANSWER_MS);
    o->idle_ms = either(o->idle_ms, PRB_SERVER_IDLE_MS);
    o->pooled_ms = either(o->pooled_ms, PRB_SERVER_POOLED_MS);
    o->age_ms = either(o->age_ms, PRB_SERVER_AGE_MS);
}

static struct MHD_Daemon *start_daemon(struct prb_server *server)
{
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_TLS |
                           MHD_USE_NO_LISTEN_SOCKET | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG;

    return MHD_start_daemon(flags, 0, NULL, NULL, prb_exchange_handle, server,
            MHD_OPTION_EXTERNAL_LOGGER, log_daemon, NULL, MHD_OPTION_THREAD_POOL_SIZE,
            (unsigned)server->options.threads, MHD_OPTION_CONNECTION_LIMIT,
            (unsigned)LIBRARY_CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
            MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_HTTPS_PRIORITIES, PRB_TLS_PRIORITIES,
            MHD_OPTION_HTTPS_CERT_CALLBACK2, no_certificate, MHD_OPTION_NOTIFY_CONNECTION,
            prb_client_notify, server, MHD_OPTION_NOTIFY_COMPLETED, prb_exchange_completed, server,
            MHD_OPTION_END);
}

/* Without it glibc would raise its limit for mapped blocks to the size of the largest block seen,
 * and keep the memory of every thread that ever read one. */
static void settle_allocator(void)
{
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED_MIN); /* NOLINT(concurrency-mt-unsafe): it locks */
#endif
}

static int open_all(struct prb_server *server, struct prb_error *err)
{
    const struct prb_connection_limits limits = { .count = server->options.connections_max,
        .stale_ms = server->options.pooled_ms,
        .first_ms = server->options.first_ms,
        .overdue = prb_report_overdue,
        .displaced = prb_report_displaced };
    int r;

    server->stop = eventfd(0, EFD_CLOEXEC);
    if (server->stop < 0)
        return prb_fail(err, PRB_E_INTERNAL, "could not make an eventfd");
    r = prb_connections_new(&limits, &server->connections, err);
    if (r < 0)
        return r;
    r = prb_listen(
            server->options.host, server->options.port, &server->listener, &server->port, err);
    if (r < 0)
        return r;
    server->daemon = start_daemon(server);
    if (!server->daemon)
        return prb_fail(err, PRB_E_INTERNAL, "could not start the admission server");
    return prb_server_accept(server, err);
}

int prb_server_start(
        const struct prb_server_options *options, struct prb_server **ret, struct prb_error *err)
{
    struct prb_server *server = prb_calloc(1, sizeof(*server));
    int r;

    settle_allocator();
    server->options = *options;
    fill_in(&server->options);
    server->budget.max = server->options.built_max;
    server->listener = server->stop = -1;
    (void)pthread_mutex_init(&server->lock, NULL);
    (void)pthread_cond_init(&server->resumed, NULL);
    r = open_all(server, err);
    if (r < 0)
        prb_server_stop(server, 0);
    else
        *ret = server;
    return r;
}

uint16_t prb_server_port(const struct prb_server *server)
{
    return server->port;
}

unsigned prb_server_in_flight(const struct prb_server *server)
{
    return atomic_load(&server->in_flight);
}

void prb_server_drain(struct prb_server *server)
{
    atomic_store(&server->draining, true);
}

/* Every answer now closes its connection; those without a request are shown the door. False: some
 * were still there when the time was over. */
static bool finish(struct prb_server *server, int64_t finish_ms)
{
    int64_t until_ms = prb_now_us() / 1000 + finish_ms;

    do {
        prb_connections_end_idle(server->connections);
        if (prb_connections_wait(server->connections, END_LOOK_MS) > 0)
            continue;
        if (atomic_load(&server->open) == 0)
            return true;
        (void)poll(NULL, 0, 1); /* accepted, and not yet taken in by a thread of the library */
    } while (prb_now_us() / 1000 < until_ms);
    return false;
}

/* The library does not survive being stopped while a connection is suspended. */
static void hand_back_waiting(struct prb_server *server)
{
    (void)pthread_mutex_lock(&server->lock);
    server->closing = true;
    (void)pthread_mutex_unlock(&server->lock);
    if (atomic_load(&server->waiting) > 0)
        prb_asker_stop(server->options.asker);
    (void)pthread_mutex_lock(&server->lock);
    while (atomic_load(&server->waiting) > 0)
        (void)pthread_cond_wait(&server->resumed, &server->lock);
    (void)pthread_mutex_unlock(&server->lock);
}

static void end_connections(struct prb_server *server, int64_t finish_ms)
{
    bool ended = finish(server, finish_ms);

    hand_back_waiting(server);
    if (!ended && !finish(server, LAST_ANSWERS_MS))
        prb_warn("connections are cut at the end",
                KV_INT("connections", (int64_t)prb_connections_count(server->connections)),
                KV_INT("inFlight", (int64_t)prb_server_in_flight(server)));
}

void prb_server_stop(struct prb_server *server, int64_t finish_ms)
{
    if (!server)
        return;
    prb_server_drain(server);
    prb_server_accept_stop(server);
    if (server->daemon) {
        end_connections(server, finish_ms);
        MHD_stop_daemon(server->daemon);
    }
    prb_connections_free(server->connections);
    if (server->stop >= 0)
        (void)close(server->stop);
    (void)pthread_cond_destroy(&server->resumed);
    (void)pthread_mutex_destroy(&server->lock);
    free(server);
}

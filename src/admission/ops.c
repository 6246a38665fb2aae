/* How does a request reach the ops pages, and how does it end? */

#include "probate/admission/ops.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <microhttpd.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"

#include "connections.h"
#include "listen.h"
#include "ops_pages.h"

/* Memory of one connection: request line and headers must fit. A scraper sends about 300 bytes. */
#define CONNECTION_MEMORY ((size_t)16 * 1024)

/* Accepted beyond the limit while others are on their way out; the library takes ten at a time. */
#define CONNECTIONS_SPARE 16

struct prb_ops {
    struct prb_ops_source source;
    struct prb_connections *connections; /* owned */
    struct MHD_Daemon *daemon;           /* owned */
    uint16_t port;
};

static void log_daemon(void *arg, const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;

    (void)arg;
    prb_str_init(&text, PRB_LOG_VALUE_MAX);
    prb_str_vaddf(&text, fmt, args);
    prb_debug("ops server", KV("message", prb_str_get(&text)));
}

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value);
}

static enum MHD_Result send_reply(
        struct MHD_Connection *connection, struct prb_ops_reply *reply, bool close_after)
{
    size_t len = reply->body.len;
    struct MHD_Response *response =
            MHD_create_response_from_buffer(len, prb_str_take(&reply->body), MHD_RESPMEM_MUST_FREE);
    enum MHD_Result result;

    if (!response)
        return MHD_NO;
    add_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, reply->content_type);
    add_header(response, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
    add_header(response, "X-Content-Type-Options", "nosniff");
    if (reply->allow)
        add_header(response, MHD_HTTP_HEADER_ALLOW, reply->allow);
    if (reply->status == MHD_HTTP_SERVICE_UNAVAILABLE)
        add_header(response, MHD_HTTP_HEADER_RETRY_AFTER, "1");
    if (close_after)
        add_header(response, MHD_HTTP_HEADER_CONNECTION, "close");
    result = MHD_queue_response(connection, reply->status, response);
    MHD_destroy_response(response);
    return result;
}

static bool has_argument(struct MHD_Connection *connection, const char *name, const char **ret)
{
    size_t len;

    return MHD_lookup_connection_value_n(
                   connection, MHD_GET_ARGUMENT_KIND, name, strlen(name), ret, &len) == MHD_YES;
}

static bool has_body(struct MHD_Connection *connection)
{
    const char *length = MHD_lookup_connection_value(
            connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);

    return (length && !prb_streq(length, "0")) ||
           MHD_lookup_connection_value(
                   connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING);
}

static enum MHD_Result answer(struct prb_ops *ops, struct MHD_Connection *connection,
        const char *method, const char *path)
{
    struct prb_ops_request request = { .method = method, .path = path };
    struct prb_ops_reply reply;
    const char *unused;

    request.has_body = has_body(connection);
    request.verbose = has_argument(connection, "verbose", &unused);
    if (has_argument(connection, "output", &request.output) && !request.output)
        request.output = "";
    prb_ops_answer(&ops->source, &request, &reply);
    return send_reply(connection, &reply, request.has_body);
}

/* Called when the headers are there, and again when the request is whole. The library wants so
 * many parameters, and this type. */
/* NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result handle(void *arg, struct MHD_Connection *connection, const char *url,
        const char *method, const char *version, const char *upload,
        size_t *upload_size, /* NOLINT(readability-non-const-parameter) */
        void **state)
{
    static char seen; /* its address marks a request whose headers were looked at */
    struct prb_ops *ops = arg;

    (void)version;
    (void)upload;
    (void)upload_size;
    if (*state)
        return answer(ops, connection, method, url);

    *state = &seen;
    prb_connections_begin(ops->connections, connection);
    /* A body is refused before it comes, so that nobody can keep us reading. */
    return has_body(connection) ? answer(ops, connection, method, url) : MHD_YES;
}

static void completed(void *arg, struct MHD_Connection *connection, void **state,
        enum MHD_RequestTerminationCode code)
{
    struct prb_ops *ops = arg;

    (void)state;
    (void)code;
    prb_connections_end(ops->connections, connection);
}

static struct MHD_Daemon *start_daemon(struct prb_ops *ops, int fd, unsigned connections_max)
{
    return MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_USE_ITC | MHD_USE_ERROR_LOG,
            ops->port, NULL, NULL, handle, ops, MHD_OPTION_EXTERNAL_LOGGER, log_daemon, NULL,
            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
            connections_max + CONNECTIONS_SPARE, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
            CONNECTION_MEMORY, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED,
            completed, ops, MHD_OPTION_NOTIFY_CONNECTION, prb_connections_notify, ops->connections,
            MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_END);
}

int prb_ops_start(
        const struct prb_ops_options *options, struct prb_ops **ret, struct prb_error *err)
{
    struct prb_connection_limits limits = {
        .count = options->connections_max ? options->connections_max : PRB_OPS_CONNECTIONS_MAX,
        .first_ms = options->first_ms ? options->first_ms : PRB_OPS_FIRST_MS,
        .request_ms = options->request_ms ? options->request_ms : PRB_OPS_REQUEST_MS,
        .idle_ms = options->idle_ms ? options->idle_ms : PRB_OPS_IDLE_MS,
    };
    prb_auto(prb_ops_stop) struct prb_ops *ops = prb_calloc(1, sizeof(*ops));
    int fd, r;

    ops->source = options->source;
    r = prb_connections_new(&limits, &ops->connections, err);
    if (r < 0)
        return r;
    r = prb_listen(options->host, options->port, &fd, &ops->port, err);
    if (r < 0)
        return r;
    ops->daemon = start_daemon(ops, fd, limits.count);
    if (!ops->daemon) {
        (void)close(fd);
        return prb_fail(err, PRB_E_INTERNAL, "could not start the ops server");
    }
    *ret = prb_take(ops);
    return 0;
}

void prb_ops_stop(struct prb_ops *ops)
{
    if (!ops)
        return;
    if (ops->daemon)
        MHD_stop_daemon(ops->daemon);
    prb_connections_free(ops->connections);
    free(ops);
}

uint16_t prb_ops_port(const struct prb_ops *ops)
{
    return ops->port;
}

/* Where does one event of a watch end and the next begin? */

#include "stream.h"

#include <string.h>

/* Memory kept between lines. Most events are smaller; one large object should not hold memory for
 * the hours a watch may last. */
#define REST_KEEP ((size_t)64 * 1024)

void prb_kube_stream_init(struct prb_kube_stream *stream, size_t line_max)
{
    prb_str_init(&stream->rest, line_max);
}

void prb_kube_stream_done(struct prb_kube_stream *stream)
{
    prb_str_done(&stream->rest);
}

static int fail_too_long(const struct prb_kube_stream *stream, struct prb_error *err)
{
    return prb_fail(
            err, PRB_E_IO, "an event of the watch is longer than %zu bytes", stream->rest.max);
}

/* Is it worth a call? Empty lines are allowed between events. */
static int deliver(
        const char *line, size_t len, prb_kube_line_fn each, void *ctx, struct prb_error *err)
{
    if (len > 0 && line[len - 1] == '\r')
        len--;
    return len > 0 ? each(ctx, line, len, err) : 0;
}

/* A line that ends in this piece; its beginning may have come before. */
static int end_line(struct prb_kube_stream *stream, const char *piece, size_t len,
        prb_kube_line_fn each, void *ctx, struct prb_error *err)
{
    int r;

    if (len > stream->rest.max - stream->rest.len)
        return fail_too_long(stream, err);
    if (stream->rest.len == 0)
        return deliver(piece, len, each, ctx, err);

    prb_str_addn(&stream->rest, piece, len);
    r = deliver(stream->rest.data, stream->rest.len, each, ctx, err);
    if (stream->rest.cap > REST_KEEP)
        prb_str_done(&stream->rest);
    else
        prb_str_clear(&stream->rest);
    return r;
}

int prb_kube_stream_feed(struct prb_kube_stream *stream, const char *bytes, size_t len,
        prb_kube_line_fn each, void *ctx, struct prb_error *err)
{
    const char *end = bytes + len;

    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        int r;

        if (!newline)
            break;
        r = end_line(stream, bytes, (size_t)(newline - bytes), each, ctx, err);
        if (r < 0)
            return r;
        bytes = newline + 1;
    }

    if ((size_t)(end - bytes) > stream->rest.max - stream->rest.len)
        return fail_too_long(stream, err);
    prb_str_addn(&stream->rest, bytes, (size_t)(end - bytes));
    return 0;
}

bool prb_kube_stream_is_cut(const struct prb_kube_stream *stream)
{
    return stream->rest.len > 0;
}

/* Where does one event of a watch end and the next begin? */

#include "stream.h"

#include <string.h>

#include "probate/base/mem.h"

void prb_kube_stream_init(struct prb_kube_stream *stream, const struct prb_kube_depth *depth)
{
    *stream = (struct prb_kube_stream){ .decoder = prb_kube_decoder_new(PRB_KUBE_EVENT, depth) };
}

void prb_kube_stream_done(struct prb_kube_stream *stream)
{
    prb_kube_decoder_free(prb_take(stream->decoder));
}

/* Empty lines are allowed between events. */
static bool is_blank(const char *bytes, size_t len)
{
    return len == 0 || (len == 1 && *bytes == '\r');
}

/* A part of a line, up to its end or that of what has come. */
static int feed_line(
        struct prb_kube_stream *stream, const char *bytes, size_t len, struct prb_error *err)
{
    if (!stream->begun && is_blank(bytes, len))
        return 0;
    stream->begun = true;
    return prb_kube_decoder_feed(stream->decoder, bytes, len, err);
}

int prb_kube_stream_feed(struct prb_kube_stream *stream, const char *bytes, size_t len,
        prb_kube_line_fn each, void *ctx, struct prb_error *err)
{
    const char *end = bytes + len;

    while (bytes < end) {
        const char *newline = memchr(bytes, '\n', (size_t)(end - bytes));
        int r = feed_line(stream, bytes, (size_t)((newline ? newline : end) - bytes), err);

        if (r == 0 && newline && stream->begun) {
            stream->begun = false;
            r = each(ctx, stream->decoder, err);
        }
        if (r < 0 || !newline)
            return r;
        bytes = newline + 1;
    }
    return 0;
}

bool prb_kube_stream_is_cut(const struct prb_kube_stream *stream)
{
    return stream->begun;
}

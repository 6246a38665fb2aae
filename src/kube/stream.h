#ifndef PROBATE_KUBE_STREAM_H
#define PROBATE_KUBE_STREAM_H

/*
 * A watch body cut into events: JSON values, one per line, arriving in pieces that end anywhere.
 * Pure; not thread-safe.
 */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/str.h"

struct prb_kube_stream {
    struct prb_str rest; /* the beginning of a line whose end has not arrived */
};

/* One complete line without its end; not empty. A failure stops the stream. */
typedef int (*prb_kube_line_fn)(void *ctx, const char *line, size_t len, struct prb_error *err);

/* `line_max`: bytes a line may have. */
void prb_kube_stream_init(struct prb_kube_stream *stream, size_t line_max);
void prb_kube_stream_done(struct prb_kube_stream *stream);

/* Call `each` for every line that `bytes` completes. IO when a line is longer than allowed. */
int prb_kube_stream_feed(struct prb_kube_stream *stream, const char *bytes, size_t len,
        prb_kube_line_fn each, void *ctx, struct prb_error *err);

/* Has a line begun that did not end? */
bool prb_kube_stream_is_cut(const struct prb_kube_stream *stream);

#endif

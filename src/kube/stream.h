#ifndef PROBATE_KUBE_STREAM_H
#define PROBATE_KUBE_STREAM_H

/*
 * A watch body cut into events: JSON values, one per line, arriving in pieces that end anywhere.
 * Each piece goes to the decoder at once: a line may be of any length. Pure; not thread-safe.
 */

#include <stddef.h>

#include "decode.h"

struct prb_kube_stream {
    struct prb_kube_decoder *decoder; /* owned: of events */
    bool begun;                       /* a line has, and has not ended yet */
};

/* A line is whole: the decoder has it. A failure stops the stream. */
typedef int (*prb_kube_line_fn)(void *ctx, struct prb_kube_decoder *decoder, struct prb_error *err);

void prb_kube_stream_init(struct prb_kube_stream *stream, const struct prb_kube_depth *depth);
void prb_kube_stream_done(struct prb_kube_stream *stream);

/* Call `each` for every line that `bytes` completes. IO when a line is no event. */
int prb_kube_stream_feed(struct prb_kube_stream *stream, const char *bytes, size_t len,
        prb_kube_line_fn each, void *ctx, struct prb_error *err);

/* Has a line begun that did not end? */
bool prb_kube_stream_is_cut(const struct prb_kube_stream *stream);

#endif

#ifndef TESTS_SUPPORT_HTTP_MESSAGE_H
#define TESTS_SUPPORT_HTTP_MESSAGE_H

/* HTTP/1.1 messages as the fault proxy needs them: a first line, headers, and the body's framing.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/str.h"

#include "support/tls_stream.h"

/* Above the API server's own limits: 1 MiB of headers, a few MiB of request, and the largest list
 * page a test reads. */
#define PRB_HTTP_HEAD_MAX ((size_t)1024 * 1024)
#define PRB_HTTP_BODY_MAX ((size_t)64 * 1024 * 1024)

struct prb_http_head {
    char *first;           /* owned: request or status line */
    struct prb_str fields; /* "Name: value" lines, each with \r\n */
};

void prb_http_head_init(struct prb_http_head *head);
void prb_http_head_done(struct prb_http_head *head);
static inline void prb_http_head_donep(struct prb_http_head *head)
{
    prb_http_head_done(head);
}

/* Read first line and fields; false at the end of the stream or on what is no HTTP. */
bool prb_http_head_read(struct prb_tls_stream *stream, struct prb_http_head *head);

/* The value of a field, without regard to the case of its name; false when it is not there. */
bool prb_http_head_find(
        const struct prb_http_head *head, const char *name, char *value, size_t size);

/* Append the fields to `to` except those named in `drop` (NULL-terminated). */
void prb_http_head_copy(
        const struct prb_http_head *head, const char *const *drop, struct prb_str *to);

/* The status of a response's first line; 0 when it is none. */
int prb_http_head_status(const struct prb_http_head *head);

/*
 * Read one chunk of a chunked body: the number of bytes appended, 0 after the last (the trailer
 * is read, too), -1 on failure.
 */
int prb_http_read_chunk(struct prb_tls_stream *stream, struct prb_str *body);

/* Read a whole body as the head frames it. `until_end`: without a length it lasts to the end of
 * the stream (a response), else there is none (a request). */
bool prb_http_read_body(struct prb_tls_stream *stream, const struct prb_http_head *head,
        bool until_end, struct prb_str *body);

#endif

#ifndef TESTS_SUPPORT_TLS_STREAM_H
#define TESTS_SUPPORT_TLS_STREAM_H

/*
 * One TLS connection over a socket, with buffered reads that another thread can end: their waits
 * also look at an eventfd. One thread uses a stream; any thread may write to its eventfd.
 */

#include <stdbool.h>
#include <stddef.h>

#include <gnutls/gnutls.h>

#include "probate/base/str.h"

struct prb_tls_stream {
    gnutls_session_t session; /* owned; NULL: not connected */
    int fd;                   /* owned; -1: none */
    int wake;                 /* borrowed eventfd: readable means stop reading; -1: none */
    int read_ms;              /* longest wait for a byte; -1: for ever */
    char *buffer;             /* owned; bytes read but not asked for yet */
    size_t at, len;           /* of them */
};

void prb_tls_stream_init(struct prb_tls_stream *stream, int wake, int read_ms);

/* Says goodbye when it can be said at once, and closes. */
void prb_tls_stream_close(struct prb_tls_stream *stream);

/* Cut: close without a word, as a broken network would. */
void prb_tls_stream_cut(struct prb_tls_stream *stream);

/* Hand over a connected socket (taken, also on failure) and shake hands. False: it went wrong. */
bool prb_tls_stream_accept(
        struct prb_tls_stream *stream, int fd_taken, gnutls_certificate_credentials_t credentials);
bool prb_tls_stream_connect(struct prb_tls_stream *stream, int fd_taken,
        gnutls_certificate_credentials_t credentials, const char *host);

static inline bool prb_tls_stream_is_open(const struct prb_tls_stream *stream)
{
    return stream->session != NULL;
}

/* Append at most `len` bytes, at least one: the number; 0 at the end of the stream; -1 on failure
 * or when woken. */
int prb_tls_stream_read_some(struct prb_tls_stream *stream, struct prb_str *to, size_t len);

/* Append exactly `len` bytes. */
bool prb_tls_stream_read(struct prb_tls_stream *stream, struct prb_str *to, size_t len);

/* Append one line without its line end (\r\n or \n). False at the end of the stream, too. */
bool prb_tls_stream_read_line(struct prb_tls_stream *stream, struct prb_str *to);

bool prb_tls_stream_write(struct prb_tls_stream *stream, const char *data, size_t len);

/* Are there bytes to be had without waiting? */
bool prb_tls_stream_has_bytes(const struct prb_tls_stream *stream);

#endif

/* How do bytes get over a TLS connection that may have to be given up at any moment? */

#include "support/tls_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "support/wait.h"

/* A handshake on loopback takes milliseconds; a peer that does not speak TLS must not hold us. */
#define HANDSHAKE_MS prb_test_patience_ms(10000)

/* A peer that reads nothing for so long is taken for gone. */
#define WRITE_MS prb_test_patience_ms(30000)

/* One TLS record. */
#define BUFFER_SIZE 16384

void prb_tls_stream_init(struct prb_tls_stream *stream, int wake, int read_ms)
{
    *stream = (struct prb_tls_stream){ .fd = -1, .wake = wake, .read_ms = read_ms };
}

void prb_tls_stream_cut(struct prb_tls_stream *stream)
{
    if (stream->session)
        gnutls_deinit(stream->session);
    if (stream->fd >= 0)
        (void)close(stream->fd);
    free(stream->buffer);
    prb_tls_stream_init(stream, stream->wake, stream->read_ms);
}

void prb_tls_stream_close(struct prb_tls_stream *stream)
{
    if (stream->session)
        (void)gnutls_bye(stream->session, GNUTLS_SHUT_WR);
    prb_tls_stream_cut(stream);
}

static bool set_up(struct prb_tls_stream *stream, int fd, unsigned role,
        gnutls_certificate_credentials_t credentials)
{
    int flags = fcntl(fd, F_GETFL);

    stream->fd = fd;
    stream->buffer = prb_malloc(BUFFER_SIZE);
    if (fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0)
        return false;
    if (gnutls_init(&stream->session, role | GNUTLS_NONBLOCK | GNUTLS_NO_SIGNAL) < 0) {
        stream->session = NULL;
        return false;
    }
    gnutls_transport_set_int(stream->session, fd);
    gnutls_handshake_set_timeout(stream->session, HANDSHAKE_MS);
    return gnutls_set_default_priority(stream->session) >= 0 &&
           gnutls_credentials_set(stream->session, GNUTLS_CRD_CERTIFICATE, credentials) >= 0;
}

/* Wait until the socket is ready for what GnuTLS wanted; false when woken, timed out or broken.
 * Only reads can be woken: what is being written is to arrive whole. */
static bool wait_ready(const struct prb_tls_stream *stream, bool to_write, int timeout_ms)
{
    struct pollfd fds[] = {
        { .fd = stream->fd, .events = to_write ? POLLOUT : POLLIN },
        { .fd = to_write ? -1 : stream->wake, .events = POLLIN },
    };

    return poll(fds, 2, timeout_ms) > 0 && fds[1].revents == 0;
}

static bool is_again(ssize_t code)
{
    return code == GNUTLS_E_AGAIN || code == GNUTLS_E_INTERRUPTED;
}

static bool shake_hands(struct prb_tls_stream *stream)
{
    int code;

    while ((code = gnutls_handshake(stream->session)) < 0) {
        bool to_write = gnutls_record_get_direction(stream->session) == 1;

        if (gnutls_error_is_fatal(code))
            return false;
        if (is_again(code) && !wait_ready(stream, to_write, HANDSHAKE_MS))
            return false;
    }
    return true;
}

bool prb_tls_stream_accept(
        struct prb_tls_stream *stream, int fd_taken, gnutls_certificate_credentials_t credentials)
{
    if (set_up(stream, fd_taken, GNUTLS_SERVER, credentials) && shake_hands(stream))
        return true;
    prb_tls_stream_cut(stream);
    return false;
}

bool prb_tls_stream_connect(struct prb_tls_stream *stream, int fd_taken,
        gnutls_certificate_credentials_t credentials, const char *host)
{
    if (set_up(stream, fd_taken, GNUTLS_CLIENT, credentials)) {
        gnutls_session_set_verify_cert(stream->session, host, 0);
        if (shake_hands(stream))
            return true;
    }
    prb_tls_stream_cut(stream);
    return false;
}

bool prb_tls_stream_has_bytes(const struct prb_tls_stream *stream)
{
    return stream->at < stream->len || gnutls_record_check_pending(stream->session) > 0;
}

/* Get more bytes into the empty buffer: 1, 0 at the end, -1 on failure. */
static int fill(struct prb_tls_stream *stream)
{
    ssize_t got;

    while (is_again(got = gnutls_record_recv(stream->session, stream->buffer, BUFFER_SIZE))) {
        if (!wait_ready(stream, false, stream->read_ms))
            return -1;
    }
    /* Many servers close without goodbye after the last answer; the framing tells what is whole. */
    if (got == 0 || got == GNUTLS_E_PREMATURE_TERMINATION)
        return 0;
    if (got < 0)
        return -1;
    stream->at = 0;
    stream->len = (size_t)got;
    return 1;
}

int prb_tls_stream_read_some(struct prb_tls_stream *stream, struct prb_str *to, size_t len)
{
    int state = stream->at < stream->len ? 1 : fill(stream);

    if (state <= 0)
        return state;
    if (len > stream->len - stream->at)
        len = stream->len - stream->at;
    prb_str_addn(to, stream->buffer + stream->at, len);
    stream->at += len;
    return to->cut ? -1 : (int)len;
}

bool prb_tls_stream_read(struct prb_tls_stream *stream, struct prb_str *to, size_t len)
{
    while (len > 0) {
        int got = prb_tls_stream_read_some(stream, to, len);

        if (got <= 0)
            return false;
        len -= (size_t)got;
    }
    return true;
}

bool prb_tls_stream_read_line(struct prb_tls_stream *stream, struct prb_str *to)
{
    for (;;) {
        if (prb_tls_stream_read_some(stream, to, 1) != 1)
            return false;
        if (to->data[to->len - 1] != '\n')
            continue;
        to->len--;
        if (to->len > 0 && to->data[to->len - 1] == '\r')
            to->len--;
        to->data[to->len] = '\0';
        return true;
    }
}

bool prb_tls_stream_write(struct prb_tls_stream *stream, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t sent = gnutls_record_send(stream->session, data, len);

        if (is_again(sent)) {
            if (!wait_ready(stream, true, WRITE_MS))
                return false;
            continue;
        }
        if (sent <= 0)
            return false;
        data += sent;
        len -= (size_t)sent;
    }
    return true;
}

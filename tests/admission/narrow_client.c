/* How is a server made to wait for a client that does not take its answers? */

#include "narrow_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "probate/base/mem.h"

#include "server_world.h"

/* Descriptors that are looked through for a socket; the process has a few dozen. */
#define FDS_MAX 1024

/* Bytes of requests for which the answers, of nearly half the size, are too much for two sockets of
 * 8 KiB; a socket takes 64 KiB before anybody reads. */
#define STUFFING ((size_t)48 * 1024)

/* Makes the socket small by which the server, in this process, sends to the client at `fd`: else
 * the kernel takes megabytes of answers before the server has to wait. */
static bool narrow_server(int fd)
{
    struct sockaddr_in client, peer;
    socklen_t client_size = sizeof(client), peer_size = sizeof(peer);
    int small = 4096;

    if (getsockname(fd, (struct sockaddr *)&client, &client_size) != 0)
        return false;
    for (int at = 0; at < FDS_MAX; at++, peer_size = sizeof(peer)) {
        if (getpeername(at, (struct sockaddr *)&peer, &peer_size) == 0 &&
                peer.sin_family == AF_INET && peer.sin_port == client.sin_port)
            return setsockopt(at, SOL_SOCKET, SO_SNDBUF, &small, sizeof(small)) == 0;
    }
    return false;
}

bool narrow_open(struct https *https, uint16_t port, gnutls_certificate_credentials_t credentials)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)
    };
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), small = 4096;

    /* Before it connects: a window that shrinks afterwards is another story. */
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        return false;
    prb_tls_stream_init(&https->stream, -1, HTTPS_PATIENCE_MS);
    return prb_tls_stream_connect(&https->stream, fd, credentials, "localhost") &&
           narrow_server(fd);
}

void narrow_stuff(struct https *https)
{
    prb_autofree char *review = review_of("fine", "u", 0);
    prb_autofree char *request =
            prb_asprintf("POST /validate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                         "Content-Length: %zu\r\n\r\n%s",
                    strlen(review), review);
    size_t len = strlen(request);

    /* One that cannot be sent any more comes after the end. */
    for (size_t sent = 0; sent + len <= STUFFING; sent += len) {
        if (!prb_tls_stream_write(&https->stream, request, len))
            return;
    }
}

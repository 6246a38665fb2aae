/* Can this address be listened on? */

#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probate/base/str.h"

/* Connections the kernel holds until they are accepted; the kernel's own usual ceiling is 4096. */
#define BACKLOG 128

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

static bool parse_address(const char *host, uint16_t port, union address *ret)
{
    *ret = (union address){ 0 };
    if (inet_pton(AF_INET, host, &ret->v4.sin_addr) == 1) {
        ret->v4.sin_family = AF_INET;
        ret->v4.sin_port = htons(port);
        return true;
    }
    *ret = (union address){ 0 };
    if (inet_pton(AF_INET6, host, &ret->v6.sin6_addr) == 1) {
        ret->v6.sin6_family = AF_INET6;
        ret->v6.sin6_port = htons(port);
        return true;
    }
    return false;
}

static int fail(int number, struct prb_error *err)
{
    char text[128];

    switch (number) {
    case EADDRINUSE:
        return prb_fail(err, PRB_E_INVALID, "address already in use");
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
        return prb_fail(err, PRB_E_INVALID, "this machine has no such address");
    case EACCES:
        return prb_fail(err, PRB_E_INVALID, "no right to use this port (it is below 1024)");
    default:
        return prb_fail(err, PRB_E_INVALID, "%s", strerror_r(number, text, sizeof(text)));
    }
}

/* A socket that listens on `address`, or a negative errno. */
static int try_listen(const union address *address)
{
    socklen_t size = address->any.sa_family == AF_INET ? sizeof(address->v4) : sizeof(address->v6);
    int on = 1, off = 0, number, fd;

    fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    /* A restart must not wait for the last connections of its predecessor to time out. */
    (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (address->any.sa_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof(off));
    if (bind(fd, &address->any, size) == 0 && listen(fd, BACKLOG) == 0)
        return fd;

    number = errno;
    (void)close(fd);
    return -number;
}

static uint16_t port_of(int fd)
{
    union address address = { 0 };
    socklen_t size = sizeof(address);

    (void)getsockname(fd, &address.any, &size);
    return ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
}

int prb_listen(
        const char *host, uint16_t port, int *ret_fd, uint16_t *ret_port, struct prb_error *err)
{
    bool every = host[0] == '\0';
    union address address;
    int fd;

    if (!parse_address(every ? "::" : host, port, &address))
        return prb_fail(err, PRB_E_INVALID, "\"%s\" is no numeric address", host);
    fd = try_listen(&address);
    if (every && (fd == -EAFNOSUPPORT || fd == -EADDRNOTAVAIL)) {
        (void)parse_address("0.0.0.0", port, &address); /* a machine without IPv6 */
        fd = try_listen(&address);
    }
    if (fd < 0)
        return fail(-fd, err);

    *ret_fd = fd;
    *ret_port = port_of(fd);
    return 0;
}

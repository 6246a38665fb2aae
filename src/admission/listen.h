#ifndef PROBATE_SRC_ADMISSION_LISTEN_H
#define PROBATE_SRC_ADMISSION_LISTEN_H

/* A listening TCP socket. */

#include <stdint.h>

#include "probate/base/error.h"

/*
 * Listen on a numeric address; "" is every interface, both families where the machine has IPv6.
 * `port` 0 picks a free one; *ret_port is the one it became. The caller closes the socket.
 * INVALID when the address cannot be had, with a text that says why.
 */
int prb_listen(
        const char *host, uint16_t port, int *ret_fd, uint16_t *ret_port, struct prb_error *err);

#endif

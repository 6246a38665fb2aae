#ifndef PROBATE_TESTS_NARROW_CLIENT_H
#define PROBATE_TESTS_NARROW_CLIENT_H

/* A client that takes little at a time, of a server in the same process. */

#include "https_client.h"

/* Connect, with small sockets on both sides. */
bool narrow_open(struct https *https, uint16_t port, gnutls_certificate_credentials_t credentials);

/* Send reviews and read nothing. The answers are more than both sockets hold, and the requests less
 * than the kernel takes for a server that does not read. */
void narrow_stuff(struct https *https);

#endif

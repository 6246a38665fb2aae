#ifndef PROBATE_CLI_ADDRESS_H
#define PROBATE_CLI_ADDRESS_H

/* Where to listen, as people write it: "127.0.0.1:8081", "[::1]:8081", "localhost:0", ":8081". */

#include <stdbool.h>
#include <stdint.h>

#define PRB_ADDRESS_HOST_SIZE 46 /* INET6_ADDRSTRLEN: the longest IPv6 text and its NUL */

struct prb_address {
    char host[PRB_ADDRESS_HOST_SIZE]; /* numeric, without brackets; "": every interface */
    uint16_t port;                    /* 0: any free one */
};

/*
 * False when it is no address with a port. Names are not looked up, since a listener must not
 * depend on DNS; "localhost" is the one that is known.
 */
bool prb_address_parse(const char *text, struct prb_address *ret);

/* "[::1]:8081"; every interface: ":8081". */
#define PRB_ADDRESS_TEXT_SIZE (PRB_ADDRESS_HOST_SIZE + sizeof("[]:65535"))
void prb_address_format(const struct prb_address *address, char text[PRB_ADDRESS_TEXT_SIZE]);

#endif

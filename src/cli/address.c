/* Which address and port does this text name? */

#include "probate/cli/address.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

static bool is_numeric(const char *host)
{
    unsigned char bytes[sizeof(struct in6_addr)];

    return inet_pton(AF_INET, host, bytes) == 1 || inet_pton(AF_INET6, host, bytes) == 1;
}

/* The host between `text` and its last colon; IPv6 must be in brackets, else it is ambiguous. */
static bool parse_host(const char *text, size_t len, char host[PRB_ADDRESS_HOST_SIZE])
{
    bool bracketed = len >= 2 && text[0] == '[' && text[len - 1] == ']';

    if (bracketed) {
        text++;
        len -= 2;
    }
    if (len >= PRB_ADDRESS_HOST_SIZE)
        return false;

    memcpy(host, text, len);
    host[len] = '\0';
    if (!bracketed && prb_streq(host, "localhost"))
        return prb_copy(host, PRB_ADDRESS_HOST_SIZE, "127.0.0.1");
    if (len == 0)
        return !bracketed;
    return is_numeric(host) && bracketed == (strchr(host, ':') != NULL);
}

bool prb_address_parse(const char *text, struct prb_address *ret)
{
    const char *colon = strrchr(text, ':');
    struct prb_address address;
    int64_t port;

    if (!colon || colon[1] == '-' || !prb_parse_int(colon + 1, 0, UINT16_MAX, &port))
        return false;
    if (!parse_host(text, (size_t)(colon - text), address.host))
        return false;

    address.port = (uint16_t)port;
    *ret = address;
    return true;
}

void prb_address_format(const struct prb_address *address, char text[PRB_ADDRESS_TEXT_SIZE])
{
    bool brackets = strchr(address->host, ':') != NULL;

    (void)snprintf(text, PRB_ADDRESS_TEXT_SIZE, "%s%s%s:%u", brackets ? "[" : "", address->host,
            brackets ? "]" : "", (unsigned)address->port);
}

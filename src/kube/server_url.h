#ifndef PROBATE_KUBE_SERVER_URL_H
#define PROBATE_KUBE_SERVER_URL_H

/* The `server` of a kubeconfig, taken apart and checked. Pure. */

#include <stdbool.h>

#include "probate/base/error.h"

struct prb_server_url {
    bool https;
    char *host;    /* owned, as all here; an IPv6 address in brackets */
    char *port;    /* always set */
    char *prefix;  /* "" or "/a/b", no slash at its end */
    bool loopback; /* never leaves this machine */
};

/* INVALID with what is wrong; on failure nothing is owned. */
int prb_server_url_parse(const char *text, struct prb_server_url *ret, struct prb_error *err);
void prb_server_url_done(struct prb_server_url *url);
static inline void prb_server_url_donep(struct prb_server_url *url)
{
    prb_server_url_done(url);
}

#endif

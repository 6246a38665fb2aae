#ifndef PROBATE_KUBE_ENDPOINT_H
#define PROBATE_KUBE_ENDPOINT_H

/*
 * One API server as curl has to be told of it: URL, certificates, proxy, names, credentials.
 * Immutable after it was made, but for the token it sends; shared by all threads.
 */

#include <stdint.h>

#include <curl/curl.h>

#include "probate/kube/kube.h"

#include "auth.h"
#include "memfile.h"

/* A connect that takes longer has met a black hole: a TCP handshake with two lost packets is done
 * within 7 s. */
#define PRB_KUBE_CONNECT_MS 10000

struct prb_kube_endpoint {
    char *base;        /* owned, as all here: URL before the path, without a slash at its end */
    char *host;        /* "host:port", for messages and metrics */
    char *host_header; /* "Host: ..." when the URL has the TLS name in its place; NULL */
    char *user_agent;
    char *proxy; /* "" none whatever the environment says; NULL as the environment says */
    struct curl_slist *connect_to;
    bool insecure;
    char *ca; /* file names; NULL: the system's store, no client certificate */
    char *cert;
    char *key;
    struct prb_memfile files[3];
    struct prb_kube_auth *auth;
};

/* INVALID when the server's URL cannot be used, or its credentials would be sent in the clear. */
int prb_kube_endpoint_new(const struct prb_kube_config *config,
        const struct prb_kube_options *options, struct prb_kube_endpoint **ret,
        struct prb_error *err);
void prb_kube_endpoint_free(struct prb_kube_endpoint *endpoint);
PRB_DEFINE_CLEANUP(struct prb_kube_endpoint *, prb_kube_endpoint_free)

/* Set up a fresh (or reset) handle for a call of this server. `path` is copied by curl. */
void prb_kube_endpoint_prepare(
        const struct prb_kube_endpoint *endpoint, CURL *easy, const char *path);

/*
 * The headers of a call as a list for prb_kube_headers_free: Accept, Content-Type (not when NULL),
 * Authorization. `*ret_generation` is the token's.
 */
struct curl_slist *prb_kube_endpoint_headers(const struct prb_kube_endpoint *endpoint,
        const char *accept, const char *content_type, int64_t mono_ms, unsigned *ret_generation);
void prb_kube_headers_free(struct curl_slist *headers);

#endif

#ifndef PROBATE_KUBE_KUBE_H
#define PROBATE_KUBE_KUBE_H

/*
 * A real API server behind the port, over libcurl: calls on pooled connections from any thread,
 * all watches on one thread of its own. Only GA APIs that every Kubernetes from 1.20 on serves.
 */

#include "probate/api/api.h"
#include "probate/kube/config.h"

/*
 * A watch on which nothing arrived for this long is taken for dead and resumed. Above the 60 s at
 * which the API server sends bookmarks, below the 90 s within which a black hole must be noticed.
 */
#define PRB_KUBE_WATCH_SILENCE_MS 80000

struct prb_kube_options {
    const char *user_agent; /* borrowed; NULL: "probate/<version>" */
    int watch_silence_ms;   /* 0: PRB_KUBE_WATCH_SILENCE_MS; tests make it short */
};

/* Opens no connection yet. `options` may be NULL. Takes nothing. INVALID when a certificate or
 * key of the config cannot be used. */
int prb_kube_open(const struct prb_kube_config *config, const struct prb_kube_options *options,
        struct prb_api **ret, struct prb_error *err);

/* GET /version: the server's gitVersion, so that a start can say what it talks to. */
int prb_kube_version(struct prb_api *api, char *text, size_t size, struct prb_error *err);

#endif

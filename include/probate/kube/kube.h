#ifndef PROBATE_KUBE_KUBE_H
#define PROBATE_KUBE_KUBE_H

/*
 * A real API server behind the port, over libcurl: calls on pooled connections from any thread,
 * all watches on one thread of its own. Only GA APIs that every Kubernetes from 1.20 on serves.
 *
 * Errors, where the server's answer leaves more than one reading:
 * - NOTFOUND has reason "NotFound" when the server names an object that is not there (also the
 *   namespace of a create), and "NotServed" when it does not serve the collection at all. A GET on
 *   a wrong URL is "NotServed" and must not be read as "gone"; neither should it be on a server
 *   that is just starting and does not know its CRDs yet: prb_api_resolve waits for that.
 * - A JSON patch that the server cannot apply comes back as the same 422 for whatever reason. If
 *   it has a `test` or options.resource_version, the object is read once more to tell: CONFLICT
 *   when the object changed since the caller looked, INVALID when the patch itself is wrong.
 * - A redirect is UNSUPPORTED: it is never followed, the token would go elsewhere.
 * - IO after a write: it may have happened. It was sent at most once.
 *
 * Metadata-only objects have no apiVersion and kind; items of lists have those of their list.
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

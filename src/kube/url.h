#ifndef PROBATE_KUBE_URL_H
#define PROBATE_KUBE_URL_H

/*
 * Path and query of API calls. Every part is percent-encoded, so that nothing in a name or a
 * selector can reach another path; names that are path steps (".", "..") are refused.
 */

#include "probate/base/str.h"
#include "probate/model/ref.h"

/*
 * Bytes a path with its query may have. The API server takes request lines up to 1 MiB, but load
 * balancers before it often stop at 64 KiB; a continue token is below 2 KiB, and a selector that
 * needs more than the rest is a mistake.
 */
#define PRB_KUBE_PATH_MAX ((size_t)60 * 1024)

/* Start `path` with prb_str_init(&path, PRB_KUBE_PATH_MAX); `path.cut` says that it did not fit. */

/* "/api/v1/namespaces/NS/pods", "/apis/apps/v1/deployments"; `namespace` "" or NULL: none. */
void prb_kube_path_collection(
        struct prb_str *path, const struct prb_gvr *gvr, const char *namespace);

/* "<collection>/NAME" and "/status" with it; false when the name is none for a URL. */
bool prb_kube_path_object(struct prb_str *path, const struct prb_ref *ref, const char *subresource);

/* "/api/v1" and "/apis/apps/v1"; without `version` "/apis/apps". */
void prb_kube_path_group(struct prb_str *path, const char *group, const char *version);

/* "?key=value", or "&key=value" after the first; nothing when `value` is NULL or "". */
void prb_kube_path_query(struct prb_str *path, const char *key, const char *value);
void prb_kube_path_query_int(struct prb_str *path, const char *key, int64_t value);

#endif

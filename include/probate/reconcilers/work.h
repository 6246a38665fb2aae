#ifndef PROBATE_RECONCILERS_WORK_H
#define PROBATE_RECONCILERS_WORK_H

/* What the command line decides about ManifestWorks: `settings` of prb_reconciler_work. */

#include <stdint.h>

#include "probate/base/sha256.h"
#include "probate/model/ref.h"

#define PRB_WORK_GROUP "work.open-cluster-management.io"
#define PRB_WORK_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"
#define PRB_APPLIED_FINALIZER "cluster.open-cluster-management.io/applied-manifest-work-cleanup"

/* On what was applied: the hash of the manifest as it was then. */
#define PRB_ANNOTATION_MANIFEST_HASH "probate.dev/manifest-hash"

/* An AppliedManifestWork that nobody manages any more is given so long for its work to come back:
 * the restore of a hub takes less. */
#define PRB_EVICTION_GRACE_MS (60 * 60 * 1000)

struct prb_work_settings {
    char cluster_name[PRB_NAMESPACE_SIZE]; /* the namespace of its works on the hub */
    char hub_hash[PRB_SHA256_HEX_SIZE];    /* of the hub's URL, as it is in the kubeconfig */
    char agent_id[PRB_NAME_SIZE];          /* whose AppliedManifestWorks these are */
    int64_t eviction_grace_ms;             /* 0: never */
    int64_t resync_ms;                     /* 0: the preset */
};

#endif

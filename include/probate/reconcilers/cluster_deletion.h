#ifndef PROBATE_RECONCILERS_CLUSTER_DELETION_H
#define PROBATE_RECONCILERS_CLUSTER_DELETION_H

/*
 * What the command line decides about the deletion of clusters: `settings` of
 * prb_reconciler_cluster_deletion. All borrowed.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/model/gvr.h"

/* The name that Open Cluster Management's registration controller uses too. */
#define PRB_CLUSTER_FINALIZER "cluster.open-cluster-management.io/api-resource-cleanup"

/* Monitored resources are watched one by one; a hub has provisioners of a few kinds. */
#define PRB_MONITORED_MAX 32

/* On a namespace that is being cleaned, as annotations: of which cluster, and that it is this
 * namespace. A namespace that a backup brings back has another uid, and is nobody's to clean. */
#define PRB_MARK_CLUSTER_UID "probate.dev/deleting-cluster-uid"
#define PRB_MARK_NAMESPACE_UID "probate.dev/deleting-namespace-uid"

/* Beside these where the namespace itself stays, and only the cluster could tell why: it is
 * somebody else's. */
#define PRB_MARK_KEEPS "probate.dev/deleting-keeps-namespace"

/* On a deleting ManagedCluster, with the reason as its value. */
#define PRB_ANNOTATION_RELEASE_WORKS "probate.dev/release-works"

enum prb_delete_works {
    PRB_DELETE_WORKS_NONE,  /* all are awaited */
    PRB_DELETE_WORKS_ADDON, /* those of addons that are gone; the default */
    PRB_DELETE_WORKS_ALL,   /* every work, the klusterlet's own last */
};

struct prb_cluster_settings {
    const char *finalizer;
    const struct prb_gvr *monitored;
    size_t monitored_count;
    enum prb_delete_works delete_works;
};

#endif

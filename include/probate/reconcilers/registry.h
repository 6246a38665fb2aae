#ifndef PROBATE_RECONCILERS_REGISTRY_H
#define PROBATE_RECONCILERS_REGISTRY_H

/* Every reconciler there is. Each is one file, and one line in the table of registry.c. */

#include <stddef.h>

#include "probate/core/reconciler.h"

/* Deletes the composite of a deleted claim, and waits for it; see claims.h. */
extern const struct prb_reconciler prb_reconciler_claims;

/* Deletes what belongs to a deleted ManagedCluster, in order; see cluster_deletion.h. */
extern const struct prb_reconciler prb_reconciler_cluster_deletion;

/* Keeps the status of CriticalServices, and the label on what they protect. */
extern const struct prb_reconciler prb_reconciler_critical_service;

/* Says what each deletion of clusters, works, addons and namespaces waits for. Writes nothing. */
extern const struct prb_reconciler prb_reconciler_deletion_watch;

/* Makes what ConfigurationPolicies say so, and prunes what they have created; see policy.h. */
extern const struct prb_reconciler prb_reconciler_policy;

/* Brings ManifestWorks to a cluster, and takes away what goes with them; see work.h. */
extern const struct prb_reconciler prb_reconciler_work;

/* The table, static, sorted by name. */
const struct prb_reconciler *const *prb_reconcilers(size_t *ret_count);

#endif

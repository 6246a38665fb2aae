#ifndef PROBATE_MODEL_SIDE_H
#define PROBATE_MODEL_SIDE_H

/*
 * Two clusters in one view. An agent reads ManifestWorks on the hub and acts on its own cluster,
 * and either may serve any kind: a work may even bring ManifestWorks to a cluster that is a hub
 * itself. So what is on the hub has a group of its own, which no API server serves:
 *
 *   work.open-cluster-management.io          on the cluster
 *   work.open-cluster-management.io.hub.probate.dev    the same on the hub
 *   hub.probate.dev                                    the core group on the hub
 *
 * Stores, informers, refs and changes need not know; api/sides.h sends each call to where it
 * belongs. Everything without the suffix is on the cluster. What objects name (the apiVersion of a
 * manifest, an entry of a status) must never reach a ref with such a group in it: it would be sent
 * to the hub.
 */

#include <stdbool.h>

#include "probate/model/gvr.h"

#define PRB_HUB_GROUP "hub.probate.dev"
#define PRB_HUB_SUFFIX "." PRB_HUB_GROUP

bool prb_side_is_hub(const char *group);

/* The group as the hub's API server knows it. `group` is on the hub's side. */
void prb_side_strip(const char *group, char ret[PRB_GROUP_SIZE]);

/* For a person, and on the cluster's side as kubectl takes it: "namespaces",
 * "manifestworks.work.open-cluster-management.io on the hub". */
#define PRB_SIDE_TEXT_SIZE (PRB_GVR_TEXT_SIZE + sizeof(" on the hub"))
void prb_side_describe(const struct prb_gvr *gvr, char text[PRB_SIDE_TEXT_SIZE]);

/* The same of a group alone: "apps", "apps on the hub", "core on the hub". */
#define PRB_SIDE_GROUP_TEXT_SIZE (PRB_GROUP_SIZE + sizeof(" on the hub"))
void prb_side_describe_group(const char *group, char text[PRB_SIDE_GROUP_TEXT_SIZE]);

#endif

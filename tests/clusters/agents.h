#ifndef TESTS_CLUSTERS_AGENTS_H
#define TESTS_CLUSTERS_AGENTS_H

/*
 * Those on whom the deletion of a cluster waits, each as real ones are: the work agent takes its
 * finalizer off deleted works, but only while its RoleBinding is there; the controller of an addon
 * takes its own off deleted addons; who made customised works deletes them when their cluster is
 * deleted. They care for objects with the label AGENTS only, of clusters that have it.
 */

#include "recording.h"

#define AGENTS_LABEL "example.org/agents"
#define AGENTS "'" AGENTS_LABEL "':'awake'"

/* Label of a customised work, beside AGENTS: it is deleted by who made it. */
#define OWNED_LABEL "example.org/owned"

#define HOOK_FINALIZER "addon.open-cluster-management.io/addon-pre-delete"
#define WORK_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"

struct agents;
int agents_start(struct prb_api *api, struct agents **ret, struct prb_error *err);
void agents_stop(struct agents *agents); /* NULL is fine */

/* They hear of everything from a recording, which has to be stopped before them. */
struct recording_listener agents_listener(struct agents *agents);

/* How often an agent had a work to clean up and no right to do it: never, if all goes well. */
unsigned agents_robbed(struct agents *agents);

#endif

#ifndef SRC_RECONCILERS_CLUSTER_NAMES_H
#define SRC_RECONCILERS_CLUSTER_NAMES_H

/* An object says with it when its turn is, as OCM has it: 0 to 100, lowest first. */
#define PRB_PRIORITY_ANNOTATION "open-cluster-management.io/cleanup-priority"

/* All that is read of the annotations of works, whose manifests may be in the others once more. */
extern const char *const prb_work_annotations[];

/*
 * What OCM calls the RBAC objects of a cluster: "PREFIX<name>" for the ClusterRole and its binding,
 * "PREFIX<name>END" for the RoleBindings of the two agents in the namespace of that name.
 */

#define PRB_RBAC_PREFIX "open-cluster-management:managedcluster:"
#define PRB_REGISTRATION_END ":registration"
#define PRB_WORK_END ":work"

#endif

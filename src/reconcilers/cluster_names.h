#ifndef SRC_RECONCILERS_CLUSTER_NAMES_H
#define SRC_RECONCILERS_CLUSTER_NAMES_H

/*
 * What OCM calls the RBAC objects of a cluster: "PREFIX<name>" for the ClusterRole and its binding,
 * "PREFIX<name>END" for the RoleBindings of the two agents in the namespace of that name.
 */

#define PRB_RBAC_PREFIX "open-cluster-management:managedcluster:"
#define PRB_REGISTRATION_END ":registration"
#define PRB_WORK_END ":work"

#endif

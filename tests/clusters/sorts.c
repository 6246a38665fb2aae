/* Which kinds does the deletion of a cluster concern? */

#include "recording.h"

static const struct {
    const char *name;
    struct prb_gvr gvr;
} table[SORTS] = {
    [MONITORED] = { "monitored resource", { MONITORED_GROUP, "v1", MONITORED_RESOURCE } },
    [ADDON] = { "addon",
            { "addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons" } },
    [WORK] = { "work", { "work.open-cluster-management.io", "v1", "manifestworks" } },
    [ROLEBINDING] = { "RoleBinding", { "rbac.authorization.k8s.io", "v1", "rolebindings" } },
    [ROLE] = { "ClusterRole", { "rbac.authorization.k8s.io", "v1", "clusterroles" } },
    [ROLE_BINDING] = { "ClusterRoleBinding",
            { "rbac.authorization.k8s.io", "v1", "clusterrolebindings" } },
    [NAMESPACE] = { "namespace", { "", "v1", "namespaces" } },
    [CLUSTER] = { "cluster", { "cluster.open-cluster-management.io", "v1", "managedclusters" } },
};

struct prb_gvr sort_gvr(enum sort sort)
{
    return table[sort].gvr;
}

const char *sort_name(enum sort sort)
{
    return table[sort].name;
}

bool sort_is_namespaced(enum sort sort)
{
    return sort == MONITORED || sort == ADDON || sort == WORK || sort == ROLEBINDING;
}

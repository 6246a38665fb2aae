/* Which kinds does the deletion of a cluster concern? */

#include "recording.h"

static const struct {
    struct prb_gvr gvr;
    const char *name;
    bool namespaced;
} table[SORTS] = {
    [MONITORED] = { { MONITORED_GROUP, "v1", MONITORED_RESOURCE }, "monitored resource", true },
    [ADDON] = { { "addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons" }, "addon",
            true },
    [WORK] = { { "work.open-cluster-management.io", "v1", "manifestworks" }, "work", true },
    [ROLEBINDING] = { { "rbac.authorization.k8s.io", "v1", "rolebindings" }, "RoleBinding", true },
    [ROLE] = { { "rbac.authorization.k8s.io", "v1", "clusterroles" }, "ClusterRole", false },
    [ROLE_BINDING] = { { "rbac.authorization.k8s.io", "v1", "clusterrolebindings" },
            "ClusterRoleBinding", false },
    [NAMESPACE] = { { "", "v1", "namespaces" }, "namespace", false },
    [CLUSTER] = { { "cluster.open-cluster-management.io", "v1", "managedclusters" }, "cluster",
            false },
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
    return table[sort].namespaced;
}

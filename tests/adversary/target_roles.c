/* Who may do what on the real API server? */

#include "target_roles.h"

#include "probate/base/str.h"

#include "target.h"

#define YAML_MAX ((size_t)16 * 1024)

char *target_values(void)
{
    struct prb_str values;
    char group[TARGET_GROUP_SIZE];

    prb_str_init(&values, YAML_MAX);
    prb_str_add(&values, "{works: {clusterName: " TARGET_CLUSTER "}, controllers: {work: true, "
                         "policy: true}, criteriaResources: [configmaps, "
                         "customresourcedefinitions.apiextensions.k8s.io");
    for (unsigned i = 0; i < TARGET_SLOTS; i++) {
        target_group(i, group);
        prb_str_addf(&values, ", coolresources.%s", group);
    }
    prb_str_add(&values, "]}");
    return prb_str_take(&values);
}

#define PLAYER_ROLE                                                                                \
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: player}, "     \
    "rules: [{apiGroups: [''], resources: [namespaces, namespaces/status, namespaces/finalize, "   \
    "serviceaccounts, configmaps], verbs: &all [get, list, watch, create, update, patch, delete, " \
    "deletecollection]}, {apiGroups: [apps], resources: [deployments, deployments/status], "       \
    "verbs: *all}, {apiGroups: [work.open-cluster-management.io], resources: [manifestworks], "    \
    "verbs: *all}, {apiGroups: [policy.open-cluster-management.io], resources: "                   \
    "[configurationpolicies], verbs: *all}, {apiGroups: [probate.dev], resources: "                \
    "[criticalservices], verbs: *all}, {apiGroups: [apiextensions.k8s.io], resources: "            \
    "[customresourcedefinitions], verbs: [get, list, watch, create, update, patch]}"

#define PLAYER_BINDING                                                                           \
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: "     \
    "player}, roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: player}, " \
    "subjects: [{kind: ServiceAccount, name: player, namespace: players}]}"

char *target_player_roles(void)
{
    struct prb_str roles;
    char group[TARGET_GROUP_SIZE];

    prb_str_init(&roles, YAML_MAX);
    prb_str_add(&roles, PLAYER_ROLE);
    for (unsigned i = 0; i < TARGET_SLOTS; i++) {
        target_group(i, group);
        prb_str_addf(&roles,
                ", {apiGroups: [apiextensions.k8s.io], resources: [customresourcedefinitions], "
                "resourceNames: [coolresources.%s], verbs: [delete]}, {apiGroups: [%s], resources: "
                "[coolresources], verbs: *all}",
                group, group);
    }
    prb_str_add(&roles, "]}\n---\n" PLAYER_BINDING "\n");
    return prb_str_take(&roles);
}

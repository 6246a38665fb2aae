/* Which kinds have to be there before others? */

#include "probate/base/str.h"

#include "manifest_internal.h"

#define RBAC "rbac.authorization.k8s.io"
#define ADMISSION "admissionregistration.k8s.io"

/* The ranks of the reference agent, by group as well: somebody's own "Service" is none. */
static const struct rank {
    const char *group, *kind; /* static; group NULL: it has moved between groups */
    int rank;
} ranks[] = {
    { "scheduling.k8s.io", "PriorityClass", 0 },
    { "", "Namespace", 0 },
    { "apiextensions.k8s.io", "CustomResourceDefinition", 0 },
    { "storage.k8s.io", "StorageClass", 0 },
    { "", "PersistentVolume", 0 },
    { NULL, "PodSecurityPolicy", 0 },
    { RBAC, "ClusterRole", 1 },
    { RBAC, "ClusterRoleBinding", 1 },
    { RBAC, "Role", 1 },
    { RBAC, "RoleBinding", 1 },
    { "networking.k8s.io", "NetworkPolicy", 2 },
    { "", "ResourceQuota", 2 },
    { "", "LimitRange", 2 },
    { "policy", "PodDisruptionBudget", 2 },
    { "", "ServiceAccount", 2 },
    { "", "Secret", 3 },
    { "", "ConfigMap", 3 },
    { "", "PersistentVolumeClaim", 3 },
    { "", "Service", 4 },
    { "apps", "DaemonSet", 5 },
    { "", "Pod", 5 },
    { "", "ReplicationController", 5 },
    { "apps", "ReplicaSet", 5 },
    { "apps", "Deployment", 5 },
    { "autoscaling", "HorizontalPodAutoscaler", 5 },
    { "apps", "StatefulSet", 5 },
    { "batch", "Job", 5 },
    { "batch", "CronJob", 5 },
    { "apiregistration.k8s.io", "APIService", 6 },
    { ADMISSION, "MutatingWebhookConfiguration", 6 },
    { ADMISSION, "ValidatingWebhookConfiguration", 6 },
    { ADMISSION, "ValidatingAdmissionPolicy", 6 },
    { ADMISSION, "ValidatingAdmissionPolicyBinding", 6 },
};

int prb_manifest_rank(const char *group, const char *kind)
{
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        if (prb_streq(ranks[i].kind, kind) && (!ranks[i].group || prb_streq(ranks[i].group, group)))
            return ranks[i].rank;
    }
    return PRB_RANK_OTHER;
}

bool prb_manifest_is(const struct json_object *tree, const char *group, const char *kind)
{
    const char *api_version = prb_json_str(tree, "apiVersion");
    char its_group[PRB_GROUP_SIZE], version[PRB_VERSION_SIZE];

    return prb_streq(prb_json_str(tree, "kind"), kind) && api_version &&
           prb_api_version_parse(api_version, its_group, version) && prb_streq(its_group, group);
}

/*
 * Which kinds does every hub know? Kubernetes' own as 1.20 to the newest serve them, and those
 * that Probate deals with as if their CRDs were installed. The flags are what the strategies in
 * Kubernetes' source do with each kind.
 */

#include "kinds.h"

#define NS PRB_HUB_NAMESPACED
#define ST (PRB_HUB_STATUS | PRB_HUB_STATUS_META)
#define GEN PRB_HUB_GENERATION
#define UNC PRB_HUB_UNCONDITIONAL
#define PUT PRB_HUB_PUT_CREATES
#define EVENT (NS | UNC | PUT | PRB_HUB_NOT_COLLECTED)
#define RBAC (UNC | PUT | PRB_HUB_PATH_NAMES)
#define WORKLOAD (NS | ST | GEN | UNC)
#define CUSTOM (PRB_HUB_CUSTOM | PRB_HUB_GENERATION | PRB_HUB_STATUS)

#define RBAC_GROUP "rbac.authorization.k8s.io"
#define STORAGE "storage.k8s.io"
#define NETWORKING "networking.k8s.io"
#define CLUSTER "cluster.open-cluster-management.io"
#define WORK "work.open-cluster-management.io"
#define ADDON "addon.open-cluster-management.io"
#define OPERATOR "operator.open-cluster-management.io"
#define POLICY "policy.open-cluster-management.io"
#define CROSSPLANE "apiextensions.crossplane.io"

const struct prb_hub_kind_spec prb_hub_known_kinds[] = {
    { "", "v1", "configmaps", "ConfigMap", "cm", NS | UNC, NULL },
    { "", "v1", "endpoints", "Endpoints", "ep", NS | UNC | PUT, NULL },
    { "", "v1", "events", "Event", "ev", EVENT, NULL },
    { "", "v1", "limitranges", "LimitRange", "limits", NS | UNC | PUT, NULL },
    { "", "v1", "namespaces", "Namespace", "ns", ST | UNC | PRB_HUB_LABEL_NAMES, NULL },
    { "", "v1", "nodes", "Node", "no", ST | UNC, NULL },
    { "", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", "pvc", NS | ST | UNC, NULL },
    { "", "v1", "persistentvolumes", "PersistentVolume", "pv", ST | UNC, NULL },
    { "", "v1", "pods", "Pod", "po", NS | ST | UNC, NULL },
    { "", "v1", "podtemplates", "PodTemplate", NULL, NS | UNC, NULL },
    { "", "v1", "replicationcontrollers", "ReplicationController", "rc", WORKLOAD | PRB_HUB_ORPHANS,
            NULL },
    { "", "v1", "resourcequotas", "ResourceQuota", "quota", NS | ST | UNC, NULL },
    { "", "v1", "secrets", "Secret", NULL, NS | UNC, NULL },
    { "", "v1", "serviceaccounts", "ServiceAccount", "sa", NS | UNC, NULL },
    { "", "v1", "services", "Service", "svc", NS | ST | UNC | PUT, NULL },

    { "admissionregistration.k8s.io", "v1,v1beta1", "mutatingwebhookconfigurations",
            "MutatingWebhookConfiguration", NULL, GEN, NULL },
    { "admissionregistration.k8s.io", "v1,v1beta1", "validatingwebhookconfigurations",
            "ValidatingWebhookConfiguration", NULL, GEN, NULL },
    { "apiextensions.k8s.io", "v1,v1beta1", "customresourcedefinitions", "CustomResourceDefinition",
            "crd,crds", ST | GEN | PRB_HUB_KEEP_LABELS, NULL },
    { "apiregistration.k8s.io", "v1,v1beta1", "apiservices", "APIService", NULL, ST, NULL },
    { "apps", "v1", "controllerrevisions", "ControllerRevision", NULL, NS | UNC, NULL },
    { "apps", "v1", "daemonsets", "DaemonSet", "ds", WORKLOAD, NULL },
    { "apps", "v1", "deployments", "Deployment", "deploy",
            WORKLOAD | PRB_HUB_KEEP_LABELS | PRB_HUB_ANNOTATIONS, NULL },
    { "apps", "v1", "replicasets", "ReplicaSet", "rs", WORKLOAD, NULL },
    { "apps", "v1", "statefulsets", "StatefulSet", "sts", WORKLOAD, NULL },
    { "autoscaling", "v2,v1,v2beta2,v2beta1", "horizontalpodautoscalers", "HorizontalPodAutoscaler",
            "hpa", NS | ST | UNC, NULL },
    { "batch", "v1,v1beta1", "cronjobs", "CronJob", "cj", NS | ST | UNC, NULL },
    { "batch", "v1", "jobs", "Job", NULL, NS | ST | UNC | PRB_HUB_ORPHANS, NULL },
    { "certificates.k8s.io", "v1,v1beta1", "certificatesigningrequests",
            "CertificateSigningRequest", "csr", ST | UNC, NULL },
    { "coordination.k8s.io", "v1,v1beta1", "leases", "Lease", NULL, NS | PUT, NULL },
    { "discovery.k8s.io", "v1,v1beta1", "endpointslices", "EndpointSlice", NULL, NS | GEN | UNC,
            NULL },
    { "events.k8s.io", "v1,v1beta1", "events", "Event", "ev", EVENT, NULL },
    { "flowcontrol.apiserver.k8s.io", "v1,v1beta3,v1beta2,v1beta1", "flowschemas", "FlowSchema",
            NULL, PRB_HUB_STATUS | GEN | UNC, NULL },
    { "flowcontrol.apiserver.k8s.io", "v1,v1beta3,v1beta2,v1beta1", "prioritylevelconfigurations",
            "PriorityLevelConfiguration", NULL, PRB_HUB_STATUS | GEN | UNC, NULL },
    { NETWORKING, "v1,v1beta1", "ingressclasses", "IngressClass", NULL, GEN | UNC, NULL },
    { NETWORKING, "v1,v1beta1", "ingresses", "Ingress", "ing", WORKLOAD, NULL },
    { NETWORKING, "v1", "networkpolicies", "NetworkPolicy", "netpol", NS | GEN | UNC, NULL },
    { "node.k8s.io", "v1,v1beta1", "runtimeclasses", "RuntimeClass", NULL, PUT, NULL },
    { "policy", "v1,v1beta1", "poddisruptionbudgets", "PodDisruptionBudget", "pdb", NS | ST | GEN,
            NULL },
    { RBAC_GROUP, "v1,v1beta1", "clusterrolebindings", "ClusterRoleBinding", NULL, RBAC, NULL },
    { RBAC_GROUP, "v1,v1beta1", "clusterroles", "ClusterRole", NULL, RBAC, NULL },
    { RBAC_GROUP, "v1,v1beta1", "rolebindings", "RoleBinding", NULL, NS | RBAC, NULL },
    { RBAC_GROUP, "v1,v1beta1", "roles", "Role", NULL, NS | RBAC, NULL },
    { "scheduling.k8s.io", "v1,v1beta1", "priorityclasses", "PriorityClass", "pc", GEN | UNC,
            NULL },
    { STORAGE, "v1,v1beta1", "csidrivers", "CSIDriver", NULL, 0, NULL },
    { STORAGE, "v1,v1beta1", "csinodes", "CSINode", NULL, 0, NULL },
    { STORAGE, "v1,v1beta1", "storageclasses", "StorageClass", "sc", UNC, NULL },
    { STORAGE, "v1,v1beta1", "volumeattachments", "VolumeAttachment", NULL, PRB_HUB_STATUS, NULL },

    { CLUSTER, "v1", "managedclusters", "ManagedCluster", "mcl,mcls", CUSTOM, NULL },
    { CLUSTER, "v1beta2", "managedclustersets", "ManagedClusterSet", "mclset,mclsets", CUSTOM,
            NULL },
    { CLUSTER, "v1beta2", "managedclustersetbindings", "ManagedClusterSetBinding",
            "mclsetbinding,mclsetbindings", CUSTOM | NS, NULL },
    { CLUSTER, "v1beta1", "placements", "Placement", NULL, CUSTOM | NS, NULL },
    { CLUSTER, "v1beta1", "placementdecisions", "PlacementDecision", NULL, CUSTOM | NS, NULL },
    { CLUSTER, "v1alpha1", "addonplacementscores", "AddOnPlacementScore", NULL, CUSTOM | NS, NULL },
    { WORK, "v1", "manifestworks", "ManifestWork", NULL, CUSTOM | NS, NULL },
    { WORK, "v1", "appliedmanifestworks", "AppliedManifestWork", NULL, CUSTOM, NULL },
    { WORK, "v1alpha1", "manifestworkreplicasets", "ManifestWorkReplicaSet", "mwrs", CUSTOM | NS,
            NULL },
    { ADDON, "v1beta1,v1alpha1", "managedclusteraddons", "ManagedClusterAddOn", "mca,mcas",
            CUSTOM | NS, NULL },
    { ADDON, "v1beta1,v1alpha1", "clustermanagementaddons", "ClusterManagementAddOn", "cma,cmas",
            CUSTOM, NULL },
    { ADDON, "v1beta1,v1alpha1", "addondeploymentconfigs", "AddOnDeploymentConfig", NULL,
            CUSTOM | NS, NULL },
    { ADDON, "v1beta1,v1alpha1", "addontemplates", "AddOnTemplate", NULL, CUSTOM, NULL },
    { OPERATOR, "v1", "clustermanagers", "ClusterManager", NULL, CUSTOM, NULL },
    { OPERATOR, "v1", "klusterlets", "Klusterlet", NULL, CUSTOM, NULL },
    { POLICY, "v1", "configurationpolicies", "ConfigurationPolicy", NULL, CUSTOM | NS, NULL },
    { POLICY, "v1", "policies", "Policy", "plc", CUSTOM | NS, NULL },
    { CROSSPLANE, "v1,v2", "compositeresourcedefinitions", "CompositeResourceDefinition",
            "xrd,xrds", CUSTOM, NULL },
    { CROSSPLANE, "v1", "compositions", "Composition", "comp", CUSTOM, NULL },
    { "probate.dev", "v1alpha1", "criticalservices", "CriticalService", "crit", CUSTOM, NULL },
};

const size_t prb_hub_known_kind_count =
        sizeof(prb_hub_known_kinds) / sizeof(prb_hub_known_kinds[0]);

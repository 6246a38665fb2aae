/* Does the API server take the definitions, and do they do what they say? */

#include "manifests.h"
#include "rows.h"

#define ESTABLISHED(crd)                                                   \
    DO("wait --for=condition=Established --timeout=20s crd/" crd),         \
    {                                                                      \
        .run = "get crd/" crd " -o jsonpath={.status.conditions[*].type}", \
        .lacks = "NonStructural"                                           \
    }

#define APPLIED                                                                       \
    OBJECT("work.open-cluster-management.io/v1", "AppliedManifestWork", "'name':'@'", \
            ",'spec':{'hubHash':'1f','manifestWorkName':'w','agentID':'a'}")
#define UNNAMED                                                                         \
    OBJECT("work.open-cluster-management.io/v1", "AppliedManifestWork", "'name':'@-2'", \
            ",'spec':{'hubHash':'1f'}")
#define XRD                                                                                  \
    OBJECT("apiextensions.crossplane.io/v1", "CompositeResourceDefinition", "'name':'xs.@'", \
            ",'spec':{'group':'@','names':{'kind':'X','plural':'xs'},'versions':[]}")
#define CONDITION(type, status)                                                                 \
    "{'type':'" type "','status':'" status "','reason':'R','message':'m','lastTransitionTime':" \
    "'2026-01-01T00:00:00Z'}"

#define STATUS_BY(manager) "apply --server-side --subresource=status --field-manager=" manager
#define CLUSTER_STATUS(condition)                                                   \
    OBJECT("cluster.open-cluster-management.io/v1", "ManagedCluster", "'name':'@'", \
            ",'status':{'conditions':[" condition "]}")
#define WORK_STATUS(condition)                                                                 \
    OBJECT("work.open-cluster-management.io/v1", "ManifestWork", "'namespace':'@','name':'w'", \
            ",'status':{'conditions':[" condition "]}")

static const struct row rows[] = {
    ROW("manifestworks_are_served", SHIPPED | ORIGINAL, NOTHING,
            ESTABLISHED("manifestworks.work.open-cluster-management.io"),
            /* What the API server publishes follows what it serves by a second or two. */
            { .run = "explain manifestwork.spec.deleteOption",
                    .says = { "propagationPolicy", "selectivelyOrphans" },
                    .until = true }),
    ROW("appliedmanifestworks_are_served", SHIPPED | ORIGINAL, NOTHING,
            ESTABLISHED("appliedmanifestworks.work.open-cluster-management.io"), CREATED(APPLIED),
            INVALID("spec.manifestWorkName", "create", UNNAMED, "spec.manifestWorkName")),
    ROW("managedclusters_are_served", SHIPPED | ORIGINAL, CLUSTER,
            ESTABLISHED("managedclusters.cluster.open-cluster-management.io"),
            SHOWS("get mcl @ -o jsonpath={.spec.leaseDurationSeconds}", "60"),
            SHOWS("get mcl @", "HUB ACCEPTED", "JOINED", "AVAILABLE")),
    ROW("managedclusteraddons_are_served", SHIPPED, A_CLUSTER,
            ESTABLISHED("managedclusteraddons.addon.open-cluster-management.io"),
            CREATED(ADDON("a")),
            SHOWS("get mca a -o jsonpath={.spec.installNamespace}",
                    "open-cluster-management-agent-addon")),
    ROW("configurationpolicies_are_served", SHIPPED | ORIGINAL, NAMESPACE,
            ESTABLISHED("configurationpolicies.policy.open-cluster-management.io"),
            CREATED(PRUNING("p", "")),
            SHOWS("get configurationpolicy p -o "
                  "jsonpath={.spec.pruneObjectBehavior}-{.spec.remediationAction}",
                    "None-inform")),
    ROW("compositeresourcedefinitions_are_served", SHIPPED, NOTHING,
            ESTABLISHED("compositeresourcedefinitions.apiextensions.crossplane.io"), CREATED(XRD),
            SHOWS("get xrd xs.@ -o "
                  "jsonpath={.spec.defaultCompositeDeletePolicy}-{.spec.scope}",
                    "Background-LegacyCluster")),
    ROW("misspelt_rules_are_dropped_and_the_default_is_filled_in", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(WORK_OPTION("w", "'selectivelyOrphan':[{'resourceName':'cm1'}]")),
            SHOWS("get manifestwork w -o jsonpath={.spec.deleteOption}",
                    "{'propagationPolicy':'Foreground'}")),
    ROW("conditions_of_works_are_a_map_by_type", SHIPPED | ORIGINAL, A_CLUSTER, CREATED(WORK("w")),
            SEND(STATUS_BY("one"), WORK_STATUS(CONDITION("One", "True"))),
            SEND(STATUS_BY("two"), WORK_STATUS(CONDITION("Two", "False"))),
            SHOWS("get manifestwork w -o jsonpath={.status.conditions[*].type}", "One Two")),
    /* Not of the original: Kubernetes 1.20 cannot apply to it by type, for what it says of
     * status.capacity. */
    ROW("conditions_of_clusters_are_a_map_by_type", SHIPPED, CLUSTER,
            SEND(STATUS_BY("one"), CLUSTER_STATUS(CONDITION("One", "True"))),
            SEND(STATUS_BY("two"), CLUSTER_STATUS(CONDITION("Two", "False"))),
            SHOWS("get mcl @ -o jsonpath={.status.conditions[*].type}", "One Two")),
};

const struct rows rows_definitions = { rows, sizeof(rows) / sizeof(rows[0]) };

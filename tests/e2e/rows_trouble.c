/* What does a person read when Probate cannot do its work? */

#include "manifests.h"
#include "rows.h"

static const struct row rows[] = {
    /* Here GETs of clusters and addons get no answer; see also unreached.c. */
    ROW("a_cluster_that_the_cache_knows_needs_no_look", UNREACHED, A_CLUSTER,
            SEND("create", WORK("w"))),
    ROW("what_needs_no_look_is_judged_as_ever", UNREACHED, NAMESPACE,
            INVALID("spec.compositeDeletePolicy", "create",
                    CLAIM("c", "'compositeDeletePolicy':'Orphan'"), "'Orphan' is not supported")),
    ROW("a_right_that_probate_lacks_is_named", POWERLESS, NAMESPACE,
            REFUSED(403, "create", WORK("w"),
                    "Probate must look up ManagedCluster @ and lacks the right to (verb "
                    "'get' on managedclusters.cluster.open-cluster-management.io)",
                    "'probate manifest rbac' prints what is needed")),
    ROW("a_hub_without_clusters_is_told_apart_from_a_missing_cluster", CLUSTERLESS, NAMESPACE,
            REFUSED(403, "create", WORK("w"),
                    "the hub does not serve ManagedClusters "
                    "(managedclusters.cluster.open-cluster-management.io is not "
                    "installed)",
                    "--rules=-cluster-lifecycle")),
    ROW("while_probate_is_down_what_it_judges_is_refused", DOWN | SANITIZED, NAMESPACE,
            REFUSED(500, "create", WORK("w"), "failed calling webhook", ".probate.dev",
                    "connection refused"),
            REFUSED(500, "create", ADDON("a"), "failed calling webhook"),
            REFUSED(500, "create", PRUNING("p", ""), "failed calling webhook"),
            REFUSED(500, "create", CLAIM("c", ""), "failed calling webhook")),
    ROW("while_probate_is_down_all_else_goes_on", DOWN | SANITIZED, NAMESPACE,
            DO("create configmap other --from-literal=a=b"),
            DO("delete namespace @ --wait=false" CLUSTER_WIDE)),
};

const struct rows rows_trouble = { rows, sizeof(rows) / sizeof(rows[0]) };

/* May an addon or a work begin in this cluster? */

#include "manifests.h"
#include "rows.h"

#define AGAIN "Wait until the cluster is gone and registered anew, or use another one"

/* A cluster and a work that follows it at once, in a namespace that is there. */
#define PAIR(n)        \
    CLUSTER_OF("@-" n) \
    WORK_IN("@-" n, "'name':'first'", MANIFESTS)
#define FIVE(of, n) of(n "1") of(n "2") of(n "3") of(n "4") of(n "5")
#define PLACE(n) NAMESPACE_OF("@-" n)

static const struct row rows[] = {
    ROW("a_work_is_created_in_a_cluster_that_lives", SHIPPED | ORIGINAL | SANITIZED, A_CLUSTER,
            SEND("create", WORK("w"))),
    ROW("an_addon_is_created_in_a_cluster_that_lives", SHIPPED, A_CLUSTER,
            SEND("create", ADDON("a"))),
    ROW("a_work_without_a_cluster_is_refused", SHIPPED | SANITIZED, NAMESPACE,
            REFUSED(403, "create", WORK("w"),
                    "admission webhook 'cluster-lifecycle.probate.dev' denied the request: "
                    "ManifestWork @/w cannot be created: there is no ManagedCluster @",
                    "Create it first, or use the namespace of a cluster that "
                    "exists (kubectl get managedclusters)")),
    ROW("an_addon_without_a_cluster_is_refused", SHIPPED, NAMESPACE,
            REFUSED(403, "create", ADDON("a"),
                    "ManagedClusterAddOn @/a cannot be created: there is no "
                    "ManagedCluster @")),
    ROW("a_work_in_a_cluster_that_is_being_deleted_is_refused", SHIPPED | ORIGINAL | SANITIZED,
            A_CLUSTER, THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", WORK("w"),
                    "ManifestWork @/w cannot be created: ManagedCluster @ is being "
                    "deleted, and only works for the pre-delete hook of an addon are accepted",
                    AGAIN)),
    ROW("an_addon_in_a_cluster_that_is_being_deleted_is_refused", SHIPPED, A_CLUSTER,
            THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", ADDON("a"),
                    "ManagedClusterAddOn @/a cannot be created: ManagedCluster @ is "
                    "being deleted. " AGAIN)),
    ROW("a_work_whose_name_the_server_makes_up_is_refused_by_that_name", SHIPPED, NAMESPACE,
            REFUSED(403, "create", WORK_WITH("'generateName':'web-'", MANIFESTS),
                    "ManifestWork @/web-", "cannot be created: there is no ManagedCluster @")),
    ROW("what_is_there_in_a_cluster_that_goes_may_change_and_go", SHIPPED, A_CLUSTER,
            CREATED(WORK("w") ADDON_WITH("'name':'a'," HOLD)), THE_CLUSTER_IS_DELETED,
            DO("label manifestwork w team=web"), DO("label managedclusteraddon a team=web"),
            DO("delete managedclusteraddon a --wait=false"),
            DO("patch managedclusteraddon a" RELEASE), DO("delete manifestwork w"),
            DO("patch managedcluster @" RELEASE)),
    ROW("a_cluster_that_was_registered_anew_takes_works", SHIPPED, A_CLUSTER,
            THE_CLUSTER_IS_DELETED, DO("patch managedcluster @" RELEASE), CREATED(CLUSTER),
            SEND("create", WORK("w"))),
    ROW("a_work_one_instant_after_its_cluster_is_accepted_twenty_times", SHIPPED,
            FIVE(PLACE, "a") FIVE(PLACE, "b") FIVE(PLACE, "c") FIVE(PLACE, "d"),
            CREATED(FIVE(PAIR, "a")), CREATED(FIVE(PAIR, "b")), CREATED(FIVE(PAIR, "c")),
            CREATED(FIVE(PAIR, "d")), SHOWS("get manifestwork first -n @-d5", "first")),
};

const struct rows rows_cluster = { rows, sizeof(rows) / sizeof(rows[0]) };

/* May an addon do its last work in a cluster that goes? */

#include "manifests.h"
#include "rows.h"

#define LAST_WORK(labels) WORK_WITH("'name':'pre-delete'," LABELS(labels), MANIFESTS)
#define NO_ADDON(addon)                                                                    \
    "ManifestWork @/pre-delete cannot be created: ManagedCluster @ is being deleted, and " \
    "ManagedClusterAddOn " addon ", whose work this is by its labels, does not exist"

static const struct row rows[] = {
    ROW("the_work_of_an_addon_is_accepted_while_the_cluster_goes", SHIPPED | SANITIZED, A_CLUSTER,
            CREATED(ADDON("backup")), THE_CLUSTER_IS_DELETED,
            SEND("create", LAST_WORK(OF_ADDON("backup")))),
    ROW("the_work_of_an_addon_that_goes_itself_is_accepted", SHIPPED, A_CLUSTER,
            CREATED(ADDON_WITH("'name':'backup'," HOLD)), THE_CLUSTER_IS_DELETED,
            DO("delete managedclusteraddon backup --wait=false"),
            SEND("create", LAST_WORK(OF_ADDON("backup"))),
            DO("patch managedclusteraddon backup" RELEASE)),
    ROW("the_work_of_a_hosted_addon_is_accepted_while_its_host_goes", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(NAMESPACE_OF("@-guest") CLUSTER_OF("@-guest")
                            ADDON_IN("@-guest", "'name':'backup'")),
            THE_CLUSTER_IS_DELETED, SEND("create", LAST_WORK(OF_ADDON_IN("backup", "@-guest")))),
    ROW("the_work_of_an_addon_that_is_gone_is_refused", SHIPPED, A_CLUSTER, THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", LAST_WORK(OF_ADDON("backup")), NO_ADDON("@/backup"),
                    "Wait until the cluster is gone")),
    ROW("a_hosted_addon_is_not_found_in_the_namespace_of_its_host", SHIPPED, A_CLUSTER,
            CREATED(ADDON("backup")), THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", LAST_WORK(OF_ADDON_IN("backup", "@-guest")),
                    NO_ADDON("@-guest/backup"))),
    ROW("a_label_that_can_name_no_addon_opens_nothing", SHIPPED, A_CLUSTER, THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", LAST_WORK(OF_ADDON("Back_up")), NO_ADDON("@/Back_up"))),
    ROW("the_work_of_an_addon_without_a_cluster_is_refused", SHIPPED, NAMESPACE,
            REFUSED(403, "create", LAST_WORK(OF_ADDON("backup")), "there is no ManagedCluster @")),
};

const struct rows rows_addon = { rows, sizeof(rows) / sizeof(rows[0]) };

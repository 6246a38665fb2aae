/* May an addon do its last work in a cluster that goes? */

#include "manifests.h"
#include "rows.h"

#define LAST_WORK(labels) WORK_WITH("'name':'pre-delete'," LABELS(labels), MANIFESTS)
#define NO_WORK_OF(addon, why)                                                             \
    "ManifestWork @/pre-delete cannot be created: ManagedCluster @ is being deleted, and " \
    "ManagedClusterAddOn " addon ", whose work this is by its labels, " why
#define NO_ADDON(addon) NO_WORK_OF(addon, "does not exist")
#define HOOK(prefix) "'finalizers':['addon.open-cluster-management.io/" prefix "addon-pre-delete']"
#define DELETE_ADDON(namespace) DO("delete managedclusteraddon backup --wait=false" namespace)
#define RELEASE_ADDON(namespace) DO("patch managedclusteraddon backup" namespace RELEASE)

static const struct row rows[] = {
    ROW("the_work_of_a_live_addon_is_refused_while_the_cluster_is_deleted", SHIPPED | SANITIZED,
            A_CLUSTER, CREATED(ADDON("backup")), THE_CLUSTER_IS_DELETED,
            REFUSED(403, "create", LAST_WORK(OF_ADDON("backup")),
                    NO_WORK_OF("@/backup", "is not being deleted"))),
    ROW("the_work_of_an_addon_with_a_hook_is_accepted_while_both_are_deleted", SHIPPED | SANITIZED,
            A_CLUSTER, CREATED(ADDON_WITH("'name':'backup'," HOOK(""))), THE_CLUSTER_IS_DELETED,
            DELETE_ADDON(""), SEND("create", LAST_WORK(OF_ADDON("backup"))), RELEASE_ADDON("")),
    ROW("the_work_of_an_addon_without_a_hook_is_refused_while_both_are_deleted", SHIPPED, A_CLUSTER,
            CREATED(ADDON_WITH("'name':'backup'," HOLD)), THE_CLUSTER_IS_DELETED, DELETE_ADDON(""),
            REFUSED(403, "create", LAST_WORK(OF_ADDON("backup")),
                    NO_WORK_OF("@/backup", "has no pre-delete finalizer")),
            RELEASE_ADDON("")),
    ROW("the_work_of_a_hosted_addon_with_a_hook_is_accepted_while_its_host_is_deleted",
            SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(NAMESPACE_OF("@-guest") CLUSTER_OF("@-guest")
                            ADDON_IN("@-guest", "'name':'backup'," HOOK("hosting-"))),
            THE_CLUSTER_IS_DELETED, DELETE_ADDON(" -n @-guest"),
            SEND("create", LAST_WORK(OF_ADDON_IN("backup", "@-guest"))),
            RELEASE_ADDON(" -n @-guest")),
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

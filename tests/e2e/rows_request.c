/* Is the answer the same whichever way a request is sent? */

#include "manifests.h"
#include "rows.h"

#define WORKS "/apis/work.open-cluster-management.io/v1/namespaces/@/manifestworks"
#define NO_RULE "spec.deleteOption.selectivelyOrphans.orphaningRules"
#define STATUS                                                                                  \
    "{'status':{'conditions':[{'type':'Applied','status':'True','reason':'Done','message':'m'," \
    "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}"

static const struct row rows[] = {
    ROW("a_dry_run_is_refused_alike_and_leaves_no_trace", SHIPPED | ORIGINAL | SANITIZED, NAMESPACE,
            REFUSED(403, "create --dry-run=server", WORK("w"), "there is no ManagedCluster @"),
            CREATED(CLUSTER),
            INVALID(NO_RULE, "create --dry-run=server",
                    WORK_OPTION("w", POLICY("SelectivelyOrphan")), "needs at least one rule"),
            { .run = "create --dry-run=server",
                    .input = WORK("w"),
                    .says = { "(server dry run)" } },
            WARNED("create --dry-run=server", WORK_OPTION("w", RULES(RULE_CM1)), "have no effect"),
            SHOWS("get manifestworks", "No resources found"),
            SHOWS("get events", "No resources found")),
    ROW("a_dry_run_on_a_work_that_goes_is_refused_alike", SHIPPED, A_CLUSTER,
            CREATED(HELD_WORK("w", POLICY("Foreground"))), THE_WORK_IS_DELETED("w"),
            REFUSED(403,
                    "patch manifestwork w --dry-run=server --type=merge -p "
                    "{'spec':{'deleteOption':{" POLICY("Orphan") "}}}",
                    NULL, "orphan settings cannot change any more"),
            DO("patch manifestwork w --dry-run=server" RELEASE), DO("get manifestwork w"),
            SHOWS("get events", "No resources found")),
    ROW("all_works_of_a_namespace_are_deleted_by_kubectl", SHIPPED, A_CLUSTER,
            CREATED(WORK("w1") WORK("w2") WORK_OPTION("w3", POLICY("Orphan"))),
            SHOWS("delete manifestworks --all", "'w1' deleted", "'w2' deleted", "'w3' deleted"),
            SHOWS("get manifestworks", "No resources found")),
    ROW("a_collection_is_deleted_at_one_stroke", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(WORK("w1") HELD_WORK("w2", POLICY("Orphan"))), DO("delete --raw " WORKS),
            { .run = "get manifestworks -o name", .says = { "w2" }, .lacks = "w1" },
            DO("patch manifestwork w2" RELEASE), SHOWS("get manifestworks", "No resources found")),
    ROW("the_cluster_itself_is_deleted_with_all_there_is", SHIPPED, A_CLUSTER,
            CREATED(WORK("w") ADDON("a")),
            DO("delete managedcluster,namespace @ --wait=false" CLUSTER_WIDE),
            DO("patch managedcluster @" RELEASE),
            { .run = "get namespace @", .code = 404, .until = true }),
    ROW("a_status_is_updated_whatever_the_settings_are", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(HELD_WORK("w", SELECT(RULE_CM1))),
            DO("patch manifestwork w --subresource=status --type=merge -p " STATUS),
            THE_WORK_IS_DELETED("w"),
            DO("patch manifestwork w --subresource=status --type=merge -p " STATUS)),
    ROW("server_side_apply_is_judged_like_any_other_write", SHIPPED | ORIGINAL | SANITIZED,
            NAMESPACE,
            REFUSED(403, "apply --server-side", WORK("w"), "there is no ManagedCluster @"),
            CREATED(CLUSTER),
            INVALID(NO_RULE, "apply --server-side", WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    "needs at least one rule"),
            SEND("apply --server-side", HELD_WORK("w", SELECT(RULE_CM1))),
            SEND("apply --server-side", HELD_WORK("w", SELECT(RULE_CM1))), THE_WORK_IS_DELETED("w"),
            REFUSED(403, "apply --server-side",
                    HELD_WORK("w", POLICY("Orphan") "," RULES(RULE_CM1)),
                    "changes propagationPolicy from 'SelectivelyOrphan' to 'Orphan'"),
            WARNED("apply --server-side", HELD_WORK("w", SELECT(RULE_CM1)),
                    "Warning: Detected changes to resource w which is currently being deleted")),
    ROW("client_side_apply_and_replace_are_judged_too", SHIPPED, A_CLUSTER,
            SEND("apply", WORK_OPTION("w", POLICY("Orphan"))),
            INVALID(NO_RULE, "apply", WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    "needs at least one rule"),
            SEND("apply", WORK_OPTION("w", SELECT(RULE_CM1))),
            INVALID(NO_RULE, "replace", WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    "needs at least one rule"),
            SEND("replace", WORK_OPTION("w", POLICY("Foreground")))),
    ROW("several_objects_in_one_command_are_judged_one_by_one", SHIPPED, A_CLUSTER,
            INVALID(NO_RULE, "create", WORK_OPTION("bad", POLICY("SelectivelyOrphan")) WORK("good"),
                    "needs at least one rule",
                    "manifestwork.work.open-cluster-"
                    "management.io/good created")),
};

const struct rows rows_request = { rows, sizeof(rows) / sizeof(rows[0]) };

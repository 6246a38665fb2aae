/* Does a rule that is not to refuse yet let everything through, and say what it should? */

#include "manifests.h"
#include "rows.h"

static const struct row rows[] = {
    ROW("in_mode_warn_a_work_without_a_cluster_gets_the_denial_as_a_warning", WARNING, NAMESPACE,
            WARNED("create", WORK("w"),
                    "Warning: would be refused (cluster-lifecycle): ManifestWork "
                    "@/w cannot be created: there is no ManagedCluster @",
                    "kubectl get managedclusters")),
    ROW("in_mode_warn_an_invalid_setting_gets_the_denial_as_a_warning", WARNING, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    "Warning: would be refused (manifestwork-orphan): ",
                    "needs at least one rule")),
    ROW("in_mode_warn_two_rules_warn_of_one_request", WARNING, NAMESPACE,
            { .run = "create",
                    .input = WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    .says = { "(manifestwork-orphan)", "(cluster-lifecycle)" },
                    .warns = 2 }),
    ROW("in_mode_warn_a_work_that_goes_may_be_changed_with_a_warning", WARNING, A_CLUSTER,
            CREATED(HELD_WORK("w", POLICY("Foreground"))), THE_WORK_IS_DELETED("w"),
            WARNED(SET_OPTION("{" POLICY("Orphan") "}"), NULL,
                    "Warning: would be refused (manifestwork-orphan): "
                    "ManifestWork @/w is being deleted",
                    "Leave spec.deleteOption as it is")),
    ROW("in_mode_warn_a_claim_gets_the_denial_as_a_warning", WARNING, NAMESPACE,
            WARNED("create", CLAIM("c", "'compositeDeletePolicy':'Orphan'"),
                    "Warning: would be refused (claim-delete-policy): "
                    "spec.compositeDeletePolicy: 'Orphan' is not supported")),
    ROW("in_mode_audit_what_would_be_refused_passes_without_a_word", AUDITING, NAMESPACE,
            SEND("create", WORK("w")), CREATED(CLUSTER),
            SEND("create", WORK_OPTION("w2", POLICY("SelectivelyOrphan"))),
            SEND("create", CLAIM("c", "'compositeDeletePolicy':'Orphan'"))),
    ROW("in_mode_audit_warnings_of_what_is_allowed_are_still_given", AUDITING, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", RULES(RULE_CM1)), "have no effect")),
    ROW("a_rule_that_is_not_registered_refuses_nothing", NARROW, NAMESPACE,
            SEND("create", WORK_OPTION("w", POLICY("SelectivelyOrphan"))),
            WARNED("create", PRUNING("p", ",'pruneObjectBehavior':'DeleteAll'"), "has no effect")),
};

const struct rows rows_mode = { rows, sizeof(rows) / sizeof(rows[0]) };

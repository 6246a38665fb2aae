/*
 * Do objects that were stored before Probate came stay usable? The definitions of the API refuse
 * such values now; older ones did not, and these rows run with those.
 */

#include "manifests.h"
#include "rows.h"

#define POLICY_FIELD "spec.deleteOption.propagationPolicy"
#define AS_BEFORE "(accepted because it was stored so before)"
#define TOLERATED "Warning: " POLICY_FIELD ": 'Orphanize' is not supported"

#define STORED_WORK A_CLUSTER HELD_WORK("w", POLICY("Orphanize"))
#define STORED_POLICY                          \
    NAMESPACE PRUNING_WITH("'name':'p'," HOLD, \
            ",'remediationAction':'enforce','pruneObjectBehavior':'DeleteSome'")

static const struct row rows[] = {
    ROW("a_label_of_a_live_work_stored_with_an_invalid_option_may_change", LOOSE | SANITIZED,
            STORED_WORK, WARNED("label manifestwork w team=web", NULL, TOLERATED, AS_BEFORE)),
    ROW("an_invalid_option_that_was_stored_may_be_mended", LOOSE, STORED_WORK,
            DO(SET_OPTION("{" POLICY("Orphan") "}"))),
    ROW("an_invalid_option_that_was_stored_may_not_become_another", LOOSE, STORED_WORK,
            INVALID(POLICY_FIELD, SET_OPTION("{" POLICY("Orphanise") "}"), NULL,
                    "'Orphanise' is not supported")),
    ROW("the_finalizer_comes_off_a_deleting_work_with_an_invalid_option", LOOSE | SANITIZED,
            STORED_WORK, THE_WORK_IS_DELETED("w"), DO("patch manifestwork w" RELEASE),
            GONE("get manifestwork w")),
    ROW("an_invalid_option_is_frozen_too_once_the_work_goes", LOOSE, STORED_WORK,
            THE_WORK_IS_DELETED("w"),
            REFUSED(403, SET_OPTION("{" POLICY("Orphan") "}"), NULL,
                    "changes propagationPolicy from 'Orphanize' to 'Orphan'")),
    ROW("selection_without_rules_that_was_stored_is_tolerated_and_told", LOOSE,
            A_CLUSTER WORK_OPTION("w", POLICY("SelectivelyOrphan")),
            WARNED("annotate manifestwork w note=kept", NULL, "needs at least one rule",
                    AS_BEFORE)),
    ROW("a_policy_stored_with_an_unknown_pruning_stays_usable", LOOSE, STORED_POLICY,
            WARNED("label configurationpolicy p team=web", NULL,
                    "Warning: spec.pruneObjectBehavior: 'DeleteSome' is not supported", AS_BEFORE),
            DO("delete configurationpolicy p --wait=false"),
            WARNED("patch configurationpolicy p" RELEASE, NULL, AS_BEFORE)),
    ROW("a_claim_stored_with_orphan_stays_usable", LOOSE,
            NAMESPACE CLAIM_WITH("'name':'c'," HOLD, "'compositeDeletePolicy':'Orphan'"),
            WARNED("label databases.claims.example.org c team=web", NULL,
                    "Warning: spec.compositeDeletePolicy: 'Orphan' is not supported", AS_BEFORE),
            INVALID("spec.compositeDeletePolicy",
                    "patch databases.claims.example.org c --type=merge -p "
                    "{'spec':{'compositeDeletePolicy':'Sideways'}}",
                    NULL, "'Sideways' is not supported"),
            DO("delete databases.claims.example.org c --wait=false"),
            WARNED("patch databases.claims.example.org c" RELEASE, NULL, AS_BEFORE)),
    ROW("a_work_in_a_namespace_that_is_no_cluster_stays_usable", LOOSE, NAMESPACE WORK("w"),
            DO("label manifestwork w team=web"), DO("delete manifestwork w")),
};

const struct rows rows_stored = { rows, sizeof(rows) / sizeof(rows[0]) };

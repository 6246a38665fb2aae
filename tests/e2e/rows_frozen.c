/* What may still change of a work that is being deleted? */

#include "manifests.h"
#include "rows.h"

#define FROZEN                                                                                     \
    "admission webhook 'manifestwork-orphan.probate.dev' denied the request: ManifestWork @/w is " \
    "being deleted, so its orphan settings cannot change any more"
#define TO_DO "Leave spec.deleteOption as it is"

#define A_DELETING_WORK(option) CREATED(HELD_WORK("w", option)), THE_WORK_IS_DELETED("w")

static const struct row rows[] = {
    ROW("the_policy_of_a_work_that_goes_is_frozen", SHIPPED | ORIGINAL | SANITIZED, A_CLUSTER,
            A_DELETING_WORK(POLICY("Foreground")),
            REFUSED(403, SET_OPTION("{" POLICY("Orphan") "}"), NULL, FROZEN,
                    "This request changes propagationPolicy from 'Foreground' to "
                    "'Orphan'",
                    TO_DO),
            SHOWS("get manifestwork w -o jsonpath={.spec.deleteOption.propagationPolicy}",
                    "Foreground")),
    ROW("no_rule_is_added_to_a_work_that_goes", SHIPPED, A_CLUSTER,
            A_DELETING_WORK(SELECT(RULE_CM1)),
            REFUSED(403, SET_OPTION("{" RULES(RULE_CM1 "," RULE_SHOP) "}"), NULL, FROZEN,
                    "This request adds orphaning rule namespaces shop")),
    ROW("no_rule_is_taken_from_a_work_that_goes", SHIPPED, A_CLUSTER,
            A_DELETING_WORK(SELECT(RULE_CM1 "," RULE_SHOP)),
            REFUSED(403, SET_OPTION("{" RULES(RULE_SHOP) "}"), NULL, FROZEN,
                    "This request removes orphaning rule configmaps "
                    "default/cm1")),
    ROW("the_settings_of_a_work_that_goes_cannot_be_taken_away", SHIPPED, A_CLUSTER,
            A_DELETING_WORK(POLICY("Orphan")),
            REFUSED(403, SET_OPTION("null"), NULL, FROZEN,
                    "from 'Orphan' to Foreground (the default)")),
    ROW("the_same_rules_in_another_order_or_twice_are_no_change", SHIPPED | ORIGINAL, A_CLUSTER,
            A_DELETING_WORK(SELECT(RULE_CM1 "," RULE_SHOP)),
            DO(SET_OPTION("{" RULES(RULE_SHOP "," RULE_CM1 "," RULE_SHOP) "}"))),
    ROW("the_same_rules_in_other_words_are_no_change", LOOSE, A_CLUSTER,
            A_DELETING_WORK(SELECT(RULE_CM1)),
            DO(SET_OPTION("{" RULES("{'group':'','resource':'configmaps','namespace':'default',"
                                    "'name':'cm1'}") "}")),
            DO(SET_OPTION("{'selectivelyOrphans':null,'selectivelyOrphan':[{'resource':"
                          "'configmaps','resourceNamespace':'default','resourceName':'cm1'}]}"))),
    ROW("the_default_may_be_written_out_and_left_out", SHIPPED, A_CLUSTER,
            CREATED(WORK_WITH("'name':'w'," HOLD, MANIFESTS)), THE_WORK_IS_DELETED("w"),
            DO(SET_OPTION("{" POLICY("Foreground") "}")), DO(SET_OPTION("null"))),
    ROW("all_else_about_a_work_that_goes_may_change", SHIPPED, A_CLUSTER,
            A_DELETING_WORK(POLICY("Orphan")), DO("label manifestwork w team=web"),
            DO("annotate manifestwork w note=leaving"),
            DO(SET_OPTION("{'ttlSecondsAfterFinished':60}")),
            DO("patch manifestwork w --type=merge -p "
               "{'spec':{'workload':{'manifests':[]}}}")),
    ROW("the_finalizer_of_a_work_that_goes_comes_off", SHIPPED | ORIGINAL | SANITIZED, A_CLUSTER,
            A_DELETING_WORK(SELECT(RULE_CM1)), DO("patch manifestwork w" RELEASE),
            GONE("get manifestwork w")),
};

const struct rows rows_frozen = { rows, sizeof(rows) / sizeof(rows[0]) };

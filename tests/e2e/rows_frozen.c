/* What may still change of a work that is being deleted? */

#include "manifests.h"
#include "rows.h"

#define FROZEN                                                                                     \
    "admission webhook 'manifestwork-orphan.probate.dev' denied the request: ManifestWork @/w is " \
    "being deleted, so its orphan settings cannot change any more"
#define TO_DO "Leave spec.deleteOption as it is"

#define A_DELETING_WORK(option) CREATED(HELD_WORK("w", option)), THE_WORK_IS_DELETED("w")

/* An agent that does not know the settings sends the work back without them. */
#define READ_ONLY                                                                \
    ",'manifestConfigs':[{'resourceIdentifier':{'resource':'configmaps','name':" \
    "'cm1','namespace':'default'},'updateStrategy':{'type':'ReadOnly'}}]"
#define SETTINGS ",'deleteOption':{" POLICY("Orphan") "}" READ_ONLY
#define DROP_ALL(finalizers)                                                                  \
    "patch manifestwork w --type=merge -p {'metadata':{'finalizers':" finalizers "},'spec':{" \
    "'deleteOption':null,'manifestConfigs':null}}"
#define SET_CONFIGS(configs) \
    "patch manifestwork w --type=merge -p {'spec':{'manifestConfigs':" configs "}}"
#define TWICE_HELD "'name':'w','finalizers':['" AGENT_FINALIZER "','example.dev/hold']"

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
    ROW("what_is_read_only_of_a_work_that_goes_is_frozen", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(WORK_WITH("'name':'w'," AGENT_HOLD, MANIFESTS READ_ONLY)),
            THE_WORK_IS_DELETED("w"),
            REFUSED(403, SET_CONFIGS("null"), NULL, FROZEN,
                    "This request makes configmaps default/cm1 no longer ReadOnly", TO_DO),
            REFUSED(403, SET_CONFIGS("[]"), NULL, FROZEN, "no longer ReadOnly")),
    ROW("nothing_becomes_read_only_in_a_work_that_goes", SHIPPED, A_CLUSTER,
            CREATED(WORK_WITH("'name':'w'," AGENT_HOLD, MANIFESTS)), THE_WORK_IS_DELETED("w"),
            REFUSED(403,
                    SET_CONFIGS("[{'resourceIdentifier':{'resource':'configmaps','name':'*',"
                                "'namespace':'*'},'updateStrategy':{'type':'ReadOnly'}}]"),
                    NULL, FROZEN, "This request makes configmaps */* ReadOnly")),
    ROW("the_last_put_of_an_old_agent_may_drop_what_it_does_not_know", SHIPPED | ORIGINAL,
            A_CLUSTER, CREATED(WORK_WITH("'name':'w'," AGENT_HOLD, MANIFESTS SETTINGS)),
            THE_WORK_IS_DELETED("w"),
            REFUSED(403, DROP_ALL("['" AGENT_FINALIZER "']"), NULL, FROZEN), DO(DROP_ALL("null")),
            GONE("get manifestwork w")),
    ROW("so_it_may_while_another_finalizer_holds_the_work", SHIPPED, A_CLUSTER,
            CREATED(WORK_WITH(TWICE_HELD, MANIFESTS SETTINGS)), THE_WORK_IS_DELETED("w"),
            DO(DROP_ALL("['example.dev/hold']")),
            SHOWS("get manifestwork w -o jsonpath={.metadata.finalizers[*]}", "example.dev/hold"),
            DO("patch manifestwork w" RELEASE), GONE("get manifestwork w")),
    ROW("to_take_another_finalizer_off_is_not_enough", SHIPPED, A_CLUSTER,
            CREATED(WORK_WITH(TWICE_HELD, MANIFESTS SETTINGS)), THE_WORK_IS_DELETED("w"),
            REFUSED(403, DROP_ALL("['" AGENT_FINALIZER "']"), NULL, FROZEN,
                    "from 'Orphan' to Foreground (the default); makes configmaps default/cm1 no "
                    "longer ReadOnly")),
};

const struct rows rows_frozen = { rows, sizeof(rows) / sizeof(rows[0]) };

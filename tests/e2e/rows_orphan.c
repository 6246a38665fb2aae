/* Are the orphan settings of a live work in order? */

#include "manifests.h"
#include "rows.h"

#define RULES_FIELD "spec.deleteOption.selectivelyOrphans.orphaningRules"
#define POLICY_FIELD "spec.deleteOption.propagationPolicy"
#define SPELLING "selectivelyOrphans: {orphaningRules: [{group, resource, namespace, name}]}"

#define NAMELESS(resource) "{'resource':'" resource "'}"

/* The design's spelling, which is not the API's. */
#define FLAT                                                                                  \
    "'selectivelyOrphan':[{'group':'','resource':'configmaps','resourceNamespace':'default'," \
    "'resourceName':'cm1'}]"

/* As design 002 prints works. */
#define WORK_OF_TEXT                                                                             \
    OBJECT("work.open-cluster-management.io/v1", "ManifestWork", "'namespace':'@','name':'crd'", \
            ",'spec':'crd/coolresources.my.crd.group'")

static const struct row rows[] = {
    ROW("every_policy_of_the_api_is_accepted", SHIPPED | ORIGINAL | LOOSE, A_CLUSTER,
            SEND("create", WORK("absent") WORK_OPTION("empty", "") WORK_OPTION("foreground",
                                   POLICY("Foreground")) WORK_OPTION("orphan", POLICY("Orphan")))),
    ROW("a_rule_that_names_a_manifest_is_accepted", SHIPPED | LOOSE, A_CLUSTER,
            SEND("create", WORK_OPTION("namespaced", SELECT(RULE_CM1))
                                   WORK_OPTION("cluster-scoped", SELECT(RULE_SHOP)))),
    ROW("to_orphan_selectively_without_a_rule_is_refused", SHIPPED | ORIGINAL | LOOSE | SANITIZED,
            A_CLUSTER,
            INVALID(RULES_FIELD, "create", WORK_OPTION("w", POLICY("SelectivelyOrphan")),
                    "needs at least one rule, or it spares nothing", SPELLING)),
    ROW("rules_that_the_hub_drops_because_they_are_misspelt_are_refused", SHIPPED | ORIGINAL,
            A_CLUSTER,
            INVALID(RULES_FIELD, "create", WORK_OPTION("w", POLICY("SelectivelyOrphan") "," FLAT),
                    SPELLING, "the hub drops rules that are spelt otherwise")),
    ROW("misspelt_rules_are_read_where_the_hub_keeps_them", LOOSE, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", POLICY("SelectivelyOrphan") "," FLAT),
                    "Warning: spec.deleteOption: orphaning rules are spelt "
                    "selectivelyOrphans.orphaningRules")),
    ROW("a_rule_without_a_resource_is_refused", LOOSE, A_CLUSTER,
            INVALID(RULES_FIELD "[0].resource", "create",
                    WORK_OPTION("w", SELECT("{'name':'cm1'}")),
                    RULES_FIELD "[0].resource: is required: the plural of the kind to keep, such "
                                "as configmaps")),
    ROW("a_rule_without_a_name_is_refused", LOOSE, A_CLUSTER,
            INVALID(RULES_FIELD "[1].name", "create",
                    WORK_OPTION("w", SELECT(RULE_CM1 "," NAMELESS("configmaps"))),
                    RULES_FIELD "[1].name: is required: the name of the one resource to keep")),
    ROW("a_rule_that_says_nothing_is_refused_for_both", LOOSE, A_CLUSTER,
            INVALID(RULES_FIELD "[0].resource " RULES_FIELD "[0].name", "create",
                    WORK_OPTION("w", SELECT("{'group':'','resource':'','name':''}")),
                    "is required: the plural", "is required: the name")),
    ROW("a_rule_without_a_name_is_refused_by_the_definition_itself", SHIPPED, A_CLUSTER,
            UNFIT(RULES_FIELD "[0].name", "create",
                    WORK_OPTION("w", SELECT(NAMELESS("configmaps"))), "Required value")),
    ROW("a_work_whose_spec_is_a_text_is_refused_by_the_definition_itself", SHIPPED | ORIGINAL,
            A_CLUSTER, UNFIT("spec", "create", WORK_OF_TEXT, "Invalid value")),
    ROW("of_many_bad_rules_five_are_named_and_the_others_counted", LOOSE, A_CLUSTER,
            { .run = "create",
                    .input = WORK_OPTION("w",
                            SELECT(NAMELESS("a") "," NAMELESS("b") "," NAMELESS("c") "," NAMELESS(
                                    "d") "," NAMELESS("e") "," NAMELESS("f") "," NAMELESS("g"))),
                    .code = 422,
                    .says = { "[4].name", "2 more rules are not in order" },
                    .lacks = "[5].name",
                    .fields = RULES_FIELD "[0].name " RULES_FIELD "[1].name " RULES_FIELD
                                          "[2].name " RULES_FIELD "[3].name " RULES_FIELD
                                          "[4].name " RULES_FIELD }),
    ROW("an_unknown_policy_is_refused_with_the_one_that_was_meant", LOOSE | SANITIZED, A_CLUSTER,
            INVALID(POLICY_FIELD, "create", WORK_OPTION("w", POLICY("orphan")),
                    "'orphan' is not supported (did you mean Orphan?). Use Foreground, "
                    "Orphan or SelectivelyOrphan, or leave it out")),
    ROW("a_policy_of_the_wrong_type_is_refused", LOOSE, A_CLUSTER,
            INVALID(POLICY_FIELD, "create", WORK_OPTION("w", "'propagationPolicy':7"),
                    "7 is not supported")),
    ROW("a_text_where_a_map_belongs_is_refused", LOOSE, A_CLUSTER,
            INVALID("spec.deleteOption.selectivelyOrphans", "create",
                    WORK_OPTION("w", POLICY("Orphan") ",'selectivelyOrphans':'cm1'"),
                    "must be a map, not 'cm1'")),
    ROW("the_definition_itself_refuses_an_unknown_policy", SHIPPED, A_CLUSTER,
            INVALID(POLICY_FIELD, "create", WORK_OPTION("w", POLICY("orphan")),
                    "Unsupported value: 'orphan'")),
    ROW("a_live_work_may_change_its_settings_to_valid_ones_only", SHIPPED | ORIGINAL, A_CLUSTER,
            CREATED(WORK("w")), DO(SET_OPTION("{" POLICY("Orphan") "}")),
            INVALID(RULES_FIELD, SET_OPTION("{" POLICY("SelectivelyOrphan") "}"), NULL,
                    "needs at least one rule"),
            DO(SET_OPTION("{" SELECT(RULE_CM1) "}")),
            INVALID(RULES_FIELD, SET_OPTION("{" RULES("") "}"), NULL, "needs at least one rule"),
            DO(SET_OPTION("{'ttlSecondsAfterFinished':60}")), DO(SET_OPTION("null"))),
};

const struct rows rows_orphan = { rows, sizeof(rows) / sizeof(rows[0]) };

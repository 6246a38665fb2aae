/* Is a person told of orphaning rules that have no effect? */

#include "manifests.h"
#include "rows.h"

#define NO_MANIFEST \
    " no manifest of this work; check group, resource (the plural), namespace and name"

static const struct row rows[] = {
    ROW("rules_beside_orphan_get_a_warning", SHIPPED | SANITIZED, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", POLICY("Orphan") "," RULES(RULE_CM1)),
                    "Warning: spec.deleteOption: the orphaning rules have no "
                    "effect, propagationPolicy Orphan keeps everything")),
    ROW("rules_beside_foreground_get_a_warning", SHIPPED | ORIGINAL, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", RULES(RULE_CM1)),
                    "Warning: spec.deleteOption: the orphaning rules have no "
                    "effect and nothing is kept, unless propagationPolicy is "
                    "SelectivelyOrphan")),
    ROW("a_rule_that_names_no_manifest_gets_a_warning", SHIPPED | ORIGINAL, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", SELECT(RULE("configmaps", "default", "cm9"))),
                    "orphaning rule configmaps default/cm9 names" NO_MANIFEST)),
    ROW("a_rule_that_names_the_kind_and_not_the_plural_gets_a_warning", SHIPPED, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", SELECT(RULE("ConfigMap", "default", "cm1"))),
                    "orphaning rule ConfigMap default/cm1 names" NO_MANIFEST)),
    ROW("a_rule_with_a_namespace_for_what_has_none_gets_a_warning", SHIPPED, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", SELECT(RULE("namespaces", "default", "shop"))),
                    "orphaning rule namespaces default/shop names" NO_MANIFEST)),
    ROW("a_rule_for_a_kind_that_the_hub_does_not_know_may_be_right", SHIPPED, A_CLUSTER,
            SEND("create", WORK_OPTION("w", SELECT("{'group':'example.com','resource':'gadgets',"
                                                   "'name':'g1'}")))),
    ROW("of_many_rules_that_name_nothing_five_are_named", SHIPPED, A_CLUSTER,
            WARNED("create",
                    WORK_OPTION("w",
                            SELECT(RULE("configmaps", "x", "1") "," RULE(
                                    "configmaps", "x", "2") "," RULE("configmaps", "x",
                                    "3") "," RULE("configmaps", "x", "4") "," RULE("configmaps",
                                    "x", "5") "," RULE("configmaps", "x", "6"))),
                    "configmaps x/5 and 1 more name" NO_MANIFEST)),
    ROW("who_does_not_touch_the_rules_is_not_told_again", SHIPPED, A_CLUSTER,
            WARNED("create", WORK_OPTION("w", SELECT(RULE("configmaps", "default", "cm9"))),
                    "no manifest"),
            DO("label manifestwork w team=web"), DO(SET_OPTION("{'ttlSecondsAfterFinished':60}"))),
};

const struct rows rows_idle = { rows, sizeof(rows) / sizeof(rows[0]) };

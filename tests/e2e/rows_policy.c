/* Does a ConfigurationPolicy prune in a way that exists, and that has effect? */

#include "manifests.h"
#include "rows.h"

#define FIELD "spec.pruneObjectBehavior"
#define PRUNE(word) ",'pruneObjectBehavior':'" word "'"
#define ACT(word) ",'remediationAction':'" word "'"
#define IDLE(word)                                                                                \
    "Warning: " FIELD ": " word " has no effect while spec.remediationAction is inform: nothing " \
    "is pruned unless the policy enforces"

static const struct row rows[] = {
    ROW("every_way_of_pruning_is_accepted_where_the_policy_enforces", SHIPPED | ORIGINAL | LOOSE,
            NAMESPACE,
            SEND("create", PRUNING("all", PRUNE("DeleteAll") ACT("enforce"))
                                   PRUNING("created", PRUNE("DeleteIfCreated") ACT("Enforce"))
                                           PRUNING("none", PRUNE("None") ACT("enforce"))
                                                   PRUNING("absent", ACT("enforce")))),
    ROW("pruning_beside_inform_gets_a_warning", SHIPPED | SANITIZED, NAMESPACE,
            WARNED("create", PRUNING("p", PRUNE("DeleteAll") ACT("inform")), IDLE("DeleteAll"))),
    ROW("inform_counts_in_either_case", SHIPPED | ORIGINAL, NAMESPACE,
            WARNED("create", PRUNING("p", PRUNE("DeleteIfCreated") ACT("Inform")),
                    IDLE("DeleteIfCreated"))),
    ROW("a_policy_that_does_not_say_informs", SHIPPED | ORIGINAL, NAMESPACE,
            WARNED("create", PRUNING("p", PRUNE("DeleteAll")), IDLE("DeleteAll"))),
    ROW("a_policy_that_informs_and_prunes_nothing_is_quiet", SHIPPED, NAMESPACE,
            SEND("create", PRUNING("none", PRUNE("None") ACT("inform")) PRUNING("absent", ""))),
    ROW("who_turns_enforcement_off_is_told_and_nobody_after", SHIPPED, NAMESPACE,
            CREATED(PRUNING("p", PRUNE("DeleteAll") ACT("enforce"))),
            WARNED("patch configurationpolicy p --type=merge -p "
                   "{'spec':{'remediationAction':'inform'}}",
                    NULL, IDLE("DeleteAll")),
            DO("label configurationpolicy p team=web"),
            DO("patch configurationpolicy p --type=merge -p "
               "{'spec':{'remediationAction':'enforce'}}")),
    ROW("an_unknown_way_of_pruning_is_refused_with_the_one_that_was_meant", LOOSE | SANITIZED,
            NAMESPACE,
            INVALID(FIELD, "create", PRUNING("p", PRUNE("deleteAll") ACT("enforce")),
                    "'deleteAll' is not supported (did you mean DeleteAll?). Use "
                    "DeleteAll, DeleteIfCreated or None, or leave it out")),
    ROW("a_way_of_pruning_of_the_wrong_type_is_refused", LOOSE, NAMESPACE,
            INVALID(FIELD, "create", PRUNING("p", ",'pruneObjectBehavior':true" ACT("enforce")),
                    "true is not supported")),
    ROW("a_live_policy_may_not_become_invalid", LOOSE, NAMESPACE,
            CREATED(PRUNING("p", PRUNE("None") ACT("enforce"))),
            INVALID(FIELD,
                    "patch configurationpolicy p --type=merge -p "
                    "{'spec':{'pruneObjectBehavior':'All'}}",
                    NULL, "'All' is not supported"),
            DO("patch configurationpolicy p --type=merge -p "
               "{'spec':{'pruneObjectBehavior':null}}")),
    ROW("the_definition_itself_refuses_an_unknown_way_of_pruning", SHIPPED, NAMESPACE,
            INVALID(FIELD, "create", PRUNING("p", PRUNE("deleteAll") ACT("enforce")),
                    "Unsupported value: 'deleteAll'")),
};

const struct rows rows_policy = { rows, sizeof(rows) / sizeof(rows[0]) };

#ifndef PROBATE_RULES_REGISTRY_H
#define PROBATE_RULES_REGISTRY_H

/* The table of admission rules, in evaluation order. */

#include <stddef.h>

#include "probate/core/rule.h"

extern const struct prb_rule prb_rule_manifestwork_orphan;
extern const struct prb_rule prb_rule_cluster_lifecycle;
extern const struct prb_rule prb_rule_claim_delete_policy;
extern const struct prb_rule prb_rule_policy_prune;
extern const struct prb_rule prb_rule_critical_service;

/* Not in the table: it is no matter of choice, and judges beside whatever is chosen. */
extern const struct prb_rule prb_rule_selftest;

/* By these the rule and who calls for it know each other: the label and the name of the Lease in a
 * self-test, and what stands before that name in the answer. */
#define PRB_SELFTEST_LABEL "probate.dev/selftest"
#define PRB_SELFTEST_PREFIX "probate-selftest-"
#define PRB_SELFTEST_WEBHOOK "selftest.probate.dev" /* as `probate manifest` names it */
#define PRB_SELFTEST_ANSWER "answers the self-test"

const struct prb_rule *const *prb_rules(size_t *ret_count);

/* One of the table, or the self-test; or NULL. */
const struct prb_rule *prb_rule_find(const char *name);

#endif

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

const struct prb_rule *const *prb_rules(size_t *ret_count);

const struct prb_rule *prb_rule_find(const char *name); /* or NULL */

#endif

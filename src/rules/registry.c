/* Which admission rules are there, and in which order do they judge? */

#include "probate/rules/registry.h"

#include "probate/base/str.h"

static const struct prb_rule *const table[] = {
    &prb_rule_manifestwork_orphan,
    &prb_rule_cluster_lifecycle,
    &prb_rule_claim_delete_policy,
    &prb_rule_policy_prune,

    /* No other rule is about the kinds it matches, so nothing depends on its place. */
    &prb_rule_critical_service,
};

const struct prb_rule *const *prb_rules(size_t *ret_count)
{
    *ret_count = sizeof(table) / sizeof(table[0]);
    return table;
}

const struct prb_rule *prb_rule_find(const char *name)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (prb_streq(table[i]->name, name))
            return table[i];
    }
    return prb_streq(prb_rule_selftest.name, name) ? &prb_rule_selftest : NULL;
}

#ifndef PROBATE_CLI_POLICIES_H
#define PROBATE_CLI_POLICIES_H

/* Whose ConfigurationPolicies are carried out: --policy-namespace, else --cluster-name. */

#include "probate/base/error.h"
#include "probate/cli/flags.h"

/* What the flags hold; a member of the verb's options. */
struct prb_policy_flags {
    const char *namespace; /* NULL: not said */
};

/* The entry of a verb's table for a `struct prb_policy_flags MEMBER` of its OPTIONS. */
#define PRB_POLICY_NAMESPACE_FLAG(options, member, heading)                                       \
    {                                                                                             \
        .section = (heading), .name = "policy-namespace", .type = PRB_FLAG_TEXT,                  \
        .at = offsetof(options, member.namespace), .value = "NAME",                               \
        .preset_text = "--cluster-name",                                                          \
        .help = "The namespace whose ConfigurationPolicies are carried out. Those in others are " \
                "left alone. The controller policy needs it."                                     \
    }

/* `ret` is NULL when neither is said; prb_malloc'ed. INVALID, with the flag in the text. */
int prb_policies_choose(const struct prb_policy_flags *flags, const char *cluster_name, char **ret,
        struct prb_error *err);

#endif

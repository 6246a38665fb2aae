#ifndef PROBATE_CLI_RULES_H
#define PROBATE_CLI_RULES_H

/*
 * Which rules judge, and how, by --rules, --rule-mode, --claim-resource and --exempt-namespaces.
 * The same flags with the same meaning in every verb that has to do with rules.
 */

#include <stddef.h>

#include "probate/cli/flags.h"
#include "probate/core/judge.h"

/* What the flags hold; a member of the verb's options. */
struct prb_rule_flags {
    struct prb_list rules;
    struct prb_list modes;
    struct prb_list claims;
    struct prb_list exempt;
};

/* The entries of a verb's table for a `struct prb_rule_flags MEMBER` of its OPTIONS. */
#define PRB_RULE_FLAGS(options, member)                                   \
    PRB_RULES_FLAG(options, member), PRB_RULE_MODE_FLAG(options, member), \
            PRB_CLAIM_RESOURCE_FLAG(options, member), PRB_EXEMPT_FLAG(options, member)

#define PRB_RULES_FLAG(options, member)                                            \
    {                                                                              \
        .section = "Which rules judge", .name = "rules", .type = PRB_FLAG_LIST,    \
        .at = offsetof(options, member.rules), .value = "NAME,...", .preset = "*", \
        .help = "The rules that judge: names, * for all, -NAME to leave one out."  \
    }
#define PRB_RULE_MODE_FLAG(options, member)                                                        \
    {                                                                                              \
        .name = "rule-mode", .type = PRB_FLAG_LIST, .at = offsetof(options, member.modes),         \
        .value = "NAME=MODE,...", .preset_text = "deny for each",                                  \
        .help = "What a rule does with what it objects to: deny it; warn, that is allow it with "  \
                "the text as a warning; or audit, that is allow it and only note it in the audit " \
                "log."                                                                             \
    }
#define PRB_CLAIM_RESOURCE_FLAG(options, member)                                                 \
    {                                                                                            \
        .name = "claim-resource", .type = PRB_FLAG_LIST, .at = offsetof(options, member.claims), \
        .value = "PLURAL.GROUP,...",                                                             \
        .help = "Kinds that are claims, beside those that CompositeResourceDefinitions name; "   \
                "PLURAL.VERSION.GROUP will do as well."                                          \
    }

#define PRB_EXEMPT_FLAG(options, member)                                                        \
    {                                                                                           \
        .name = "exempt-namespaces", .type = PRB_FLAG_LIST,                                     \
        .at = offsetof(options, member.exempt), .value = "NAME,...",                            \
        .help = "Namespaces in which no rule has a say, nor in the namespaces themselves. For " \
                "Kubernetes before 1.21, where the registration cannot leave them out."         \
    }

/* What they mean. */
struct prb_rule_choice {
    struct prb_rule_entry *entries; /* owned, as all here; in the order of the registry, and the
                                       self-test after them */
    const struct prb_rule **rules;  /* the same without their modes, for a review reader */
    size_t count;
    struct prb_gvr *claims; /* their version is "" where it was not said */
    size_t claim_count;
    const char *const *exempt; /* borrowed from the flags */
    size_t exempt_count;
};

/*
 * INVALID, with the flag in the text, for what is not known (and then with the nearest that is),
 * said twice in different ways, or leaves no rule at all.
 */
int prb_rules_choose(
        const struct prb_rule_flags *flags, struct prb_rule_choice *ret, struct prb_error *err);

void prb_rule_choice_done(struct prb_rule_choice *choice);
static inline void prb_rule_choice_donep(struct prb_rule_choice *choice)
{
    prb_rule_choice_done(choice);
}

/* A judge over the choice, which it borrows. */
struct prb_judge prb_rule_choice_judge(const struct prb_rule_choice *choice);

/* "Rules:" and what each does, for the help of a verb. */
void prb_rules_help(struct prb_str *out);

#endif

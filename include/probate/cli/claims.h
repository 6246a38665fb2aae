#ifndef PROBATE_CLI_CLAIMS_H
#define PROBATE_CLI_CLAIMS_H

/* What the flags say about claims: --claim-finalizer, and for `probate manifest rbac` which kinds
 * their composites are made of. Which kinds are claims says --claim-resource (cli/rules.h). */

#include "probate/cli/flags.h"
#include "probate/core/reconciler.h"
#include "probate/reconcilers/claims.h"

/* What the flags hold; a member of the verb's options. */
struct prb_claim_flags {
    const char *finalizer; /* NULL: PRB_CLAIM_FINALIZER */
    struct prb_list composites;
    struct prb_list composed;
};

/* What to call it beside Crossplane, which has the other name. */
#define PRB_CLAIM_FINALIZER_OWN "probate.dev/claim-cleanup"

/* The entries of a verb's table for a `struct prb_claim_flags MEMBER` of its OPTIONS. */
#define PRB_CLAIM_FINALIZER_FLAG(options, member, heading)                                      \
    {                                                                                           \
        .section = (heading), .name = "claim-finalizer", .type = PRB_FLAG_TEXT,                 \
        .at = offsetof(options, member.finalizer), .value = "DOMAIN/NAME",                      \
        .preset = PRB_CLAIM_FINALIZER,                                                          \
        .help = "The finalizer that holds a deleted claim until its composite is gone. Beside " \
                "Crossplane it must be one of your own, such as " PRB_CLAIM_FINALIZER_OWN "."   \
    }
#define PRB_COMPOSITE_RESOURCE_FLAG(options, member)                                        \
    {                                                                                       \
        .name = "composite-resource", .type = PRB_FLAG_LIST,                                \
        .at = offsetof(options, member.composites), .value = "PLURAL.GROUP,...",            \
        .help = "Kinds of composites whose claims the controller claims deletes with them." \
    }
#define PRB_COMPOSED_RESOURCE_FLAG(options, member)                                         \
    {                                                                                       \
        .name = "composed-resource", .type = PRB_FLAG_LIST,                                 \
        .at = offsetof(options, member.composed), .value = "PLURAL.GROUP,...",              \
        .help = "Kinds that those composites are made of; of the core group, PLURAL alone." \
    }

/* INVALID, with the flag in the text. Borrows the finalizer from the flags. */
int prb_claims_choose(
        const struct prb_claim_flags *flags, struct prb_claim_settings *ret, struct prb_error *err);

/* To the log, for who reads afterwards what held a claim. */
void prb_claims_log(const struct prb_claim_settings *settings);

/* The kinds that rights are printed for, with the version "" where it was not said. */
struct prb_claim_kinds {
    struct prb_gvr *composites, *composed; /* owned */
    size_t composite_count, composed_count;
};
int prb_claim_kinds_parse(
        const struct prb_claim_flags *flags, struct prb_claim_kinds *ret, struct prb_error *err);
void prb_claim_kinds_done(struct prb_claim_kinds *kinds);
static inline void prb_claim_kinds_donep(struct prb_claim_kinds *kinds)
{
    prb_claim_kinds_done(kinds);
}

#endif

#ifndef PROBATE_SRC_CLI_CLAIM_RIGHTS_H
#define PROBATE_SRC_CLI_CLAIM_RIGHTS_H

/* The rights on claims, composites and what these are made of; a table with texts of its own. */

#include "probate/cli/claims.h"

struct prb_claim_rights {
    struct prb_right *items; /* owned, as all here */
    char **texts;            /* the resource of each */
    size_t count;
};

/* `kinds` may be NULL. `rights` must be empty; groups are borrowed. */
void prb_claim_rights_fill(struct prb_claim_rights *rights, const struct prb_gvr *claims,
        size_t claim_count, const struct prb_claim_kinds *kinds);
void prb_claim_rights_done(struct prb_claim_rights *rights);
static inline void prb_claim_rights_donep(struct prb_claim_rights *rights)
{
    prb_claim_rights_done(rights);
}

#endif

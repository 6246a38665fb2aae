#ifndef PROBATE_SRC_CLI_RULES_CLAIMS_H
#define PROBATE_SRC_CLI_RULES_CLAIMS_H

/* What --claim-resource means. */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/cli/list.h"
#include "probate/model/gvr.h"

/* The kinds that `list` names; the array is the caller's. INVALID with the flag in the text. */
int prb_claims_parse(const struct prb_list *list, struct prb_gvr **ret, size_t *ret_count,
        struct prb_error *err);

#endif

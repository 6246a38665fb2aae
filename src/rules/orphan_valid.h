#ifndef PROBATE_RULES_ORPHAN_VALID_INTERNAL_H
#define PROBATE_RULES_ORPHAN_VALID_INTERNAL_H

/*
 * Are the orphan settings of a work in order? Refuses what this request brought in and warns of
 * what was stored before. `old` are the settings as stored, those of a new work say nothing; both
 * were compared (prb_delete_option_compare).
 */

#include "probate/core/verdict.h"
#include "probate/model/delete_option.h"

void prb_orphan_check(const struct prb_delete_option *old, const struct prb_delete_option *now,
        struct prb_verdict *out);

#endif

#ifndef PROBATE_RULES_ORPHAN_TEXT_INTERNAL_H
#define PROBATE_RULES_ORPHAN_TEXT_INTERNAL_H

/* Orphan settings in words. */

#include "probate/base/str.h"
#include "probate/model/delete_option.h"
#include "probate/model/read_only.h"

/* "\"Orphan\"", or "Foreground (the default)" when nothing is said. */
void prb_orphan_add_policy(struct prb_str *text, const struct prb_delete_option *option);

/* "configmaps default/cm1", "customresourcedefinitions.apiextensions.k8s.io foo". */
void prb_orphan_add_rule(struct prb_str *text, const struct prb_orphan_rule *rule);

/*
 * What differs between two settings that were compared (prb_delete_option_compare):
 * "changes propagationPolicy from X to Y; adds orphaning rules A, B; removes orphaning rule C".
 */
void prb_orphan_add_changes(struct prb_str *text, const struct prb_delete_option *old,
        const struct prb_delete_option *now);

/*
 * The same of what is ReadOnly (prb_read_only_same), behind what is in the text: "makes configmaps
 * default/cm1 ReadOnly; makes secrets default/s no longer ReadOnly".
 */
void prb_orphan_add_strategies(
        struct prb_str *text, const struct prb_read_only *old, const struct prb_read_only *now);

#endif

#ifndef PROBATE_RULES_MANIFEST_MATCH_INTERNAL_H
#define PROBATE_RULES_MANIFEST_MATCH_INTERNAL_H

/*
 * Which manifests of a work does an orphaning rule name? A rule names a resource and a manifest
 * has a kind: which belongs to which is asked of the hub, and only for those manifests that the
 * rest of the rule fits. A kind that the hub cannot resolve, since only the managed cluster may
 * have it, could be the one that is meant.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/core/question.h"
#include "probate/model/delete_option.h"

/*
 * Pairs of rule and manifest that one review looks at: 500 rules for 400 manifests, some two
 * milliseconds. Rules beyond are taken to match; all of this only serves a warning.
 */
#define PRB_MATCH_PAIRS_MAX 200000

struct prb_manifests {
    const struct json_object *list; /* borrowed: spec.workload.manifests; NULL: none */
    size_t pairs_left;
};

void prb_manifests_init(struct prb_manifests *manifests, const struct prb_object *work);

/* Ask for the kinds of the manifests that the rule may name. */
void prb_manifests_ask(struct prb_manifests *manifests, const struct prb_orphan_rule *rule,
        struct prb_questions *out);

/* Does the rule name none of them for sure? */
bool prb_manifests_lack(struct prb_manifests *manifests, const struct prb_orphan_rule *rule,
        const struct prb_questions *answers);

#endif

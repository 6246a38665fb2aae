#ifndef SRC_MODEL_POLICY_MATCH_H
#define SRC_MODEL_POLICY_MATCH_H

/* Is what a template says there? What comparing and merging share. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/json.h"

/* How two texts compare. */
enum prb_texts {
    PRB_TEXTS_AS_VALUES, /* "1000m" is "1" */
    PRB_TEXTS_AS_THEY_ARE,
};

bool prb_policy_has(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts);

/*
 * Which elements of `live` have what those of `wanted` say: for each of the latter the index of one
 * that no other has, or PRB_NOWHERE. One that is wanted twice counts once: PRB_TWICE.
 * prb_malloc'ed.
 */
#define PRB_NOWHERE ((size_t)-1)
#define PRB_TWICE ((size_t)-2)
size_t *prb_policy_pair(
        const struct json_object *live, const struct json_object *wanted, enum prb_texts texts);

/* Are they so long that only elements in the same place were compared? Then what is nowhere may be
 * in another place. */
bool prb_policy_pairs_in_order(const struct json_object *live, const struct json_object *wanted);

#endif

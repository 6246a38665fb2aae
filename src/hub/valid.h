#ifndef PROBATE_HUB_VALID_INTERNAL_H
#define PROBATE_HUB_VALID_INTERNAL_H

/* What the API server demands of the metadata of every object. */

#include "probate/base/json.h"

#include "kinds.h"

/* Are the plain fields of metadata of their types? Nothing may be read from them before: what is of
 * another type reads as absent, and a namespace or a deletion would get lost. */
int prb_hub_valid_types(const struct json_object *tree, struct prb_error *err);

/* INVALID with the field in the text, as the API server says it. */
int prb_hub_valid(
        const struct prb_hub_kind *kind, const struct json_object *tree, struct prb_error *err);

#endif

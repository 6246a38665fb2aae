#ifndef PROBATE_HUB_VALID_INTERNAL_H
#define PROBATE_HUB_VALID_INTERNAL_H

/* What the API server demands of the metadata of every object. */

#include "probate/base/json.h"

#include "kinds.h"

/* INVALID with the field in the text, as the API server says it. */
int prb_hub_valid(
        const struct prb_hub_kind *kind, const struct json_object *tree, struct prb_error *err);

#endif

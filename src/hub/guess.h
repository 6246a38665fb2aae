#ifndef PROBATE_HUB_GUESS_INTERNAL_H
#define PROBATE_HUB_GUESS_INTERNAL_H

#include "documents.h"
#include "state.h"

/*
 * The kind of a manifest. One that nothing defines is served under the plural that kubectl would
 * guess, in the scope and versions that the documents show, and a text about that is added to
 * `notes`. INVALID when its version is not served.
 */
int prb_hub_guess_kind(struct prb_hub *hub, const struct prb_hub_documents *documents,
        const struct json_object *tree, struct prb_hub_kind **ret, struct json_object *notes,
        struct prb_error *err);

#endif

#ifndef SRC_RECONCILERS_SIGHTING_H
#define SRC_RECONCILERS_SIGHTING_H

/*
 * A note on an object as it was seen last, small enough to be remembered for every one of thousands
 * (prb_changes_remember): is what a cache holds of it now still the same?
 */

#include <stdbool.h>

#include "probate/base/json.h"
#include "probate/model/object.h"

/* uid, version, generation, and hashes of metadata and content. Owned. */
struct json_object *prb_sighting_note(const struct prb_object *live);

/* Is it the same object, and nothing but its status has changed? `status_counts`: not even that. */
bool prb_sighting_holds(
        const struct json_object *note, const struct prb_object *cached, bool status_counts);

/* Is it the same object, with the same labels, annotations and everything else but its status? */
bool prb_sighting_has_content(const struct json_object *note, const struct prb_object *live);

#endif

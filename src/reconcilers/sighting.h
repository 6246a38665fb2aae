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

/* Is it the same object, in the very version that was seen? `cached` NULL: no. */
bool prb_sighting_is_version(const struct json_object *note, const struct prb_object *cached);

/* Is it the same object, in the same generation and with the same metadata? Then only what a
 * generation does not count has changed, its status most likely; but a few kinds (PriorityClass)
 * have one and never count. */
bool prb_sighting_is_generation(const struct json_object *note, const struct prb_object *cached);

/* Is it the same object, and nothing but its status has changed? `status_counts`: not even that. */
bool prb_sighting_holds(
        const struct json_object *note, const struct prb_object *cached, bool status_counts);

/* Is it the same object, with the same of everything but metadata and status? */
bool prb_sighting_has_content(const struct json_object *note, const struct prb_object *live);

/* Does it have the same labels and annotations? */
bool prb_sighting_has_labels(const struct json_object *note, const struct prb_object *live);

#endif

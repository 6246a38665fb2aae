#ifndef PROBATE_MODEL_MANIFEST_MERGE_H
#define PROBATE_MODEL_MANIFEST_MERGE_H

/*
 * How a manifest becomes an object: what is created, what would be written over what is there, and
 * whether it is so already. Pure; trees passed in are not changed, those returned are the caller's.
 */

#include <stdbool.h>

#include "probate/base/json.h"
#include "probate/model/manifest_work.h"
#include "probate/model/object.h"

/*
 * What is created. Status, and of the metadata all but name, labels, annotations and finalizers,
 * are left out: only a server can say them, and owners are the work's business. stringData of a
 * Secret is in its data. `namespace` "": none.
 */
struct json_object *prb_manifest_body(const struct prb_manifest *manifest, const char *namespace);

/*
 * What a PUT over `live` says: everything but metadata and status from the body; labels and
 * annotations of both, the body's winning; the rest of the metadata and the status as they are; and
 * what the server or its controllers allocate, where the body does not name it.
 */
struct json_object *prb_manifest_merge(
        const struct json_object *body, const struct prb_object *live);

/*
 * Would writing `wanted` (as merged) change anything? Maps have to be a part of what is there,
 * lists of the same length element by element; data of ConfigMaps and Secrets is equal. A null, and
 * an empty map or list, says nothing. Metadata: labels and annotations.
 */
bool prb_manifest_contains(const struct json_object *live, const struct json_object *wanted);

/* The same of labels and annotations alone. */
bool prb_manifest_contains_metadata(
        const struct json_object *live, const struct json_object *wanted);

#endif

#ifndef PROBATE_HUB_META_INTERNAL_H
#define PROBATE_HUB_META_INTERNAL_H

/* Small changes to the metadata of a private tree. */

#include "probate/base/json.h"

#include "state.h"

/* metadata, made when absent. */
struct json_object *prb_hub_meta(struct json_object *tree);

/* metadata.<key> becomes a copy of what it is in `from`, or absent as it is there. */
void prb_hub_meta_keep(struct json_object *tree, const struct json_object *from, const char *key);

/* Top-level member `key`, likewise. */
void prb_hub_keep(struct json_object *tree, const struct json_object *from, const char *key);

/* Now, as the API server writes it. */
void prb_hub_meta_set_now(struct prb_hub *hub, struct json_object *tree, const char *key);

/* Drop empty labels, annotations, finalizers and ownerReferences: they are not stored. */
void prb_hub_meta_tidy(struct json_object *tree);

void prb_hub_finalizer_add(struct json_object *tree, const char *finalizer);
void prb_hub_finalizer_remove(struct json_object *tree, const char *finalizer);
bool prb_hub_finalizer_has(const struct json_object *tree, const char *finalizer);

/* Number of finalizers; with those in spec of a Namespace. */
size_t prb_hub_finalizer_count(const struct prb_hub_kind *kind, const struct json_object *tree);

/* apiVersion in the group of the kind. */
void prb_hub_set_api_version(
        struct json_object *tree, const struct prb_hub_kind *kind, const char *version);

#endif

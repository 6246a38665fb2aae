#ifndef SRC_MODEL_MANIFEST_INTERNAL_H
#define SRC_MODEL_MANIFEST_INTERNAL_H

/* What the files about manifests share. */

#include "probate/model/manifest_work.h"

/* Last of all those that can be applied, and after them the others. */
#define PRB_RANK_OTHER 1000
#define PRB_RANK_DEFECT 1001

/* When is this kind to be applied? Small ones first. */
int prb_manifest_rank(const char *group, const char *kind);

/* spec.manifestConfigs, as far as it says anything of updates. */
void prb_manifest_configs_read(const struct json_object *list, struct prb_manifest_work *ret);

/* Is this a text that the pattern stands for? "*" is any text, also none. */
bool prb_manifest_pattern_matches(const char *pattern, const char *text);

/* A tree's apiVersion and kind. */
bool prb_manifest_is(const struct json_object *tree, const char *group, const char *kind);

/* Put into `merged`, which is to be written, what the server or its controllers have allocated in
 * `live` and a manifest need not name. */
void prb_manifest_keep_allocated(struct json_object *merged, const struct json_object *live);

/* The same for all of a Pod's spec. */
void prb_manifest_overlay_pod(struct json_object *merged, const struct json_object *live);

/* The same for what controllers fill in: the token of a Secret, the rules of a ClusterRole that is
 * aggregated, the bundle of CAs of a ConfigMap. */
void prb_manifest_keep_token(struct json_object *merged, const struct json_object *live);
void prb_manifest_keep_rules(struct json_object *merged, const struct json_object *live);
void prb_manifest_keep_injected(struct json_object *merged, const struct json_object *live);

/* Is `wanted` a part of `live`, as prb_manifest_contains has it of any member? */
bool prb_manifest_is_part(const struct json_object *live, const struct json_object *wanted);

/* stringData of a Secret as the server stores it: base64 in data, where it wins. */
void prb_manifest_fold_secret(struct json_object *secret);

#endif

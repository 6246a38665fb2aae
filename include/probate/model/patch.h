#ifndef PROBATE_MODEL_PATCH_H
#define PROBATE_MODEL_PATCH_H

/*
 * Patches on JSON trees: RFC 7386 merge patch, RFC 6902 JSON patch, and small builders for the
 * patches Probate sends. Trees passed in are not changed.
 */

#include "probate/base/error.h"
#include "probate/base/json.h"

/* The API server's own limit on operations of one JSON patch. */
#define PRB_JSON_PATCH_OPS_MAX 10000

/* Bytes of JSON that the `copy` operations of one patch may bring in all, as the API server has it:
 * twice the 1.5 MiB that etcd takes of an object. */
#define PRB_JSON_PATCH_COPY_MAX ((size_t)3 * 1024 * 1024)

/* `target` merged with `patch`, as a new tree. */
struct json_object *prb_merge_patch(
        const struct json_object *target, const struct json_object *patch);

/*
 * The smallest merge patch that turns object `from` into object `to`; an empty object when they are
 * equal. Arrays are replaced whole; members that are null in `to` cannot be said in a merge patch
 * and come out absent.
 */
struct json_object *prb_merge_diff(const struct json_object *from, const struct json_object *to);

/*
 * Apply add, remove, replace, move, copy, test in order. INVALID: malformed patch, a path that does
 * not exist, or a result past PRB_JSON_DEPTH_MAX or PRB_JSON_PATCH_COPY_MAX; CONFLICT: a `test`
 * that does not hold, also because nothing is there. The text names the operation (counted from 0)
 * and its path. Nothing is applied by halves.
 */
int prb_json_patch(const struct json_object *target, const struct json_object *patch,
        struct json_object **ret, struct prb_error *err);

/* Builders: append one operation to an array. `value` is taken; "remove" has none: pass NULL. */
struct json_object *prb_json_patch_new(void);
void prb_json_patch_add(struct json_object *patch, const char *op, const char *pointer,
        struct json_object *value_taken);

/*
 * A JSON patch that adds or removes one finalizer, guarded by `test`s of uid and of the whole list
 * that was seen: a concurrent change makes it fail instead of being lost. Where there was no list,
 * its absence cannot be tested, so resourceVersion is. NULL: nothing to do.
 */
struct prb_object;
struct json_object *prb_patch_add_finalizer(const struct prb_object *seen, const char *finalizer);
struct json_object *prb_patch_remove_finalizer(
        const struct prb_object *seen, const char *finalizer);

/*
 * The same for an owner reference; all others stay as they are. An owner of the same group, kind
 * and name but another uid is the same one in an earlier life: replaced, or removed with it.
 */
struct prb_owner;
struct json_object *prb_patch_add_owner(
        const struct prb_object *seen, const struct prb_owner *owner);
struct json_object *prb_patch_remove_owner(
        const struct prb_object *seen, const struct prb_owner *owner);

#endif

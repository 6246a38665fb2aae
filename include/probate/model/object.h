#ifndef PROBATE_MODEL_OBJECT_H
#define PROBATE_MODEL_OBJECT_H

/*
 * One API object: an immutable JSON tree with an atomic reference count. May be read by any
 * number of threads; whoever wants to change it takes a copy. All getters borrow from the object
 * and treat a value of the wrong type as absent.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/model/ref.h"

struct prb_object;

/* Takes the tree (also on failure). INVALID when it is no object, or has no metadata.name that is
 * a non-empty string; apiVersion and kind may be absent (items of a list have none). */
int prb_object_new(struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err);

/* The same for an object that a request carries: it may have no name yet, nor any metadata. */
int prb_object_draft(
        struct json_object *tree_taken, struct prb_object **ret, struct prb_error *err);

/*
 * A member of the object could not be read, and is missing from it: nested too deeply, say. Nobody
 * may take that for absent. Only for who has made the object and holds it alone.
 */
void prb_object_set_defect(struct prb_object *object, const char *member, const char *why);

/* "spec: nested too deeply", borrowed; NULL: the object is whole. */
const char *prb_object_defect(const struct prb_object *object);

struct prb_object *prb_object_ref(const struct prb_object *object);
void prb_object_unref(const struct prb_object *object); /* NULL is fine */
PRB_DEFINE_CLEANUP(struct prb_object *, prb_object_unref)

/* The whole tree, to read only. */
const struct json_object *prb_object_tree(const struct prb_object *object);

/* Its metadata, to read only; NULL only in a draft that has none. */
const struct json_object *prb_object_metadata(const struct prb_object *object);

/* A private copy of the tree, to change. */
struct json_object *prb_object_copy(const struct prb_object *object);

/*
 * A new object with nothing but metadata, apiVersion, kind and the members that `keeps` names
 * ("status.readyReplicas"; NULL-terminated, NULL: none). A path leads through objects only.
 */
struct prb_object *prb_object_prune(const struct prb_object *object, const char *const *keeps);

/* The same object, with these annotations only (NULL-terminated). */
struct prb_object *prb_object_keep_annotations(
        const struct prb_object *object, const char *const *keys);
/* A defect stays only if the member it is about would. */

/* "" when absent (never NULL): */
const char *prb_object_api_version(const struct prb_object *object);
const char *prb_object_kind(const struct prb_object *object);
const char *prb_object_name(const struct prb_object *object);
const char *prb_object_namespace(const struct prb_object *object);
const char *prb_object_uid(const struct prb_object *object);
const char *prb_object_resource_version(const struct prb_object *object);

int64_t prb_object_generation(const struct prb_object *object); /* 0: absent */

/* Is metadata.deletionTimestamp set (a non-empty string)? */
bool prb_object_is_deleting(const struct prb_object *object);
int64_t prb_object_deleted_at_ms(const struct prb_object *object); /* wall; 0: not or unreadable */
int64_t prb_object_created_at_ms(const struct prb_object *object);

/* NULL when absent: */
const char *prb_object_label(const struct prb_object *object, const char *key);
const char *prb_object_annotation(const struct prb_object *object, const char *key);
const struct json_object *prb_object_spec(const struct prb_object *object);
const struct json_object *prb_object_status(const struct prb_object *object);

bool prb_object_has_finalizer(const struct prb_object *object, const char *finalizer);
size_t prb_object_finalizer_count(const struct prb_object *object);
const char *prb_object_finalizer_at(const struct prb_object *object, size_t index); /* or NULL */

struct prb_owner {
    const char *api_version; /* borrowed from the object, as all texts here; "" when absent */
    const char *kind;
    const char *name;
    const char *uid;
    bool controller;
    bool block_owner_deletion;
};

size_t prb_object_owner_count(const struct prb_object *object);
bool prb_object_owner_at(const struct prb_object *object, size_t index, struct prb_owner *ret);
bool prb_object_is_owned_by(const struct prb_object *object, const char *uid);

/* The ref of this object in collection `gvr`; false when its names could not be in a URL. */
bool prb_object_ref_in(
        const struct prb_object *object, const struct prb_gvr *gvr, struct prb_ref *ret);

#endif

#ifndef TESTS_CONFORMANCE_OBJECTS_H
#define TESTS_CONFORMANCE_OBJECTS_H

/*
 * Calls of the port as rows like to make them: on this row's objects, by short name. All set
 * c->err (its code is 0 on success) and return what the port returned. `ret` may be NULL.
 */

#include "conf.h"

/* The ref of this row's object: "r12-1f0c9a7e-name" in c->ns, or cluster-scoped. */
struct prb_ref conf_ref(const struct conf *c, const struct conf_kind *kind, const char *name);

/* Is it the object that this row calls `name`? */
bool conf_is(const struct conf *c, const struct prb_object *object, const char *name);

/* Text of a finalizer, the only one rows use beside "probate.test/other". */
#define CONF_FINALIZER "probate.test/hold"

/*
 * A body for `name`: apiVersion, kind, metadata with name, namespace and the row's label, and
 * merged over it the JSON of `fmt`, in which ' stands for ".
 */
__attribute__((format(printf, 4, 5))) struct json_object *conf_body(
        const struct conf *c, const struct conf_kind *kind, const char *name, const char *fmt, ...);

/* Create from such a body (taken). */
int conf_create(struct conf *c, const struct conf_kind *kind, struct json_object *body_taken,
        struct prb_object **ret);

/* A ConfigMap of that name and nothing special. */
int conf_create_plain(struct conf *c, const char *name, struct prb_object **ret);

/* A ConfigMap held by CONF_FINALIZER. */
int conf_create_held(struct conf *c, const char *name, struct prb_object **ret);

int conf_get(
        struct conf *c, const struct conf_kind *kind, const char *name, struct prb_object **ret);

/* PUT the tree (taken) under its own name; `subresource` NULL or "status". */
int conf_update(struct conf *c, const struct conf_kind *kind, struct json_object *tree_taken,
        const char *subresource, struct prb_object **ret);

/* Merge patch (taken) on the object itself. */
int conf_merge(struct conf *c, const struct conf_kind *kind, const char *name,
        struct json_object *patch_taken, struct prb_object **ret);

/* Delete what is there now under this name, by its uid. */
int conf_delete(struct conf *c, const struct conf_kind *kind, const char *name,
        enum prb_propagation propagation);

/* Take all finalizers off. */
int conf_release(struct conf *c, const struct conf_kind *kind, const char *name);

/* Wait for the end of an object: 0, or UNAVAILABLE when it stays. */
int conf_wait_gone(struct conf *c, const struct conf_kind *kind, const char *name);

/* Wait until `holds` of the object as it is now (NULL: absent): 0 or UNAVAILABLE. */
typedef bool (*conf_holds_fn)(const struct prb_object *object);
int conf_wait_for(
        struct conf *c, const struct conf_kind *kind, const char *name, conf_holds_fn holds);

/* Conditions for it. */
bool conf_is_deleting(const struct prb_object *object);
bool conf_is_served(const struct prb_object *object); /* a CRD: Established */

/* List this row's objects of a kind in c->ns, in one page of at most PRB_LIST_LIMIT. */
int conf_list(struct conf *c, const struct conf_kind *kind, const struct prb_list_options *options,
        struct prb_page *ret);

/* The object of a page that this row calls `name`, or NULL; borrowed. */
const struct prb_object *conf_find(
        const struct conf *c, const struct prb_page *page, const char *name);

/* An owner reference to `owner` as JSON text for conf_body, in a heap string. */
char *conf_owned_by(const struct conf_kind *kind, const struct prb_object *owner, bool block);

#endif

#ifndef PROBATE_MODEL_CONTENTS_INTERNAL_H
#define PROBATE_MODEL_CONTENTS_INTERNAL_H

/*
 * A set of objects by namespace and name, with an index by owner uid. Keys are no longer than the
 * names themselves: a namespace is kept once for all objects in it. Not thread-safe; the store
 * around it locks.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/map.h"
#include "probate/model/object.h"

struct prb_contents {
    struct prb_map *by_namespace; /* owned; namespace -> map of name -> counted object */
    struct prb_map *by_owner;     /* owned; owner uid -> list of objects, borrowed */
    size_t count;
    size_t defects; /* objects of which a member could not be read */
};

void prb_contents_init(struct prb_contents *contents);
void prb_contents_done(struct prb_contents *contents);

/* Borrowed, or NULL. */
const struct prb_object *prb_contents_find(
        const struct prb_contents *contents, const char *namespace, const char *name);

/* Keeps a reference of its own; replaces the object of the same namespace and name. */
void prb_contents_put(struct prb_contents *contents, const struct prb_object *object);
bool prb_contents_remove(struct prb_contents *contents, const char *namespace, const char *name);

/* Until `each` returns false; `namespace` NULL: all. */
typedef bool (*prb_contents_each_fn)(void *ctx, const struct prb_object *object);
void prb_contents_each(const struct prb_contents *contents, const char *namespace,
        prb_contents_each_fn each, void *ctx);
void prb_contents_each_owned(const struct prb_contents *contents, const char *owner_uid,
        prb_contents_each_fn each, void *ctx);

#endif

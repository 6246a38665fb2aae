#ifndef PROBATE_HUB_OBJECTS_INTERNAL_H
#define PROBATE_HUB_OBJECTS_INTERNAL_H

/* The objects of a hub, found by name, by uid and by owner. */

#include "probate/base/json.h"

#include "state.h"

/* "namespace/name"; "/name" for what has no namespace. */
#define PRB_HUB_KEY_SIZE (PRB_NAMESPACE_SIZE + PRB_NAME_SIZE + 1)
void prb_hub_key(const char *namespace, const char *name, char key[PRB_HUB_KEY_SIZE]);

/* Borrowed, or NULL. */
struct prb_hub_entry *prb_hub_find(
        const struct prb_hub_kind *kind, const char *namespace, const char *name);
struct prb_hub_entry *prb_hub_find_key(const struct prb_hub_kind *kind, const char *key);
struct prb_hub_entry *prb_hub_find_uid(const struct prb_hub *hub, const char *uid);

/* The Namespace of that name, or NULL. */
struct prb_hub_entry *prb_hub_find_namespace(const struct prb_hub *hub, const char *name);

/* The objects that name this uid as an owner. */
struct prb_hub_dependents {
    struct prb_hub_entry **entries; /* owned array of borrowed entries */
    size_t count;
    size_t cap;
};
const struct prb_hub_dependents *prb_hub_dependents_of(const struct prb_hub *hub, const char *uid);

/*
 * Make `tree` the state of the object it names: it gets the next resourceVersion, watches and the
 * controllers' queue are told. Borrowed result.
 */
int prb_hub_put(struct prb_hub *hub, struct prb_hub_kind *kind, struct json_object *tree_taken,
        struct prb_hub_entry **ret, struct prb_error *err);

/* The object is no more. `entry` is freed. */
void prb_hub_drop(struct prb_hub *hub, struct prb_hub_entry *entry);

#endif

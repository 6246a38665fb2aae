#ifndef PROBATE_HUB_NAMESPACES_INTERNAL_H
#define PROBATE_HUB_NAMESPACES_INTERNAL_H

/* Namespaces: what may be created in them, and how they end. */

#include "state.h"

/* Can something be created in this namespace? `default` and its like, which a cluster always has,
 * count as there, and are made when something is created in them. */
bool prb_hub_namespace_is_open(const struct prb_hub *hub, const char *namespace);

/* The same, with the refusal of the API server to create `name`. */
int prb_hub_namespace_check(const struct prb_hub *hub, const char *namespace,
        const struct prb_hub_kind *kind, const char *name, struct prb_error *err);

/* FORBIDDEN for those that a cluster cannot be without. */
int prb_hub_namespace_mortal(const char *name, struct prb_error *err);

/* Make the Namespace of that name, unless it is there. */
void prb_hub_namespace_ensure(struct prb_hub *hub, const char *name);

/* The finalizer in spec by which the namespace controller holds a Namespace. */
#define PRB_HUB_KUBERNETES "kubernetes"

/* Is that finalizer there? */
bool prb_hub_namespace_is_held(const struct json_object *tree);

/* What the server sets in a Namespace that is created. */
void prb_hub_namespace_begin(struct json_object *tree);

/* Mark a Namespace as being deleted, as the first DELETE does. */
void prb_hub_namespace_terminate(struct prb_hub *hub, struct json_object *tree);

/* The controller's turn: delete the content of a terminating Namespace, say what holds it, and let
 * it go when it is empty. */
void prb_hub_namespace_step(struct prb_hub *hub, const struct prb_hub_item *item);

#endif

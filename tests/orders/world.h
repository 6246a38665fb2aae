#ifndef TESTS_ORDERS_WORLD_H
#define TESTS_ORDERS_WORLD_H

/*
 * The example of design 002, once: a CR with the finalizer, in a namespace of its own; its CRD; the
 * Deployment that takes the finalizer off, in its Namespace; and the CriticalService that guards
 * it. Many worlds live side by side on one server, under names of their own.
 */

#include "probate/api/api.h"

#include "order.h"
#include "support/table.h"

/* "w017"; in front of every name. */
#define WORLD_ID_SIZE 32

struct world {
    struct prb_api *api; /* borrowed */
    char id[WORLD_ID_SIZE];
    struct prb_ref refs[THINGS];
    char *uids[THINGS];            /* owned; NULL: not made */
    char team[PRB_NAMESPACE_SIZE]; /* the namespace of the CR */
    char group[PRB_GROUP_SIZE];    /* of the CRD */
    char finalizer[PRB_GROUP_SIZE + 32];
};

/* Only the names; `id` "" has those of the design. */
void world_init(struct world *world, struct prb_api *api, const char *id);
void world_done(struct world *world);
static inline void world_donep(struct world *world)
{
    world_done(world);
}

/* One of the five as it is made; the caller's. */
struct json_object *world_object(const struct world *world, enum thing thing);

/* Make all five and the namespace of the CR; -1 and why in `err`. */
int world_create(struct world *world, int patience_ms, struct prb_error *err);

/* One of the five as it is stored; NULL: it is gone, or could not be read. */
struct prb_object *world_get(const struct world *world, enum thing thing);

/* As an administrator would, at last: take the finalizer off the CR by hand. */
int world_release(const struct world *world, struct prb_error *err);

#endif

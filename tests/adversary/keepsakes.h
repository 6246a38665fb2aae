#ifndef TESTS_ADVERSARY_KEEPSAKES_H
#define TESTS_ADVERSARY_KEEPSAKES_H

/*
 * What became of the ConfigMaps beside the work and the policy, as watches of the administrator saw
 * it: an object goes only when it has a reference of the work, put on while the work lived, or when
 * a policy has its uid on record, or when the player deleted it.
 */

#include "world.h"

/* Watch from now on. */
int keepsakes_open(struct world *world, struct prb_error *err);
void keepsakes_close(struct world *world);

/* The player has deleted it. */
void keepsakes_given_up(struct world *world, const struct prb_object *object);

/* Has anything disappeared that had to stay? */
void keepsakes_check(struct world *world);

#endif

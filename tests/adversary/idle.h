#ifndef TESTS_ADVERSARY_IDLE_H
#define TESTS_ADVERSARY_IDLE_H

/* Connections to Probate that say nothing, or announce a body and send none of it. */

#include "world.h"

/* So many more, of one kind or the other. */
void idle_open(struct world *world, unsigned count, bool announcing);

/* All of them. */
void idle_close(struct world *world);

#endif

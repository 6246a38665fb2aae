#ifndef TESTS_WORKS_STORM_H
#define TESTS_WORKS_STORM_H

/* Many works at once, and what they cost in calls. */

#include "process.h"

/* In each work. */
#define STORM_OBJECTS 10

/* The agent must run. -1: scene->why says why. */
int storm_play(struct scene *scene, size_t works);

#endif

#ifndef TESTS_POLICIES_RESTARTS_H
#define TESTS_POLICIES_RESTARTS_H

/* The real program, killed or started once: whom does the next one take for its own? -1: scene->why
 * says why. Both leave a process running. */

#include "../cli/program.h"
#include "scene.h"

/* Killed while it waits for what DeleteAll has deleted; somebody else makes another of its name. */
int restarts_play_replaced(struct program *program, struct scene *scene);

/* Started where policies that it does not carry out have finalizers. */
int restarts_play_released(struct program *program, struct scene *scene);

#endif

#ifndef TESTS_POLICIES_KILLS_H
#define TESTS_POLICIES_KILLS_H

/* The real program, killed again and again while policies are created, changed and deleted. */

#include "../cli/program.h"
#include "scene.h"

/* In each policy. */
#define KILLS_OBJECTS 20

struct kills {
    struct program program;
    size_t policies; /* at a time */
    size_t count;
    uint64_t dice; /* seed; not 0 */
};

/* Plays all, each kill in the middle of something, and leaves the last process running. -1:
 * scene->why says why. */
int kills_play(struct kills *kills, struct scene *scene);

#endif

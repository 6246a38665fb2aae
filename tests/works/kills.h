#ifndef TESTS_WORKS_KILLS_H
#define TESTS_WORKS_KILLS_H

/* An agent that is killed at random, in the middle of applies, changes and deletes. */

#include "process.h"

struct kills {
    struct process *process; /* borrowed */
    size_t count;
    uint64_t dice; /* seed; not 0 */
};

/* Plays all, each kill in the middle of something, and leaves the last process running. -1:
 * scene->why says why. */
int kills_play(struct kills *kills, struct scene *scene);

#endif

#ifndef TESTS_ADVERSARY_PLAY_H
#define TESTS_ADVERSARY_PLAY_H

/* One sequence, from its first move to the last object that is gone. */

#include "world.h"

struct play_options {
    struct target *target; /* borrowed */
    unsigned slot, number; /* for names */
    uint64_t seed;
    bool tells;       /* print the steps, whatever comes of them */
    int64_t until_ms; /* no move begins later, of the monotonic clock; 0: however long it takes */
};

/* NULL: no law was broken. Else what a person is to read: the law, the seed and the steps. */
char *play(const struct play_options *options);

/* Everything goes that should; else a law is broken. (play_end.c) */
void play_end(struct world *world);

#endif

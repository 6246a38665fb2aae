#ifndef TESTS_WORKS_BULK_H
#define TESTS_WORKS_BULK_H

/*
 * The example of design 002 as it is meant there: its five objects are brought by ManifestWorks,
 * which are deleted at once; one agent deletes what they brought, Probate's webhook refuses what is
 * too early, and an observer says in which order things really went.
 */

#include "scene.h"

struct bulk_options {
    struct ends *ends; /* borrowed, as all here; hub and managed cluster are one */
    struct loop *loop; /* the agent */
    const char *id;    /* of the world */
    bool is_one;       /* one work with all of it; else the three of the design */
    int patience_ms;   /* for each thing that is waited for */
};

/* Leaves `why` empty when all went, in the design's order. */
void bulk_play(const struct bulk_options *options, char why[PRB_TEST_WHY_SIZE]);

#endif

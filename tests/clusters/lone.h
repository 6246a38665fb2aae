#ifndef TESTS_CLUSTERS_LONE_H
#define TESTS_CLUSTERS_LONE_H

/* Scenarios that need the API server for themselves, each with a loop of its own. */

#include "estate.h"

struct lone_row {
    const char *name;
    void (*play)(struct target *target, const struct prb_cluster_settings *settings,
            char why[PRB_TEST_WHY_SIZE]);
};

extern const struct lone_row lone_without_definition; /* of ManagedClusters: play it first */
extern const struct lone_row lone_unreadable;
extern const struct lone_row lone_never_listed;
extern const struct lone_row lone_killed;

#endif

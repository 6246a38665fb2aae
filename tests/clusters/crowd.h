#ifndef TESTS_CLUSTERS_CROWD_H
#define TESTS_CLUSTERS_CROWD_H

/* Many clusters with the same content, which agents of agents.h care for. */

#include "estate.h"

#define CROWD_ADDONS 4
#define CROWD_WORKS 6 /* one of each addon, and customised ones */

/* Of each cluster: addons, works, four objects of RBAC, the namespace and itself. */
#define CROWD_OBJECTS (CROWD_ADDONS + CROWD_WORKS + 4 + 2)

struct crowd {
    struct target *target;           /* borrowed */
    struct estate *estates;          /* owned */
    char (*whys)[PRB_TEST_WHY_SIZE]; /* owned: one of each */
    size_t count;
};

void crowd_init(struct crowd *crowd, struct target *target, size_t count);
void crowd_done(struct crowd *crowd);
static inline void crowd_donep(struct crowd *crowd)
{
    crowd_done(crowd);
}

/* Each returns false, and says why. */

/* Has none of them met anything wrong? The first that has says why. */
bool crowd_is_well(const struct crowd *crowd, char *why);

/* Make them, side by side; returns when Probate holds each. */
bool crowd_make(struct crowd *crowd, char *why);

/* Delete them, one after the other. */
bool crowd_delete(struct crowd *crowd, char *why);

/* Wait until all have gone, and check the order of each. */
bool crowd_await_end(struct crowd *crowd, char *why);

#endif

#ifndef TESTS_CLUSTERS_STORM_H
#define TESTS_CLUSTERS_STORM_H

/* Many clusters are deleted at once, and the calls of Probate are counted. */

#include "crowd.h"

/* Make them, delete them, wait for the end and check the order; prints what it took. Probate must
 * be running, behind the proxy of the target. `why` says what went wrong, also that there were
 * more calls than there should be. */
void storm_play(struct crowd *crowd, char *why);

#endif

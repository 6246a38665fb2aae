#ifndef TESTS_CLUSTERS_KILLS_H
#define TESTS_CLUSTERS_KILLS_H

/* Probate is killed again and again while clusters are being deleted. */

#include "crowd.h"
#include "process.h"

struct kills {
    struct process *process; /* borrowed; it runs */
    size_t count;
    uint64_t dice; /* not 0: chooses the moments */
};

/* Make the clusters, and bystanders; delete them bit by bit, with a kill after each bit; wait for
 * the end, check the order, and that the bystanders are as they were. */
void kills_play(struct kills *kills, struct crowd *crowd, char *why);

#endif

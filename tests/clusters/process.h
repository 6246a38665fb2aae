#ifndef TESTS_CLUSTERS_PROCESS_H
#define TESTS_CLUSTERS_PROCESS_H

/* `probate serve` as a process, behind the proxy of a target. */

#include "../cli/program.h"
#include "support/temp_dir.h"
#include "target.h"

struct process {
    struct target *target; /* borrowed */
    struct program program;
    char lease[PRB_TEST_NAME_SIZE]; /* all lives of it share one */
};

void process_start(struct process *process);

/* Wait until it leads: one that was killed keeps the lease for a while. */
bool process_leads(struct process *process);

#endif

#ifndef TESTS_WORKS_PROCESS_H
#define TESTS_WORKS_PROCESS_H

/*
 * `probate agent` as a process, behind a proxy on either side: on the managed cluster with the
 * rights of the chart's agent, on the hub with those that are printed for it, and no way to get at
 * others.
 */

#include "../cli/program.h"
#include "scene.h"
#include "support/account.h"

struct process {
    struct scene *scene; /* borrowed: whose agent it is */
    struct program program;
    struct prb_test_account hub, cluster;
};

/* From now on this process is the agent of the scene; it is not started. */
int process_hire(struct process *process, struct scene *scene);
void process_start(struct process *process);

/* Its accounts go; it must have ended. */
void process_done(struct process *process);

#endif

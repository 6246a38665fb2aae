#ifndef TESTS_WORKS_PROCESS_H
#define TESTS_WORKS_PROCESS_H

/* `probate agent` as a process, behind a proxy on either side. */

#include "../cli/program.h"
#include "scene.h"

struct process {
    struct scene *scene; /* borrowed: whose agent it is */
    struct program program;
};

/* From now on this process is the agent of the scene; it is not started. */
int process_hire(struct process *process, struct scene *scene);
void process_start(struct process *process);

#endif

#ifndef TESTS_CLUSTERS_PROCESS_H
#define TESTS_CLUSTERS_PROCESS_H

/*
 * `probate serve` as a process, behind the proxy of a target: with the rights that the chart gives
 * it, and no way to get at others.
 */

#include "../cli/program.h"
#include "support/account.h"
#include "target.h"

struct process {
    struct target *target; /* borrowed */
    struct program program;
    struct prb_test_account account;
};

/* `admin`: path of the administrator's kubeconfig, which must stay. The target is there, and nobody
 * has called through its proxy. */
int process_open(struct process *process, const char *admin, struct prb_error *err);
void process_close(struct process *process);

void process_start(struct process *process); /* to be killed */

/* One that leads to its end in good order, however busy the server: a new leader looks at
 * everything anew, and its calls would count. */
void process_start_to_stay(struct process *process);

/* Wait until it leads: one that was killed keeps the lease for a while. */
bool process_leads(struct process *process);

#endif

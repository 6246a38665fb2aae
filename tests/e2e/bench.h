#ifndef TESTS_E2E_BENCH_H
#define TESTS_E2E_BENCH_H

/*
 * What the rows run on: a control plane of their own, the definitions in several strengths, and
 * Probate as several processes, of which one at a time is registered. Registered is exactly what
 * `probate manifest webhook` prints; Probate has exactly the rights that the chart gives it, and is
 * a user's process who can read nothing of the administrator's.
 */

#include "../cli/program.h"
#include "kubectl.h"
#include "support/account.h"
#include "support/table.h"

enum instance {
    DENYING,      /* as it comes */
    ONLY_WARNING, /* every rule in mode warn */
    ONLY_AUDITING,
    CUT_OFF,       /* behind a proxy that can be told to misbehave */
    WITHOUT_RIGHT, /* may list and watch clusters, but not get one */
    INSTANCES,
};

struct bench {
    struct kubectl kubectl;
    const char *crds;      /* borrowed: the folder of ours */
    const char *originals; /* borrowed: the folder of the originals; NULL: not at hand */
    const char *cluster;   /* borrowed: the folder of the control plane */
    const char *criteria;  /* borrowed: criteriaResources of the chart, with commas; NULL: none */
    char *dir;             /* owned: certificates and manifests */
    struct prb_test_account account;
    struct program programs[INSTANCES]; /* pid 0: not started */
    struct prb_fault_proxy *proxy;      /* owned */
    char why[PRB_TEST_WHY_SIZE];        /* why something could not be done */
};

/* All of these return false, and say why in the bench. */

/* Bring up the control plane, with the accounts of Probate, and no Probate. */
bool bench_open(struct bench *bench);

/* Bring the definitions, loosened, and the claim kinds. */
bool bench_define(struct bench *bench);

/* End everything: no process and no folder is left. */
void bench_close(struct bench *bench);

/* Run a command that has to succeed. */
bool bench_kubectl(struct bench *bench, const char *command, const char *input);

/* Put definitions in the place of those that are there: loosened ones, ours, the originals as far
 * as the API server takes them. */
bool bench_loosen(struct bench *bench);
bool bench_ship(struct bench *bench);
bool bench_restore_originals(struct bench *bench);

/* Start one, and wait until it is ready. */
bool bench_start(struct bench *bench, enum instance instance);

/* Where it listens for the API server; 0: it does not say. */
uint16_t bench_admission_port(const struct bench *bench, enum instance instance);

/* Make it the one that the API server asks; `rules` as --rules takes them (NULL: all). */
bool bench_register(struct bench *bench, enum instance instance, const char *rules);

/* Ask all to end, which they must do in good order. */
bool bench_stop(struct bench *bench);

#endif

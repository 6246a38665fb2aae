#ifndef TESTS_ADVERSARY_TARGET_H
#define TESTS_ADVERSARY_TARGET_H

/*
 * What the player plays against: an API server with Probate in front of it. Two kinds: the API
 * server in memory, which asks Probate in this process over TLS; and a real one, which asks a real
 * `probate serve` that has the rights of the chart. A world in memory has a target of its own;
 * worlds on the real server share one.
 */

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"

/* The hub's namespace of this cluster, with its works and policies. */
#define TARGET_CLUSTER "adversary"

/* Worlds that there can be at once; each has a group of its own, which Probate may read. */
#define TARGET_SLOTS 16

/* "g3.adversary.example.org" */
#define TARGET_GROUP_SIZE 64
void target_group(unsigned slot, char group[TARGET_GROUP_SIZE]);

enum where { EMBEDDED = 1, REAL = 2 };

struct target;

struct target_ops {
    /* End Probate, at once or in good order; and start it again, until it is ready. */
    int (*stop)(struct target *target, bool kill, struct prb_error *err);
    int (*start)(struct target *target, struct prb_error *err);
    uint16_t (*port)(struct target *target); /* where Probate takes reviews; 0: it does not run */

    /* Run kubectl as the player (e2e/kubectl.h): did it succeed, and what did it say (the caller
     * frees)? NULL: there is none here. */
    bool (*kubectl)(struct target *target, const char *name, const char *command, const char *input,
            char **ret_said);
    void (*close)(struct target *target);
};

struct target {
    const struct target_ops *ops;
    enum where where;
    struct prb_api *player; /* borrowed, as all here: with the rights of the player */
    struct prb_api *eye;    /* the administrator's, by which the test finds out what is true */
    const char *ca;         /* PEM: who signed Probate's certificate */
    bool keeps_conditions;  /* the API server keeps matchConditions */
    bool is_down;           /* Probate was ended; under the lock below, held to write */

    /* Held to read by every move; to write while Probate is down. */
    pthread_rwlock_t turn;
};

void target_init(struct target *target);

/* In memory. `keeps_conditions` as above. (target_embedded.c) */
int target_embedded_open(bool keeps_conditions, struct target **ret, struct prb_error *err);

/* On a control plane of its own in `folder`; `crds` is the folder with the CRD of CriticalServices,
 * `standalone` that of works and policies. (target_real.c) */
int target_real_open(const char *folder, const char *crds, const char *standalone,
        struct target **ret, struct prb_error *err);

/* What Probate said last, for who looks for the reason of a failure; the caller frees. */
char *target_real_log(struct target *target);

#endif

#ifndef PROBATE_TESTS_KEEPER_WORLD_H
#define PROBATE_TESTS_KEEPER_WORLD_H

/*
 * A hub in memory with a webhook configuration, two replicas that look after it, and a clock that
 * moves when told. Self-tests are answered or not, as the test says. What is wrong with the world
 * itself ends the process.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/clock.h"
#include "probate/hub/hub.h"

#include "../control/fault_port.h"
#include "keeper_internal.h"

#define REPLICAS 2

struct replica {
    struct world *world;
    struct prb_keeper *keeper;
    struct prb_tls *tls;
    bool leads;
};

struct world {
    struct prb_clock machine; /* of the replicas; first */
    int64_t ahead_ms;         /* by how much they are ahead of the API server */
    struct prb_fake_clock server;
    struct prb_hub *hub;
    struct prb_api *api;    /* of the hub: for the test itself */
    struct fault_port port; /* in front of it: for the replicas */
    struct prb_list names;
    struct prb_rule_choice choice;
    struct replica replicas[REPLICAS]; /* the first leads */
    bool answers;                      /* self-tests are */
    const char *refusal;               /* what the API server says otherwise; NULL: it lets pass */
    size_t tests;                      /* that were made */
};

extern const struct prb_gvr keeper_configurations, keeper_secrets;

void world_open(struct world *world);
void world_close(struct world *world);

/* The configuration as a chart brings it: no caBundle, failing open. */
void world_register(struct world *world);

/* A replica starts: its first leaf, and what it serves. */
void world_start(struct world *world, size_t index);

/* One look of one replica, or of both in turn, `rounds` times, a second apart. */
void world_look(struct world *world, size_t index);
void world_settle(struct world *world, int rounds);

/* A hub as it is a while after an installation, with both replicas. */
void world_install(struct world *world);

/* Time goes on. */
void world_pass(struct world *world, int64_t ms);

/* Would the API server trust what this replica serves, for every webhook, at this moment? */
bool world_trusts(struct world *world, size_t index);

/* Put this patch on an object of the hub; `secret`: on the Secret of the CAs. */
void world_patch(struct world *world, bool secret, const char *merge_patch);

/* How many webhooks have this failurePolicy? */
size_t world_count(struct world *world, const char *failure_policy);

/* How many CAs the Secret holds, and how many certificates every webhook trusts. */
size_t world_authorities(struct world *world);
size_t world_trusted(struct world *world);

/* The text and state of a check of /readyz; the caller frees. NULL: there is no such check. */
char *world_check(struct world *world, size_t index, const char *name, enum prb_ops_state *state);

#endif

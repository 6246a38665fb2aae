#ifndef TESTS_RECONCILERS_CLUSTER_HUB_H
#define TESTS_RECONCILERS_CLUSTER_HUB_H

/*
 * A hub in memory, a cache of it that is as fresh as a test wants it, and the cluster deletion
 * controller, one pass at a time. Objects are named by the text of their refs.
 */

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/core/changes.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/cluster_deletion.h"

#include "world_objects.h"

/* The collections that the controller reads, and what it monitors here: ConfigMaps stand for what a
 * provisioner makes. */
#define MONITORED "configmaps.v1."
#define CACHES 8

struct cluster_hub {
    struct prb_hub *hub;
    struct prb_api *api;
    struct prb_fake_clock clock;
    struct prb_store *caches[CACHES];
    struct prb_cluster_settings settings;
    struct prb_changes changes; /* of the last pass */
    int result;                 /* what came of them */
    size_t writes;              /* that went through, of all passes */
    size_t writes_max;          /* none is begun after so many: the controller was killed */
};
extern struct cluster_hub cluster_hub;

void cluster_hub_init(void);
void cluster_hub_done(void);

/* Put objects into the hub; one that cannot be ends the test. */
void put(const char *yaml);

/* How many of a collection are in a namespace (NULL: anywhere). */
size_t count_in(const char *gvr, const char *namespace);

/* The n-th of them; "" when there are fewer. Static buffer: the text of its ref. */
const char *nth_in(const char *gvr, const char *namespace, size_t n);

/* Somebody takes every finalizer off it, if it is there. */
void release(const char *ref);

/* Let the cache see what is there by now: all of it, or each collection that is in `which`. */
void see(void);
void see_some(unsigned which);

/*
 * Decide on a cluster by what the cache has, and do what is wanted, as the runner does; `law` (may
 * be NULL) is asked before each change of the list, and says what is wrong with it or NULL. Returns
 * what the law said first; NULL: nothing.
 */
typedef const char *law_fn(const struct prb_change *change);
const char *pass(const char *cluster, law_fn *law);

#endif

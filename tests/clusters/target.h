#ifndef TESTS_CLUSTERS_TARGET_H
#define TESTS_CLUSTERS_TARGET_H

/*
 * What scenarios run on: a hub in memory, or a real API server behind a proxy; the loop around the
 * reconciler, a recording, and those who take finalizers off. All that concerns only one of the two
 * is hidden here.
 */

#include "probate/control/informer.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/cluster_deletion.h"

#include "agents.h"
#include "recording.h"
#include "support/proxied.h"

/* Writes that a hub refuses at a time. */
#define REFUSALS_MAX 8

struct target {
    struct prb_api *api;          /* borrowed: what the reconciler calls */
    struct prb_api *direct;       /* borrowed: what the tests call */
    struct prb_hub *hub;          /* owned; NULL: a real API server */
    struct prb_test_proxied real; /* owned, when there is no hub */
    struct recording *recording;  /* owned */
    struct agents *agents;        /* owned */
    const char *crds;             /* borrowed: folder of OCM's definitions; NULL: not needed */
    const char *dir;              /* borrowed: of the control plane; NULL: not ours to break */

    pthread_mutex_t lock; /* over: */
    struct prb_ref refused[REFUSALS_MAX];
    size_t refused_count;

    /* The loop. */
    int call_timeout_ms; /* of each of its calls; 0: the runner's default */
    struct prb_reconciler reconciler;
    struct prb_informers *informers; /* owned, as both below */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

/* `upstream` NULL: a hub. Kinds are there, or come later. */
int target_open(
        struct target *target, const struct prb_kube_config *upstream, struct prb_error *err);
void target_close(struct target *target);

/* Kinds: the monitored one, and those of OCM from the folder `crds` (a hub has them). */
int target_define_monitored(struct target *target, struct prb_error *err);
int target_define(struct target *target, enum sort sort, struct prb_error *err);

/* Watch, and let agents work. The kinds must be there. */
int target_watch(struct target *target, struct prb_error *err);

/* `settings` must stay. */
int target_start_loop(
        struct target *target, const struct prb_cluster_settings *settings, struct prb_error *err);
void target_stop_loop(struct target *target);

/* The reconciler may not delete this one from now on, or again. */
void target_refuse(struct target *target, const struct prb_ref *ref);
void target_permit(struct target *target, const struct prb_ref *ref);

#endif

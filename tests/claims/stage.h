#ifndef TESTS_CLAIMS_STAGE_H
#define TESTS_CLAIMS_STAGE_H

/*
 * What stories of claims are played on: a hub in memory, or a real API server behind a proxy; the
 * kinds, the loop around the reconciler, a log of all that happens, and Crossplane with a provider,
 * as far as they matter to a deletion.
 */

#include "probate/control/informer.h"
#include "probate/control/recorder.h"
#include "probate/control/runner.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/claims.h"

#include "../e2e/kubectl.h"
#include "provider.h"
#include "support/proxied.h"
#include "support/watch_log.h"

/* The kinds, from claim to leaf. */
enum sort {
    CLAIM,     /* Network, in a namespace */
    ROOT,      /* XNetwork */
    SITE,      /* Site, a claim whose definition says Foreground */
    SITE_ROOT, /* XSite */
    SUB,       /* XSubnet, which has no claims */
    POOL,      /* Pool, a claim that only a flag names */
    POOL_ROOT, /* XPool, which no definition speaks of */
    LEAF,      /* Bucket, what a provider cares for */
    SORTS,
};

#define GROUP "claims.example.org"
#define API_VERSION GROUP "/v1"

struct prb_gvr sort_gvr(enum sort sort);
const char *sort_kind(enum sort sort);
bool sort_is_claim(enum sort sort); /* and so in a namespace */

struct stage {
    struct prb_api *api;               /* borrowed: what the reconciler calls */
    struct prb_api *direct;            /* borrowed: what the tests call */
    struct prb_hub *hub;               /* owned; NULL: a real API server */
    struct prb_test_proxied real;      /* owned, when there is no hub */
    struct prb_watch_log *logs[SORTS]; /* owned */
    struct provider provider;
    const struct kubectl *kubectl; /* borrowed; NULL: none, as on a hub */

    /* The loop. */
    struct prb_reconciler reconciler;
    struct prb_claim_settings settings;
    struct prb_gvr flagged;
    struct prb_informers *informers; /* owned, as both below */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

/* `upstream` NULL: a hub. `folder` has Crossplane's definition; a hub needs none. */
int stage_open(struct stage *stage, const struct prb_kube_config *upstream, const char *folder,
        struct prb_error *err);
void stage_close(struct stage *stage);

int stage_start_loop(struct stage *stage, struct prb_error *err);
void stage_stop_loop(struct stage *stage);

/* As the object of this name was last told of; borrowed, NULL: gone, or never heard of. */
const struct prb_object *stage_newest(struct stage *stage, enum sort sort, const char *name);

/* When the object of this name went, in resourceVersions; 0: it has not. */
int64_t stage_gone_at(struct stage *stage, enum sort sort, const char *name);

/* When its deletion began; 0: it has not. */
int64_t stage_deleted_at(struct stage *stage, enum sort sort, const char *name);

#endif

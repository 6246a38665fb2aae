#ifndef TESTS_RECONCILERS_WORK_STAGE_H
#define TESTS_RECONCILERS_WORK_STAGE_H

/*
 * Works and what they have brought, on a hub that is its own cluster: the controller is played pass
 * by pass and round by round, and every write it makes is told, in the server's order. What a live
 * work asks for is not applied here: that it would be is told as "apply".
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/work.h"

#include "support/world.h"
#include "world_objects.h"

#define WORKS "manifestworks.v1.work.open-cluster-management.io"
#define HUB_WORKS WORKS ".hub.probate.dev"
#define APPLIED "appliedmanifestworks.v1.work.open-cluster-management.io"
#define W WORKS "/c1/w"
#define A APPLIED "//h1-w"
#define CM(name) "configmaps.v1./default/" name

#define DELETED ", deletionTimestamp: '2026-01-02T03:00:00Z'"
#define FINALIZED ", finalizers: [" PRB_WORK_FINALIZER "]"
#define RECORDING ", finalizers: [" PRB_APPLIED_FINALIZER "]"

/* Each begins with "---"; `more` of metadata begins with a comma. */
#define OCM "---\napiVersion: work.open-cluster-management.io/v1\nkind: "
#define WORK_NAMED(name, more, spec)                                              \
    OCM "ManifestWork\nmetadata: {name: " name ", namespace: c1, uid: work-" name \
        ", generation: 3" more "}\nspec: {" spec "}\n"
#define WORK(more, spec) WORK_NAMED("w", more, spec)
#define APPLIED_NAMED(name, uid, more, spec, status)                                             \
    OCM "AppliedManifestWork\nmetadata: {name: " name ", uid: " uid more "}\nspec: {" spec "}\n" \
        "status: {" status "}\n"
#define RECORD(more, status) \
    APPLIED_NAMED("h1-w", "u-a", more, "hubHash: h1, agentID: me, manifestWorkName: w", status)

/* A work that is being deleted, and its record. */
#define LEAVING(spec) WORK(DELETED FINALIZED, spec)
#define ENTRIES(...) "appliedResources: [" __VA_ARGS__ "]"
#define ENTRY(name, uid)                                                             \
    "{group: '', version: v1, resource: configmaps, namespace: default, name: " name \
    ", uid: '" uid "'}"

#define OWNER(name, uid)                                                                      \
    "{apiVersion: work.open-cluster-management.io/v1, kind: AppliedManifestWork, name: " name \
    ", uid: " uid "}"
#define OURS OWNER("h1-w", "u-a")
#define OWNERS(...) ", ownerReferences: [" __VA_ARGS__ "]"
#define MAP(name, more)                                            \
    "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: " name \
    ", namespace: default, uid: u-" name more "}\n"

/* The orphan settings on record: an annotation. */
#define NOTED(settings) ", annotations: {probate.dev/orphan-settings: '" settings "'}"
#define NOTED_ORPHAN NOTED("{\"deleteOption\":{\"propagationPolicy\":\"Orphan\"}}")

#define MANIFEST(name) \
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: " name ", namespace: default}}"
#define MANIFESTS(...) "workload: {manifests: [" __VA_ARGS__ "]}"
#define ORPHAN ", deleteOption: {propagationPolicy: Orphan}"

struct work_stage {
    struct prb_hub *hub;
    struct prb_api *api; /* the hub as the cluster; calls on it are neither told nor failed */
    struct prb_fake_clock clock;
    struct prb_work_settings settings;
    bool watches_maps; /* ConfigMaps are in the view */
    bool is_blind;     /* the caches stay as see() has left them */
    bool wants_calls;  /* reads are told, too */
    size_t reads;      /* so far, discovery not counted */
    size_t calls_max;  /* the agent is killed after so many */
    int result;        /* of the last pass */

    /* How the names of entries begin that no manifest of the live work stands for, and the group
     * that they are in (NULL: any): they are removed, and what is left of them is what is waited
     * for. NULL: "apply" is told instead. */
    const char *stale, *stale_group;
};
extern struct work_stage stage;

void stage_begin(void);
void stage_end(void);

/* More objects, as they are given. */
void put(const char *yaml);

/* Make the caches what the server has now. Without it they are as they were. */
void see(void);

/* See, then decide on the pair "w" until it is at rest in this pass: what was written. Static. */
const char *pass(void);
const char *pass_on(const char *key);
const char *pass_blind(void); /* the first round on what was seen before */

/* Up to `max` passes, until one writes nothing. */
const char *passes(size_t max);
const char *passes_on(const char *key, size_t max);
const char *passes_more(const char *key, size_t max); /* and what was told before, too */

/* What the last pass waits for, and whether it comes again by itself. */
const char *waits(void);
bool retries(void);
int64_t again_ms(void);

/* The message of a condition of the work; "". Static. */
const char *message(const char *type);

/* Calls "get configmaps default/a" fail like this from now on; code 0: no more of these. */
void fail(const char *call, enum prb_errc code, const char *reason, const char *words);

/* The Events so far, each "Warning REASON KIND: text\n". */
const char *events(void);

/* Of what is there. `ref` as in prb_ref_format. */
size_t owners_of(const char *ref);

/* Called before each call that is told, in place of what happens meanwhile; NULL: nothing. */
extern void (*meanwhile)(const char *call);

#endif

#ifndef TESTS_RECONCILERS_WORK_WORLD_H
#define TESTS_RECONCILERS_WORK_WORLD_H

/*
 * A hub and a managed cluster in memory, caches of them that are as fresh as a test wants, and the
 * work controller, pass by pass and round by round, as the runner does it. Every call is written
 * down, and may be made to fail. Objects are named by the text of their refs, those on the hub
 * with its groups (model/side.h). The cluster is "c1".
 */

#include "probate/api/api.h"
#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/core/changes.h"
#include "probate/hub/hub.h"
#include "probate/reconcilers/work.h"

#include "world_caches.h"
#include "world_calls.h"
#include "world_objects.h"

#define HASH "hub"
#define AGENT "agent-1"
#define WORKS "manifestworks.v1.work.open-cluster-management.io.hub.probate.dev"
#define APPLIEDS "appliedmanifestworks.v1.work.open-cluster-management.io"
#define WORK(name) WORKS "/c1/" name
#define APPLIED(name) APPLIEDS "//" HASH "-" name
#define CM(name) "configmaps.v1./default/" name

/* A work on the hub: `spec` and `manifests` are YAML in flow style. */
#define WORK_YAML(name, spec, manifests)                                        \
    "---\napiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n" \
    "metadata: {name: " name ", namespace: c1, labels: {a: b}}\n"               \
    "spec: {" spec "workload: {manifests: [" manifests "]}}\n"
#define CM_YAML(name, data)                                                              \
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: " name ", namespace: default}, " \
    "data: {" data "}}"

struct work_world {
    struct prb_hub *hub, *spoke;
    struct prb_api *api; /* both, and what is written down */
    struct prb_fake_clock clock;
    struct prb_work_settings settings;
    struct json_object *memory; /* what the last pass left behind */
    struct prb_changes changes; /* of the last round */
    struct prb_str calls;       /* of the last pass, one line for each */
    size_t reads, writes;       /* of the last pass */
    int rounds;                 /* of the last pass */
    int result;                 /* of the last pass: 0, or the code that ended it */
    bool stale;                 /* caches are not refreshed between the rounds */
};
extern struct work_world work_world;

void work_world_init(void);
void work_world_done(void);

/* Put objects there; one that cannot be ends the test. */
void hub_put(const char *yaml);
void spoke_put(const char *yaml);

/* A condition of a work, "Applied True AppliedManifestWorkComplete: text"; "": none. `manifest`:
 * the place in resourceStatus.manifests; -1: of the work. As `at`. */
const char *condition(const char *work, int manifest, const char *type);

/* Let the caches see what is there by now. */
void see(void);

/* The caches see, then one pass over the pair of this work; what was called, as `calls`. */
const char *pass(const char *work);

/* Passes until one writes nothing; how many that took, or -1 after 10. */
int settle(const char *work);

#endif

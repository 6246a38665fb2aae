#ifndef PROBATE_HUB_HUB_H
#define PROBATE_HUB_HUB_H

/*
 * An API server in memory, behind the port: for trying Probate without a cluster, for tests, and
 * for playing a deletion through. Writes are serialised by one lock; garbage collection and
 * namespace termination run to rest inside the write that causes them, so that after a call has
 * returned the hub is settled; watches are told by a thread of the hub, in order.
 *
 * Limits, on purpose: no RBAC (an access question is UNAVAILABLE, that is unknown); no schema
 * validation, defaulting or pruning; server-side apply merges objects and keyed condition lists
 * and keeps no field ownership beyond that; no grace periods; no controllers but garbage
 * collection and namespace termination; one stored version per kind, served under every version.
 */

#include <stdbool.h>
#include <stddef.h>

#include "probate/api/api.h"
#include "probate/base/cleanup.h"
#include "probate/base/clock.h"

struct prb_hub;

/* Events kept for watches to resume from; an older resourceVersion gets 410. A demo writes tens,
 * a test thousands; the events of one storm of 10,000 objects fit. */
#define PRB_HUB_LOG_MAX 16384

/* Objects a hub takes, so that a wrong directory cannot fill the memory. */
#define PRB_HUB_OBJECTS_MAX 200000

struct prb_hub_options {
    const struct prb_clock *clock; /* borrowed; NULL: the system's */
    size_t log_max;                /* 0: PRB_HUB_LOG_MAX; tests make it small to see 410 */
    int bookmark_ms; /* a bookmark to idle watches that often; 0: 60 s as the API server */
};

struct prb_hub *prb_hub_new(const struct prb_hub_options *options);
void prb_hub_free(struct prb_hub *hub);
PRB_DEFINE_CLEANUP(struct prb_hub *, prb_hub_free)

/* The port to this hub; borrowed, lives as long as the hub (prb_api_close on it does nothing). */
struct prb_api *prb_hub_api(struct prb_hub *hub);

/*
 * Admission: asked before each write is stored, with the lock not held. `old` is NULL on CREATE,
 * `object` NULL on DELETE. A non-zero return refuses the write with *err as the caller's error.
 */
struct prb_hub_write {
    const char *operation; /* "CREATE", "UPDATE", "DELETE" */
    const struct prb_resource *resource;
    const char *subresource; /* "" or "status" */
    const char *namespace;
    const char *name;
    const struct prb_object *object;
    const struct prb_object *old;
    bool dry_run;
};
typedef int (*prb_hub_admit_fn)(
        void *ctx, const struct prb_hub_write *write, struct prb_error *err);
void prb_hub_set_admission(struct prb_hub *hub, prb_hub_admit_fn admit, void *ctx);

/*
 * Load every .yaml, .yml and .json below `dir` (sorted by path; CRDs and XRDs first). uid,
 * deletionTimestamp, finalizers, labels and all else are kept as given, so that a world can start
 * in the middle of a deletion; an object's Namespace need not be listed. An empty directory is an
 * empty hub. Errors name file and line. `note` (may be NULL) is told of kinds whose plural had to
 * be guessed.
 */
typedef void (*prb_hub_note_fn)(void *ctx, const char *text);
int prb_hub_load(struct prb_hub *hub, const char *dir, prb_hub_note_fn note, void *ctx,
        struct prb_error *err);

/* One document that may be a List; as prb_hub_load does it for each. */
int prb_hub_load_text(struct prb_hub *hub, const char *text, size_t len, struct prb_error *err);

/* Write every object to `dir` as <resource>.<group>/<namespace>/<name>.yaml; loads again equal. */
int prb_hub_dump(struct prb_hub *hub, const char *dir, struct prb_error *err);

size_t prb_hub_count(struct prb_hub *hub);

/* Call `each` with every collection that holds an object or was defined by a CRD or XRD. */
typedef void (*prb_hub_resource_fn)(void *ctx, const struct prb_resource *resource, size_t count);
void prb_hub_each_resource(struct prb_hub *hub, prb_hub_resource_fn each, void *ctx);

#endif

#ifndef PROBATE_HUB_HUB_H
#define PROBATE_HUB_HUB_H

/*
 * An API server in memory, behind the port: for trying Probate without a cluster, for tests, and
 * for playing a deletion through. Writes are serialised by one lock; garbage collection and the
 * termination of namespaces and CRDs run to rest inside the write that causes them, so that after
 * a call has returned what follows from it has happened, with two exceptions. What admission
 * refused to these controllers is tried again by a thread of the hub, after a quarter of a second
 * at first and every half minute in the end. And no call waits while admission judges what follows
 * from that of another thread: where both lead to the same, that thread sees to it. Watches are
 * told by a thread of the hub, in order.
 *
 * It serves Kubernetes' own kinds, and OCM's, ConfigurationPolicy, CriticalService and Crossplane's
 * XRD as if their CRDs were installed; and the kinds that CRDs and XRDs in it define. What an XRD
 * defined stays served when the XRD is gone: there is no Crossplane here to take it away.
 *
 * Limits, on purpose: no RBAC (an access question is UNSUPPORTED, that is unknown); no schema
 * validation, defaulting or pruning beyond metadata; server-side apply merges maps, conditions by
 * type, ownerReferences by uid and finalizers as a set, replaces every other list, and keeps no
 * field ownership: nothing conflicts, nothing is removed by leaving it out, no managedFields are
 * written; no grace periods; no controllers but garbage collection, namespace termination and that
 * of CRDs; one stored version per kind, served under every version; Events of the core group and
 * of events.k8s.io are two collections.
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
    int bookmark_ms;  /* a bookmark to idle watches that often; 0: 60 s as the API server */
    int retry_max_ms; /* between two tries of what admission refused; 0: 30 s */
};

/* `options` may be NULL. Free it when its watches are stopped and no call is in progress. */
struct prb_hub *prb_hub_new(const struct prb_hub_options *options);
void prb_hub_free(struct prb_hub *hub);
PRB_DEFINE_CLEANUP(struct prb_hub *, prb_hub_free)

/* The port to this hub; borrowed, lives as long as the hub (prb_api_close on it does nothing). */
struct prb_api *prb_hub_api(struct prb_hub *hub);

/* As whom that port writes: somebody with a kubeconfig. */
#define PRB_HUB_USER "kubernetes-admin"

/* The same with another user. */
struct prb_api *prb_hub_api_as(struct prb_hub *hub, const char *user);

/*
 * Admission: asked before each write is stored, with the lock not held, so it may read the hub. If
 * what it judged is no longer what is stored, it is asked again about what is. `old` is NULL on
 * CREATE, `object` NULL on DELETE. A non-zero return refuses the write with *err as the caller's
 * error. Writes of the garbage collector and of namespace termination are asked about too, as users
 * of their own; those that are refused are tried again, see above. Not asked about is what is
 * loaded, and what the controllers of CRDs do, which write to the store in Kubernetes too.
 */
struct prb_hub_write {
    const char *operation; /* "CREATE", "UPDATE", "DELETE" */
    const struct prb_resource *resource;
    const char *subresource; /* "", "status" or "finalize" */
    const char *user;
    const char *namespace;
    const char *name;
    const struct prb_object *object;
    const struct prb_object *old;
    bool dry_run;
};
typedef int (*prb_hub_admit_fn)(
        void *ctx, const struct prb_hub_write *write, struct prb_error *err);

/* NULL: everything is admitted. When it returns, the function that was set before is not called
 * any more; so it must not be called from within one. */
void prb_hub_set_admission(struct prb_hub *hub, prb_hub_admit_fn admit, void *ctx);

/* Who answers access questions (prb_api_may); NULL: nobody. To be set before they are asked. */
typedef int (*prb_hub_access_fn)(void *ctx, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err);
void prb_hub_set_access(struct prb_hub *hub, prb_hub_access_fn access, void *ctx);

/*
 * Load every .yaml, .yml and .json below `dir` (sorted by path; CRDs and XRDs first; names with a
 * leading dot are passed over). uid, deletionTimestamp, finalizers, labels and all else but
 * resourceVersion are kept as given, so that a world can start in the middle of a deletion; what is
 * absent of uid, creationTimestamp and generation is filled in. An object's Namespace need not be
 * listed; one that says no namespace but needs one is in "default". Nothing is collected because
 * it is loaded, for its owners may be elsewhere, and nothing ends by being loaded: a deletion goes
 * on with the first write that touches it. An empty directory is an empty hub.
 *
 * Errors are INVALID with "file:line: what"; the hub may then hold a part of the directory. An
 * error is also the same object or uid twice, and a deletionTimestamp without a finalizer, which no
 * API server holds. `note` (may be NULL) is told of kinds whose plural had to be guessed.
 */
typedef void (*prb_hub_note_fn)(void *ctx, const char *text);
int prb_hub_load(struct prb_hub *hub, const char *dir, prb_hub_note_fn note, void *ctx,
        struct prb_error *err);

/* YAML or JSON, of which each document may be a List; as prb_hub_load does it. EXISTS when the hub
 * holds such an object already. */
int prb_hub_load_text(struct prb_hub *hub, const char *text, size_t len, struct prb_error *err);

/* Write every object to `dir`, which is made or must be empty (else EXISTS), as
 * <resource>.<group>/<namespace>/<name>.yaml. Loads again equal but for resourceVersion. */
int prb_hub_dump(struct prb_hub *hub, const char *dir, struct prb_error *err);

size_t prb_hub_count(struct prb_hub *hub);

/* Call `each` with every collection that holds an object or was defined by a CRD or XRD. */
typedef void (*prb_hub_resource_fn)(void *ctx, const struct prb_resource *resource, size_t count);
void prb_hub_each_resource(struct prb_hub *hub, prb_hub_resource_fn each, void *ctx);

#endif

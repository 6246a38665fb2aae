#ifndef TESTS_CLUSTERS_RECORDING_H
#define TESTS_CLUSTERS_RECORDING_H

/*
 * What really happened to clusters and what belongs to them: a watch on each collection, begun
 * before the first deletion, that has no part in anything. It gets over an API server that goes
 * away: what was missed meanwhile is known to lie between two resourceVersions. Thread-safe.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"

enum sort {
    MONITORED,
    ADDON,
    WORK,
    ROLEBINDING,
    ROLE,         /* ClusterRole */
    ROLE_BINDING, /* ClusterRoleBinding */
    NAMESPACE,
    CLUSTER,
    SORTS,
};

/* The kind that stands for what is monitored: instances belong to a provisioner. */
#define MONITORED_GROUP "hive.example.org"
#define MONITORED_RESOURCE "clusterdeployments"

struct prb_gvr sort_gvr(enum sort sort);
const char *sort_name(enum sort sort); /* "addon"; static */
bool sort_is_namespaced(enum sort sort);

/* When something happened, in resourceVersions: later than `after`, and at `by` at the latest. `by`
 * 0: it has not happened. */
struct instant {
    int64_t after, by;
};

/* The conditions that a cluster was seen with: its reasons in order. */
#define STORY_SIZE 512

/* One object of one uid. */
struct trace {
    enum sort sort;
    struct prb_ref ref;
    struct instant made;  /* by: first seen */
    struct instant begun; /* its deletion */
    struct instant gone;
    unsigned changes;          /* events after the first */
    unsigned marks;            /* NAMESPACE: how often it was marked for a deletion */
    struct prb_object *newest; /* owned */
    char story[STORY_SIZE];    /* CLUSTER: "AddOnsRemaining WorksRemaining " */
};

struct recording;

/* Is told of each state that is seen, on the recording's threads: no calls of the port from there.
 * Not of the end of an object. */
struct recording_listener {
    void (*seen)(void *ctx, enum sort sort, const struct prb_object *object);
    void *ctx;
};

/* Returns when all collections that are served are watched. `listener` may be NULL. */
int recording_start(struct prb_api *api, const struct recording_listener *listener,
        struct recording **ret, struct prb_error *err);
void recording_stop(struct recording *recording);
PRB_DEFINE_CLEANUP(struct recording *, recording_stop)

/* Every trace that belongs to a cluster of this name, in no order; with the lock held. NULL: all.
 */
typedef void (*trace_fn)(void *ctx, const struct trace *trace);
void recording_each(struct recording *recording, const char *cluster, trace_fn each, void *ctx);

/* The object as it was last seen, if it was not seen gone; a reference, or NULL. */
struct prb_object *recording_find(struct recording *recording, const struct prb_ref *ref);

#endif

#ifndef SRC_RECONCILERS_CLUSTER_DEPARTURE_H
#define SRC_RECONCILERS_CLUSTER_DEPARTURE_H

/*
 * What the cluster_*.c files share. A decision goes forward through them: find the cluster and its
 * namespace (cluster_deletion.c), see to the mark (cluster_mark.c), go through the steps in order
 * until one is not done (one file each), tell of it (cluster_report.c), and do what it wants done.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/cleanup.h"
#include "probate/base/str.h"
#include "probate/core/changes.h"
#include "probate/core/reconciler.h"
#include "probate/reconcilers/cluster_deletion.h"

/* Bytes of what is said about a step; what is too long for a wait ends in "..." there, and the
 * condition says the same. */
#define PRB_STEP_TEXT_MAX PRB_CHANGE_TEXT_MAX

/* What the condition on the ManagedCluster is called. */
#define PRB_CONTENT_CONDITION "ContentDeleteSuccess"

/* On ManifestWorks and on the work agent's RoleBinding: the agent takes it off its works. */
#define PRB_WORK_FINALIZER "cluster.open-cluster-management.io/manifest-work-cleanup"

extern const struct prb_gvr prb_cluster_gvr;
extern const struct prb_gvr prb_cluster_namespaces;
extern const struct prb_gvr prb_cluster_addons;
extern const struct prb_gvr prb_cluster_works;
extern const struct prb_gvr prb_cluster_rolebindings;
extern const struct prb_gvr prb_cluster_roles;
extern const struct prb_gvr prb_cluster_bindings; /* clusterrolebindings */

/* One cluster on its way out. All borrowed from the view. */
struct prb_departure {
    const struct prb_cluster_settings *settings;
    const struct prb_view *view;
    struct prb_ref ref;               /* of the ManagedCluster; its name is the namespace's too */
    const struct prb_object *cluster; /* NULL: it is gone, and the mark is all there is to go by */
    struct prb_ref namespace_ref;
    const struct prb_object *namespace; /* NULL: gone */
};

/* How far a step is. */
struct prb_step_state {
    struct prb_str text;     /* what is left, and whose move it is; "": the step is done */
    struct prb_changes acts; /* what Probate does about it, and when to look again */
    bool pending;            /* not known now, and about to be: too early to say anything */
    int64_t last_ms;         /* wall: when the last of these deletions began; 0: none has */
};

/* One step of a deletion. The next is looked at only when this one is done. */
struct prb_step {
    const char *reason; /* of the condition while it is not done */
    const char *event;  /* the reason of the Event at its begin */
    void (*look)(const struct prb_departure *departure, struct prb_step_state *state);
};

extern const struct prb_step prb_step_monitored;
extern const struct prb_step prb_step_addons;
extern const struct prb_step prb_step_works;
extern const struct prb_step prb_step_bindings;
extern const struct prb_step prb_step_namespace;

/* The first step that is not done, and how far it is; NULL: all are done. `state` is fresh. */
const struct prb_step *prb_step_find(
        const struct prb_departure *departure, struct prb_step_state *state);

void prb_step_state_init(struct prb_step_state *state);
void prb_step_state_done(struct prb_step_state *state);
static inline void prb_step_state_donep(struct prb_step_state *state)
{
    prb_step_state_done(state);
}

/* Is the collection known? Otherwise the step says that it is not, and holds. */
bool prb_step_knows(const struct prb_departure *departure, const struct prb_gvr *gvr,
        struct prb_step_state *state);

/* The same for one of which only the namespaces of departing clusters are read. */
bool prb_step_knows_in_namespace(const struct prb_departure *departure, const struct prb_gvr *gvr,
        struct prb_step_state *state);

/*
 * Each collection has a cache of its own, and one may be behind the others: before something is
 * deleted, ask for each step before `step` (NULL: for all) whether anything of it is left that the
 * cache has not seen. What is deleted cannot be brought back, and an agent without rights never
 * lets its works go.
 */
void prb_step_expect_earlier(const struct prb_departure *departure, const struct prb_step *step,
        struct prb_changes *out);

/* Between two parts of the text. */
void prb_step_separate(struct prb_step_state *state);

/* Nothing is deleted while there is an instance of a monitored resource that the cache has not seen
 * yet: ask for each. */
void prb_monitored_expect_none(const struct prb_departure *departure, struct prb_changes *out);

/* Of a monitored resource that is positively not served: it counts as none left. One Event each. */
void prb_monitored_warn(const struct prb_departure *departure, struct prb_changes *out);

/* Why the namespace is not deleted at all; NULL: it is. Static. */
const char *prb_namespace_stays(const struct prb_departure *departure);

enum prb_whose {
    PRB_OF_CLUSTER,
    PRB_OF_OTHERS,  /* it was there before the cluster, which was never accepted */
    PRB_OF_UNKNOWN, /* until the bindings of the agents can be read */
};

enum prb_whose prb_namespace_whose(const struct prb_departure *departure);

/* The bindings and roles that OCM makes for the agents of a cluster that it has accepted: is one
 * there, and are all of them known? */
bool prb_bindings_are_there(const struct prb_departure *departure);
bool prb_bindings_are_known(const struct prb_departure *departure);

/* Go on only if a live GET of each says that it is not there: a cache may not have seen it yet. */
void prb_bindings_expect_none(const struct prb_departure *departure, struct prb_changes *out);

/* Say that they cannot be read. */
void prb_bindings_say_unknown(const struct prb_departure *departure, struct prb_step_state *state);

/* --- the mark on the namespace --- */

enum prb_mark {
    PRB_MARK_NONE,
    PRB_MARK_STRANGE, /* it is there, but not made for this namespace: a backup brought it */
    PRB_MARK_VALID,
};

enum prb_mark prb_mark_of(const struct prb_object *namespace); /* NULL: none */

/* Is it the valid mark of this cluster? */
bool prb_mark_is_of(const struct prb_object *namespace, const struct prb_object *cluster);

void prb_mark_put(const struct prb_departure *departure, struct prb_changes *out);
void prb_mark_take_off(const struct prb_departure *departure, struct prb_changes *out);

/* --- a cluster that is gone --- */

/* Go on with the steps in a namespace with a valid mark: the finalizer was stripped. */
void prb_remains_clean_up(const struct prb_departure *departure, struct prb_changes *out);

/* A namespace without one is nobody's to clean: only say so. */
void prb_remains_report(const struct prb_departure *departure, struct prb_changes *out);

/* --- telling of it --- */

/* The step is not done: say so, and do what it wants done. */
void prb_departure_hold(const struct prb_departure *departure, const struct prb_step *step,
        struct prb_step_state *state, struct prb_changes *out);

/* Before the mark is put on: say so where that was refused, and make sure that the cluster is still
 * the one that was seen. */
void prb_departure_tell_trouble(const struct prb_departure *departure, struct prb_changes *out);

/* Nothing is left. */
void prb_departure_tell_end(const struct prb_departure *departure, struct prb_changes *out);

/* Does the cluster say that nothing is left? */
bool prb_departure_has_ended(const struct prb_departure *departure);

#endif

#ifndef SRC_RECONCILERS_CLUSTER_LEFT_H
#define SRC_RECONCILERS_CLUSTER_LEFT_H

/* What is left of one kind in the namespace of a cluster. */

#include "cluster_departure.h"

/* Objects of a view; the table is owned. */
struct prb_left {
    const struct prb_object **items;
    size_t count;
    size_t cap;
};

void prb_left_done(struct prb_left *left);
static inline void prb_left_donep(struct prb_left *left)
{
    prb_left_done(left);
}
void prb_left_add(struct prb_left *left, const struct prb_object *object);

/* Those in the cluster's namespace, sorted by name. `left` must be empty. */
void prb_left_find(
        const struct prb_departure *departure, const struct prb_gvr *gvr, struct prb_left *left);

/* Those whose turn it is by their cleanup-priority, which is returned; still sorted. */
int prb_left_first(const struct prb_left *all, struct prb_left *first);

/* Delete those that are not being deleted yet, if the namespace has its mark, and only as they were
 * seen: whose they are, and when their turn is, is said by labels and annotations. */
void prb_left_delete(const struct prb_departure *departure, const struct prb_gvr *gvr,
        const struct prb_left *left, const char *why, struct prb_step_state *state);

/* "a (being deleted since 2026-01-02T03:04:05Z, finalizer x), b and 2 more" */
void prb_left_text(const struct prb_left *left, struct prb_step_state *state);

/* "a (being deleted since 2026-01-02T03:04:05Z, finalizer x)" */
void prb_object_text(const struct prb_object *object, struct prb_step_state *state);

#endif

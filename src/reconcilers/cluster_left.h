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

/* When it is an object's turn: the lowest first, 0 to 100 by its cleanup-priority (more is 100).
 * The works of the klusterlet itself come after all others, unless they have a cleanup-priority. */
#define PRB_TURN_KLUSTERLET 101
#define PRB_TURN_KLUSTERLET_CRDS 102

typedef int prb_turn(const struct prb_object *object, const char *cluster);

int prb_turn_by_priority(const struct prb_object *object, const char *cluster);
int prb_turn_of_work(const struct prb_object *object, const char *cluster);

/* Those whose turn it is; still sorted. Returns the turn. */
int prb_left_first(const struct prb_departure *departure, const struct prb_left *all,
        prb_turn *turn_of, struct prb_left *first);

/* "; then 2 more, of a cleanup-priority above 10"; "" when `now` is all there are. */
void prb_left_later_text(
        const struct prb_left *all, const struct prb_left *now, int turn, struct prb_str *text);

/* Delete those that are not being deleted yet, if the namespace has its mark, and only as they were
 * seen: whose they are, and when their turn is, is said by labels and annotations. */
void prb_left_delete(const struct prb_departure *departure, const struct prb_gvr *gvr,
        const struct prb_left *left, const char *why, struct prb_step_state *state);

/* "a (being deleted since 2026-01-02T03:04:05Z, finalizer x), b and 2 more" */
void prb_left_text(const struct prb_left *left, struct prb_step_state *state);

/* "a (being deleted since 2026-01-02T03:04:05Z, finalizer x)" */
void prb_object_text(const struct prb_object *object, struct prb_step_state *state);

#endif

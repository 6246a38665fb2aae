#ifndef PROBATE_HUB_PLAN_INTERNAL_H
#define PROBATE_HUB_PLAN_INTERNAL_H

/*
 * A write that was worked out but not made yet. Between the two stands admission, which is asked
 * without the lock; so a plan holds the state it was made for, and is only carried out when that
 * state is still the current one.
 */

#include "probate/hub/hub.h"

#include "state.h"

/* A write loses against others this often before it gives up with CONFLICT; the API server tries
 * without end, but a caller of its own knows when to look again. */
#define PRB_HUB_TRIES_MAX 16

struct prb_hub_plan {
    const char *operation;     /* static: "CREATE", "UPDATE", "DELETE" */
    const char *subresource;   /* static or borrowed: "", "status" or "finalize" */
    const char *user;          /* static or borrowed: who writes */
    struct prb_hub_kind *kind; /* borrowed */
    struct prb_object *before; /* owned; NULL: there is no such object */
    struct json_object *after; /* owned; the new state; NULL: it goes */
    bool gone;                 /* it goes although `after` is told to the caller */
    bool unchanged;            /* nothing is to be written */
};

void prb_hub_plan_done(struct prb_hub_plan *plan);
static inline void prb_hub_plan_donep(struct prb_hub_plan *plan)
{
    prb_hub_plan_done(plan);
}

/* Ask admission; the lock is given up meanwhile. An error refuses the write. */
int prb_hub_plan_judge(
        struct prb_hub *hub, const struct prb_hub_plan *plan, bool dry_run, struct prb_error *err);

/* Is the state the plan was made for still the current one? */
bool prb_hub_plan_holds(const struct prb_hub *hub, const struct prb_hub_plan *plan);

/* Write it; the lock was held since prb_hub_plan_holds. */
int prb_hub_plan_commit(
        struct prb_hub *hub, const struct prb_hub_plan *plan, struct prb_error *err);

/* What the caller of a write is told: the object as written, or as it would be. NULL when it went
 * by a DELETE. */
int prb_hub_plan_result(const struct prb_hub_plan *plan, bool committed, struct prb_object **ret,
        struct prb_error *err);

/* As whom the hub's own controllers write. */
#define PRB_HUB_COLLECTOR "system:serviceaccount:kube-system:generic-garbage-collector"
#define PRB_HUB_NAMESPACE_CONTROLLER "system:serviceaccount:kube-system:namespace-controller"

/* The plan of a DELETE; its `user` is the caller's to set, as below. */
void prb_hub_plan_deletion(struct prb_hub *hub, const struct prb_hub_entry *entry,
        enum prb_propagation propagation, struct prb_hub_plan *ret);

/* The plan of a controller that changes an object to `tree`. */
void prb_hub_plan_change(const struct prb_hub_entry *entry, struct json_object *tree_taken,
        struct prb_hub_plan *ret);

enum prb_hub_carried {
    PRB_HUB_CARRIED_OUT, /* or there was nothing to do */
    PRB_HUB_REFUSED,     /* by admission, *err says why; prb_hub_retry_later is the caller's */
    PRB_HUB_OVERTAKEN, /* something else was judged than is stored now: the item is queued again */
};

/* Judge and commit the write of a controller for this item. */
enum prb_hub_carried prb_hub_plan_carry_out(struct prb_hub *hub, const struct prb_hub_item *item,
        struct prb_hub_plan *plan, struct prb_error *err);

#endif

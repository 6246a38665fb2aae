#ifndef TESTS_CLUSTERS_ESTATE_H
#define TESTS_CLUSTERS_ESTATE_H

/*
 * One cluster with what belongs to it, under a name of its own. Everything is made, changed and
 * looked at through the test's own client. All functions return 0, or -1 with the reason in
 * estate->why.
 */

#include "order.h"
#include "support/table.h"
#include "support/temp_dir.h"
#include "target.h"

struct estate {
    struct target *target; /* borrowed */
    char id[PRB_TEST_NAME_SIZE];
    char *why; /* borrowed: PRB_TEST_WHY_SIZE */
};

/* `why` must be empty. Makes nothing. */
void estate_open(struct estate *estate, struct target *target, char *why);

/* Take away what is left of it, best effort. */
void estate_close(struct estate *estate);

__attribute__((format(printf, 2, 3))) int estate_fail(struct estate *estate, const char *fmt, ...);

/* Of addons, works and monitored resources `name` is the name; of RoleBindings "work" or
 * "registration"; of others there is only one, and `name` is NULL. */
struct prb_ref estate_ref(const struct estate *estate, enum sort sort, const char *name);

/* `meta`: members of its metadata ("'finalizers':['x']"), or "". */
int estate_make(struct estate *estate, enum sort sort, const char *name, const char *meta);

/* Namespace, cluster and rights, as OCM makes them; returns when Probate holds the cluster. */
int estate_found(struct estate *estate);

/* The same for a cluster that the agents of agents.h care for. */
int estate_found_with_agents(struct estate *estate);

/* The rights alone. */
int estate_make_rights(struct estate *estate);

/* A work of an addon that is in the namespace of the same cluster; held by its agent. */
int estate_make_addon_work(struct estate *estate, const char *name, const char *addon);

int estate_delete(struct estate *estate, enum sort sort, const char *name);
int estate_release(struct estate *estate, enum sort sort, const char *name); /* all finalizers */
int estate_patch(struct estate *estate, enum sort sort, const char *name, const char *patch);
int estate_patch_status(struct estate *estate, const char *patch); /* of the cluster */
int estate_add_finalizer(
        struct estate *estate, enum sort sort, const char *name, const char *finalizer);

/* As it is now; NULL: not there, or not to be had. */
struct prb_object *estate_get(struct estate *estate, enum sort sort, const char *name);

/* It is there, and nobody deletes it. */
int estate_expect_untouched(struct estate *estate, enum sort sort, const char *name);

/* Wait until the condition ContentDeleteSuccess has this reason, with `text` in its message. */
int estate_await_said(struct estate *estate, const char *reason, const char *text);

/* Wait until what the key of this cluster waits for has this in it. */
int estate_await_waits(struct estate *estate, const char *text);

int estate_await_held(struct estate *estate);     /* the cluster has Probate's finalizer */
int estate_await_released(struct estate *estate); /* it has it no more, and is there */
int estate_await_unmarked(struct estate *estate); /* the namespace has no mark */
int estate_await_gone(struct estate *estate, enum sort sort, const char *name);
int estate_await_deleting(struct estate *estate, enum sort sort, const char *name);
int estate_await_event(struct estate *estate, const char *reason);
int estate_await_event_saying(struct estate *estate, const char *reason, const char *text);

/* What is made after this has a later creationTimestamp. */
int estate_await_older(struct estate *estate, enum sort sort, const char *name);

/* Wait until nothing is left, and check the order; flags of order.h. */
int estate_await_end(struct estate *estate, unsigned flags);

/* The reasons that the condition had, in order, are these in the end. */
int estate_expect_story(struct estate *estate, const char *story);

/* In a function that returns as these do. A bare if: not to be used before an else. */
#define DO(call)    \
    if ((call) < 0) \
    return -1

#endif

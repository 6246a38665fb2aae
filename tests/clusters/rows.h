#ifndef TESTS_CLUSTERS_ROWS_H
#define TESTS_CLUSTERS_ROWS_H

/* The scenarios: the same steps on a hub and on a real API server. */

#include "estate.h"

/* How the reconciler is set when a row is played. */
enum setting {
    AS_IT_COMES, /* --delete-works=addon, OCM's finalizer */
    ALL_WORKS,   /* --delete-works=all, and a finalizer of its own, as beside OCM */
    SETTINGS,
};

struct row {
    const char *name; /* a sentence */
    enum setting setting;
    int (*play)(struct estate *estate);
};

struct row_list {
    const struct row *rows;
    size_t count;
};

extern const struct row_list rows_stories; /* of design 001 */
extern const struct row_list rows_late;    /* somebody takes his time */
extern const struct row_list rows_changed; /* somebody changes his mind, or the world */
extern const struct row_list rows_remains; /* namespaces without their clusters */
extern const struct row_list rows_ocm;     /* others who do the same */

#define ROW_LIST(name) \
    const struct row_list name = { .rows = list, .count = sizeof(list) / sizeof(list[0]) }

/* What works of others have: somebody else deletes them. */
#define OTHERS_LABEL "'" BY_OTHERS "':'their-owner'"
#define HELD_BY_AGENT "'finalizers':['" WORK_FINALIZER "']"
#define HELD_BY_HOOK "'finalizers':['" HOOK_FINALIZER "']"
#define PRIORITY(value) "'annotations':{'open-cluster-management.io/cleanup-priority':'" value "'}"

/* A customised work that its agent holds. */
int make_customised(struct estate *estate, const char *name);

/* Who made it deletes it, and the agent cleans up. */
int finish_work(struct estate *estate, const char *name);

#endif

#ifndef TESTS_ORDERS_OBSERVER_H
#define TESTS_ORDERS_OBSERVER_H

/*
 * Who sees what really happened: one watch for each of the five objects, begun before the first
 * deletion, that has no part in it.
 */

#include "probate/base/str.h"

#include "steps.h"
#include "support/watch_log.h"
#include "world.h"

struct observer {
    const struct world *world;          /* borrowed */
    struct prb_watch_log *logs[THINGS]; /* owned */
};

/* Returns when each watch has told of its object. */
int observer_start(struct observer *observer, const struct world *world, int patience_ms,
        struct prb_error *err);
void observer_stop(struct observer *observer);
static inline void observer_stopp(struct observer *observer)
{
    observer_stop(observer);
}

/* Wait until Probate has marked the Deployment and its Namespace and says that the protection is in
 * force; the error says what was missing. */
int observer_wait_protected(struct observer *observer, int patience_ms, struct prb_error *err);

/* Did this one lose its mark, before its deletion was accepted, while the CriticalService was
 * there?
 */
bool observer_saw_unmarked(const struct observer *observer, enum thing thing);

/* Has this one been removed? */
bool observer_saw_removed(const struct observer *observer, enum thing thing);

/* For a person: every write to it, as "ADDED at 7, MODIFIED at 9 marked, DELETED at 12". */
void observer_history(const struct observer *observer, enum thing thing, struct prb_str *out);

/* Has the watch of one of them ended before it was removed? Says so in `why`. */
bool observer_lost_one(const struct observer *observer, char *why, size_t size);

/* At which resourceVersions the steps happened, as far as they did. */
struct steps observer_steps(const struct observer *observer);

#endif

#ifndef TESTS_CLUSTERS_ORDER_H
#define TESTS_CLUSTERS_ORDER_H

/*
 * Did the deletion of a cluster go in order? Monitored resources, addons, works, rights, the
 * namespace, the cluster: of each the last one is gone before the deletion of any of the next
 * begins. What others delete may begin at any time, but the work agent's binding goes after the
 * last work whoever deletes it.
 */

#include "recording.h"

/* Label of what is not deleted by Probate, or not by it alone. */
#define BY_OTHERS "example.org/deleted-by"

/* What is different about this one. */
#define ORDER_KEPT 1U /* the namespace stays */
#define ORDER_STRIPPED                                                        \
    2U /* somebody took the finalizer off: the cluster went when it wanted to \
        */

/* Says in `why` what is out of order, or is not gone; nothing when all is well. */
void order_check(
        const struct trace *const *traces, size_t count, unsigned flags, char *why, size_t size);

/* The same for a cluster in a recording, once that has seen the end: within `patience_ms`
 * (support/wait.h). */
void order_await(struct recording *recording, const char *cluster, unsigned flags, int patience_ms,
        char *why, size_t size);

/* Wait until everything that belongs to the cluster is gone but what stays; false: it is not, and
 * `why` names something that is left. */
bool order_await_end(struct recording *recording, const char *cluster, unsigned flags,
        int patience_ms, char *why, size_t size);

#endif

#ifndef TESTS_ORDERS_STEPS_H
#define TESTS_ORDERS_STEPS_H

/*
 * The oracle: the nine steps of design 002 ("When a bulk delete happens, the effective order will
 * be"), and which of them must come before which.
 *
 * A step is the resourceVersion at which the server stored it, as a watch told that nobody else
 * uses (observer.h): etcd, and the hub, count the writes to all collections with one number, so
 * steps on different objects can be compared. What the clients were answered, and when, counts for
 * nothing here.
 *
 * "Accepted" is the write that set the deletionTimestamp. An object that nothing holds, as the
 * Deployment, is accepted and removed with one write: then 5 is 7, which is in order. All other
 * relations are strict; between steps that are not related the design's numbers mean nothing, for
 * these steps are on objects that do not wait for each other.
 */

#include <stddef.h>
#include <stdint.h>

enum step {
    CRD_ACCEPTED = 1,
    CR_ACCEPTED,
    CR_REMOVED,
    CRD_REMOVED,
    DEPLOYMENT_ACCEPTED,
    NAMESPACE_ACCEPTED,
    DEPLOYMENT_REMOVED,
    NAMESPACE_REMOVED,
    SERVICE_REMOVED,
    STEPS, /* numbered from 1, as the design does */
};

struct steps {
    int64_t at[STEPS]; /* resourceVersion; 0: it did not happen */
};

/* Say in `why` (`size` bytes, "" when all is well) which steps are missing, or out of order. */
void steps_check(const struct steps *steps, char *why, size_t size);

#endif

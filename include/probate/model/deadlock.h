#ifndef PROBATE_MODEL_DEADLOCK_H
#define PROBATE_MODEL_DEADLOCK_H

/*
 * CriticalServices that wait for each other. A criterion that names a provider, the namespace of a
 * provider, or a (Strict) CriticalService waits for whoever guards that: when these in turn, over
 * however many, wait for the first, none of them can ever go. A criterion that names its own
 * provider, that one's namespace, or its own CriticalService is the shortest such cycle. A (Strict)
 * CriticalService that is waited for waits for its provider, and so for all that guard that: it may
 * be in a cycle without a criterion of its own in it.
 */

#include <stddef.h>

#include "probate/model/critical_service.h"

/* CriticalServices that are to be looked at together: as many as a live list may have, and one that
 * is to be made. The search takes time with the number of their criteria. It looks at all that it
 * is given: who has more knows nothing of a circle, and says so. */
#define PRB_DEADLOCK_SERVICES_MAX 5001

/*
 * The shortest cycle through services[start], each member spelled out: "a waits for
 * deployments.apps ns-b/b to be gone, which b protects; b waits for ...". Owned; NULL: there is
 * none.
 */
char *prb_deadlock_find(const struct prb_critical_service *services, size_t count, size_t start);

/* The same, of those cycles that one of its criteria is part of. */
char *prb_deadlock_find_by_criteria(
        const struct prb_critical_service *services, size_t count, size_t start);

#endif

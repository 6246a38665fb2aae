#ifndef PROBATE_MODEL_LOOSENING_H
#define PROBATE_MODEL_LOOSENING_H

/*
 * A change of a CriticalService loosens it when there is some set of live objects that would have
 * held its provider, or the CriticalService itself, before and would not now. In doubt it loosens:
 * two criteria are the same only when they ask the API server the same question, since another
 * spelling of a kind may come to mean another kind. Order, duplicates and a member that is absent
 * and equal to its default change nothing.
 */

#include <stdbool.h>

#include "probate/model/critical_service.h"

struct prb_loosening {
    bool provider; /* another one, or none that could exist */
    bool policy;   /* BestEffort: it may go before its provider */
    bool criteria; /* one of them is missing, or what was never fulfilled may be now */

    /* The first that is missing; borrowed from `before`. NULL: none, or more than are looked at. */
    const struct prb_criterion *lost;
};

/* Does it loosen? What guarded nothing before cannot be loosened. */
bool prb_loosening_find(const struct prb_critical_service *before,
        const struct prb_critical_service *now, struct prb_loosening *ret);

#endif

/* Does a change of a CriticalService let something go that it held before? */

#include "probate/model/loosening.h"

static bool has(const struct prb_critical_service *service, const struct prb_criterion *criterion)
{
    for (size_t i = 0; i < service->criterion_count; i++) {
        if (prb_criterion_equal(&service->criteria[i], criterion))
            return true;
    }
    return false;
}

/* Past the bound something is demanded that nobody knows, which nothing fulfils. */
static bool loses_criteria(const struct prb_critical_service *before,
        const struct prb_critical_service *now, const struct prb_criterion **ret_lost)
{
    if (now->too_many)
        return false;
    for (size_t i = 0; i < before->criterion_count; i++) {
        if (has(now, &before->criteria[i]))
            continue;
        *ret_lost = &before->criteria[i];
        return true;
    }
    return before->too_many;
}

bool prb_loosening_find(const struct prb_critical_service *before,
        const struct prb_critical_service *now, struct prb_loosening *ret)
{
    struct prb_ref old, new;

    *ret = (struct prb_loosening){ .lost = NULL };

    /* Nobody sees what it protected, so what it shows from now on may be another provider. */
    if (prb_critical_service_is_blank(before)) {
        ret->provider = !prb_critical_service_is_blank(now);
        return ret->provider;
    }
    if (!prb_critical_service_provider(before, &old))
        return false;
    ret->provider = !prb_critical_service_provider(now, &new) || !prb_ref_equal(&old, &new);
    ret->policy = !before->best_effort && now->best_effort;
    ret->criteria = loses_criteria(before, now, &ret->lost);
    return ret->provider || ret->policy || ret->criteria;
}

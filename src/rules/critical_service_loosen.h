#ifndef PROBATE_RULES_CRITICAL_SERVICE_LOOSEN_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_LOOSEN_INTERNAL_H

/*
 * An UPDATE that loosens a CriticalService while its provider is there and a criterion is unmet, or
 * while that cannot be told, gets past the protection as a DELETE of the provider would. So it
 * takes the same: the right to override, and break-glass, here in the same request. Another
 * provider takes that also while all criteria hold, as the deletion of the CriticalService does.
 */

#include "critical_service_change.h"

void prb_loosen_ask(const struct prb_service_change *change, const struct prb_view *view,
        struct prb_questions *out);
void prb_loosen_judge(const struct prb_service_change *change, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out);

#endif

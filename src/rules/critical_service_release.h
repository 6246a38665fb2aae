#ifndef PROBATE_RULES_CRITICAL_SERVICE_RELEASE_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_RELEASE_INTERNAL_H

/* DELETE of a CriticalService: not before its provider is gone, unless it is BestEffort. */

#include "probate/core/question.h"
#include "probate/core/verdict.h"
#include "probate/model/view.h"

void prb_release_ask(const struct prb_request *request, struct prb_questions *out);
void prb_release_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out);

#endif

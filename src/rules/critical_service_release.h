#ifndef PROBATE_RULES_CRITICAL_SERVICE_RELEASE_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_RELEASE_INTERNAL_H

/* DELETE of a CriticalService: not before its provider is gone, unless it is BestEffort. */

#include "probate/base/str.h"
#include "probate/core/question.h"
#include "probate/core/verdict.h"
#include "probate/model/critical_service.h"
#include "probate/model/view.h"

void prb_release_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out);
void prb_release_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out);

/* Why a provider, by the answer on it, is in the way: "its provider, Deployment ops/op, is still
 * there (not being deleted)". */
void prb_release_why_text(const struct prb_critical_service *service,
        const struct prb_question *answer, int64_t now_ms, struct prb_str *out);

#endif

#ifndef PROBATE_RULES_CRITICAL_SERVICE_DELETE_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_DELETE_INTERNAL_H

/*
 * DELETE of a Deployment or a Namespace, and the UPDATE that takes the label off it: without that
 * label a DELETE passes while Probate is down, so it counts as one.
 */

#include "probate/core/question.h"
#include "probate/core/verdict.h"
#include "probate/model/view.h"

void prb_ward_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out);
void prb_ward_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out);

/* The list of CriticalServices could not be read: say so, of what `subject` was refused. */
void prb_deny_unlisted(const struct prb_question *list, const char *subject, const char *refused,
        struct prb_verdict *out);

#endif

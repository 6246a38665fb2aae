#ifndef PROBATE_RULES_CRITICAL_SERVICE_CHANGE_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_CHANGE_INTERNAL_H

/*
 * CREATE and UPDATE of a CriticalService: is it well formed, does it ask for what there is, may who
 * writes it protect that provider, may it hold less than before, and could what it protects ever be
 * deleted again?
 */

#include "probate/core/question.h"
#include "probate/core/verdict.h"
#include "probate/model/loosening.h"
#include "probate/model/view.h"

#include "critical_service_ward.h"

/* What a request does to a CriticalService. */
struct prb_service_change {
    const struct prb_request *request;
    struct prb_critical_service now;
    struct prb_critical_service before; /* of a CREATE: nothing */
    bool provider, criteria;            /* another one than before; of a CREATE: both */
    bool tightened;                     /* may not go before its provider any more */
    bool loosens;                       /* holds less than before, see `loosening` */
    struct prb_loosening loosening;
    bool fresh[PRB_CRITERIA_MAX]; /* criteria it did not have before */
};

/* False when nothing of it needs a look beyond its text: nobody is asked. */
bool prb_service_change_read(const struct prb_request *request, struct prb_service_change *ret);

void prb_service_change_ask(
        const struct prb_request *request, const struct prb_view *view, struct prb_questions *out);
void prb_service_change_judge(const struct prb_request *request, const struct prb_view *view,
        const struct prb_questions *answers, struct prb_verdict *out);

/* Refuse what is in a circle because of this change; warn of what was in one before. */
void prb_service_change_check_deadlock(const struct prb_service_change *change,
        const struct prb_question *list, struct prb_verdict *out);

/* What the criteria ask for: is it served, has it that scope, can it be looked at? */
void prb_service_change_check_criteria(const struct prb_service_change *change,
        const struct prb_questions *answers, struct prb_verdict *out);

#endif

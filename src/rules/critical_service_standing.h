#ifndef PROBATE_RULES_CRITICAL_SERVICE_STANDING_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_STANDING_INTERNAL_H

/*
 * How the criteria of a CriticalService stand by live answers. Nothing holds that was not
 * positively found out.
 */

#include "critical_service_ward.h"

enum prb_standing {
    PRB_HOLDS,
    PRB_UNMET,     /* positively: something stands in the way */
    PRB_FORBIDDEN, /* Probate lacks the right to look */
    PRB_MISTAKEN,  /* cannot be looked at as it is written: only who corrects it can help */
    PRB_UNCHECKED, /* no answer this time */
};

void prb_criterion_ask(const struct prb_criterion *criterion, struct prb_questions *out);

/* The answer is borrowed; NULL when it was never asked. */
enum prb_standing prb_criterion_standing(const struct prb_criterion *criterion,
        const struct prb_questions *answers, const struct prb_question **ret_answer);

/* Is what it waits for, as far as it is named, in this namespace? */
bool prb_criterion_is_inside(const struct prb_criterion *criterion,
        const struct prb_question *answer, const char *namespace);

/* An answer on whether an object is there: there is UNMET, gone HOLDS. NULL: never asked. */
enum prb_standing prb_presence_standing(const struct prb_question *answer);

/* The live answer on its provider; NULL: it could not exist, or was not asked about. */
const struct prb_question *prb_provider_answer(
        const struct prb_critical_service *service, const struct prb_questions *answers);

/* What a guard has against it that the ward goes: how many of each. */
struct prb_tally {
    size_t counts[PRB_UNCHECKED + 1];
    bool provider_gone;    /* of a Namespace: it guards nothing there */
    bool provider_unclear; /* of a Namespace: whether it guards something is not known */
};

/* What must be asked live to tell. */
void prb_guard_ask(const struct prb_ward *ward, const struct prb_critical_service *guard,
        struct prb_questions *out);

void prb_guard_tally(const struct prb_ward *ward, const struct prb_critical_service *guard,
        const struct prb_questions *answers, struct prb_tally *ret);

/* Is anything but HOLDS in it? */
bool prb_tally_stands(const struct prb_tally *tally);

#endif

#ifndef PROBATE_RULES_CRITICAL_SERVICE_TEXT_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_TEXT_INTERNAL_H

/* What CriticalServices have against something, in words. */

#include <stdint.h>

#include "probate/base/str.h"
#include "probate/core/verdict.h"

#include "critical_service_standing.h"
#include "shown.h"

/* A call that failed in passing has a fair chance after this, and a server that is down is not hit
 * too often. */
#define PRB_RETRY_S 5

/* A sentence with a name or five, an error of a server among them. */
#define PRB_SENTENCE_MAX 1024

/* The buffer: "Deployment ops/op", "Namespace ops". */
const char *prb_ward_text(const struct prb_ward *ward, char buffer[PRB_SUBJECT_SIZE]);

/* The same for what a CriticalService protects: "Deployment ops/op". */
const char *prb_provider_text(
        const struct prb_critical_service *service, char buffer[PRB_SUBJECT_SIZE]);

/* Since when it is being deleted and what holds it: "not being deleted"; "being deleted for 3m,
 * held by the finalizers a/b, c/d". */
void prb_presence_text(const struct prb_object *object, int64_t now_ms, struct prb_str *out);

/* Did the right to find out whether something is defined lack? Then the error names it. */
bool prb_is_undefinable(const struct prb_question *answer);

/* Why there is no answer: "no answer in time". Borrowed. */
const char *prb_silence_text(const struct prb_question *answer);

/* Of a criterion that is neither HOLDS nor UNMET: why that cannot be told, and what would help. */
void prb_uncertainty_text(const struct prb_criterion *criterion, enum prb_standing standing,
        const struct prb_question *answer, struct prb_str *out);

/*
 * A denial has 4096 bytes. Most of them are for what stands in the way; what could not be looked at
 * comes after that; with both there are some 900 left for what is refused and what to do.
 */
#define PRB_UNMET_MAX 2400
#define PRB_UNCHECKED_MAX 800

struct prb_objections {
    struct prb_str unmet;     /* "CriticalService g demands that ..., but ..." */
    struct prb_str unchecked; /* what could not be told, and why */
    struct prb_tally total;
    bool inside; /* some of what is unmet is in the Namespace that is to go */
};
void prb_objections_init(struct prb_objections *objections);
void prb_objections_done(struct prb_objections *objections);
static inline void prb_objections_donep(struct prb_objections *objections)
{
    prb_objections_done(objections);
}

/* Add what one guard has against it that the ward goes. */
void prb_objections_add(struct prb_objections *objections, const struct prb_ward *ward,
        const struct prb_critical_service *guard, const struct prb_questions *answers,
        int64_t now_ms);

/* Past its bound, say so with dots. */
const char *prb_objections_get(struct prb_str *text);

/* "shows no whole spec.provider: ...", of a CriticalService that is blank. */
void prb_blank_text(const struct prb_critical_service *guard, struct prb_str *out);

#endif

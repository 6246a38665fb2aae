#ifndef PROBATE_RULES_CRITICAL_SERVICE_OVERRIDE_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_OVERRIDE_INTERNAL_H

/*
 * Break-glass: the annotation probate.dev/allow-delete with an expiry and a reason, by somebody who
 * may "override" each CriticalService that stands in the way. For deletions, on what is to be
 * deleted, and for loosening a CriticalService, in the same request; only where it is known who
 * stands in the way: nobody has a right to go past the unknown.
 */

#include "probate/core/verdict.h"

#include "critical_service_ward.h"

/* May they, if any of these stands in the way? Nobody is asked when no annotation counts. */
void prb_override_ask(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *guards, struct prb_questions *out);

/* Does the annotation count, and are they positively allowed for each of these? Otherwise `how`
 * gets a sentence: the command to go past, or why the annotation does not count. */
bool prb_override_granted(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *standing, const struct prb_questions *answers,
        struct prb_str *how);

/* Let it go: warn, and write the reason down. `what` goes although `although`. */
void prb_override_let(const struct prb_request *request, int64_t now_ms,
        const struct prb_guards *standing, const char *what, const char *although,
        struct prb_verdict *out);

/* Write down that each of them stood in the way. */
void prb_guards_note(const struct prb_request *request, const struct prb_guards *standing,
        enum prb_note_type type, const char *text, struct prb_verdict *out);

#endif

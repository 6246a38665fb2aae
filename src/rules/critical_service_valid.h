#ifndef PROBATE_RULES_CRITICAL_SERVICE_VALID_INTERNAL_H
#define PROBATE_RULES_CRITICAL_SERVICE_VALID_INTERNAL_H

/*
 * Is a CriticalService well formed? All that can be told from its text alone. Refused is only what
 * this request brought in; what was stored so before gets a warning.
 */

#include "probate/core/verdict.h"

void prb_critical_service_check(const struct prb_request *request, struct prb_verdict *out);

/* One of its criteria; `path` is that of the criterion ("spec.criteria[0]"). */
void prb_criterion_check(const struct json_object *criterion, const char *path, bool changed,
        struct prb_verdict *out);

/* Is the criterion, as it is written, among those of the stored object? */
bool prb_criterion_is_stored(
        const struct prb_request *request, const struct json_object *criterion);

/* "spec.criteria[31].specificResource.finalizerName", with room. */
#define PRB_FIELD_SIZE 96

/* A text that must be there; NULL, and said so, when it is not. */
const char *prb_text_required(const struct json_object *in, const char *key, const char *path,
        bool changed, struct prb_verdict *out);

#endif

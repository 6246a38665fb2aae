#ifndef PROBATE_CORE_WEBHOOK_H
#define PROBATE_CORE_WEBHOOK_H

/* One webhook of a ValidatingWebhookConfiguration, as the API server stores it. Pure. */

#include <stdbool.h>

#include "probate/base/json.h"

/*
 * Is it called for exactly the requests for which this CEL expression is true? Not with another
 * condition beside it, which leaves requests out, nor with none: an API server before 1.28 drops
 * matchConditions without a word.
 */
bool prb_webhook_has_condition(const struct json_object *webhook, const char *expression);

#endif

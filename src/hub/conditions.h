#ifndef PROBATE_HUB_CONDITIONS_INTERNAL_H
#define PROBATE_HUB_CONDITIONS_INTERNAL_H

/* Conditions in status.conditions, as the controllers of the API server keep them. */

#include <stdbool.h>
#include <stdint.h>

#include "probate/base/json.h"

struct prb_hub_condition {
    const char *type; /* borrowed, as all texts here */
    const char *status;
    const char *reason;
    const char *message;
};

/* Set it in `tree`, which is private; the transition time is `now_ms` when the status changes.
 * False: it was so already. */
bool prb_hub_set_condition(
        struct json_object *tree, const struct prb_hub_condition *condition, int64_t now_ms);

/* `message`, or the one that the condition has already when only digits differ. Borrowed. */
const char *prb_hub_condition_keep(
        const struct json_object *tree, const char *type, const char *message);

/* Has the object a condition of that type with status "True"? */
bool prb_hub_condition_is_true(const struct json_object *tree, const char *type);

#endif

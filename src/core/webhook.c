/* By which condition is a webhook called? */

#include "probate/core/webhook.h"

#include "probate/base/str.h"

bool prb_webhook_has_condition(const struct json_object *webhook, const char *expression)
{
    const struct json_object *conditions = prb_json_arr(webhook, "matchConditions");

    return prb_json_len(conditions) == 1 &&
           prb_streq(prb_json_str(prb_json_elem(conditions, 0), "expression"), expression);
}

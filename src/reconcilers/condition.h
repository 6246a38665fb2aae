#ifndef SRC_RECONCILERS_CONDITION_H
#define SRC_RECONCILERS_CONDITION_H

/*
 * One condition among those of an object's status. The list is written as it was seen, with ours
 * changed or added: nobody else's is lost as long as the write carries the resourceVersion.
 */

#include <stdint.h>

#include "probate/base/json.h"
#include "probate/model/object.h"

struct prb_condition {
    const char *type, *status, *reason, *message; /* borrowed; none is empty */
    int64_t observed_generation; /* of the object that was looked at; 0: not said */
};

/* What the object says under this type; borrowed, NULL: nothing. */
const struct json_object *prb_condition_find(const struct prb_object *object, const char *type);

/* The same of a status that is no object's yet. */
const struct json_object *prb_condition_in(const struct json_object *status, const char *type);

/* Take out of a server's words what is another number each time: a status that changes by itself
 * would be written, told and looked at again without end. */
void prb_condition_steady(char *text);

/* A merge patch for the status subresource that makes the object say this; owned, NULL: it does
 * already. lastTransitionTime moves with `status` only, and the message is told steadily. */
struct json_object *prb_condition_patch(
        const struct prb_object *object, const struct prb_condition *wanted, int64_t now_ms);

#endif

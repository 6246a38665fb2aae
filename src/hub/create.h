#ifndef PROBATE_HUB_CREATE_INTERNAL_H
#define PROBATE_HUB_CREATE_INTERNAL_H

#include "plan.h"
#include "request.h"

/* Plan a CREATE of the request's body, or of `tree_taken` when that is given instead. */
int prb_hub_plan_create(struct prb_hub *hub, const struct prb_hub_request *request,
        struct json_object *tree_taken, struct prb_hub_plan *ret, struct prb_error *err);

/* uid and creationTimestamp of an object that begins to exist, where it has none. */
void prb_hub_stamp_new(struct prb_hub *hub, struct json_object *tree);

/* Does the body say the apiVersion and kind of the collection it was sent to? What Kubernetes' own
 * kinds may leave out is filled in. */
int prb_hub_check_type(const struct prb_hub_kind *kind, const char *version,
        struct json_object *tree, struct prb_error *err);

#endif

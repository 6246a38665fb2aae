#ifndef PROBATE_HUB_UPDATE_INTERNAL_H
#define PROBATE_HUB_UPDATE_INTERNAL_H

#include "plan.h"
#include "request.h"

/* Plan a PUT of the request's body. */
int prb_hub_plan_update(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err);

/*
 * Plan that `entry` becomes `tree`, which is of the version in the request: whatever PUT and PATCH
 * have in common.
 */
int prb_hub_plan_replace(const struct prb_hub_request *request, const struct prb_hub_entry *entry,
        struct json_object *tree_taken, struct prb_hub_plan *ret, struct prb_error *err);

/* The object as it is after a write of `wanted` by this subresource: with what a write cannot
 * change as it was, and the generation counted. The caller's. */
struct json_object *prb_hub_carry_over(const struct prb_hub_entry *entry, const char *subresource,
        const struct json_object *wanted);

#endif

#ifndef PROBATE_HUB_PATCH_INTERNAL_H
#define PROBATE_HUB_PATCH_INTERNAL_H

#include "plan.h"
#include "request.h"

/* Plan a PATCH; a server-side apply of what is not there creates it. */
int prb_hub_plan_patch(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_hub_plan *ret, struct prb_error *err);

/*
 * Server-side apply without field ownership: `applied` laid over `base`. Maps are merged; the
 * lists that the API server knows as maps or sets are too (conditions by type, ownerReferences by
 * uid, finalizers); any other list is replaced. The caller's.
 */
struct json_object *prb_hub_merge_apply(
        const struct json_object *base, const struct json_object *applied);

#endif

#ifndef PROBATE_HUB_REQUEST_INTERNAL_H
#define PROBATE_HUB_REQUEST_INTERNAL_H

/* One write as it came over the port. All is borrowed. */

#include "probate/api/api.h"

#include "state.h"

enum prb_hub_verb { PRB_HUB_CREATE, PRB_HUB_UPDATE, PRB_HUB_PATCH, PRB_HUB_DELETE };

struct prb_hub_request {
    enum prb_hub_verb verb;
    const char *user; /* who asks for it */
    const struct prb_ref *ref;
    const struct json_object *body;   /* NULL for DELETE */
    enum prb_patch_type patch;        /* of a PATCH */
    const char *subresource;          /* "" or "status" */
    const char *resource_version;     /* the caller's precondition beside the body; NULL: none */
    const char *uid;                  /* of a DELETE */
    enum prb_propagation propagation; /* of a DELETE */
    bool dry_run;
};

/* The kind a ref means. NOTFOUND when it is not served, or not with or without a namespace. */
int prb_hub_kind_of_ref(const struct prb_hub *hub, const struct prb_ref *ref,
        struct prb_hub_kind **ret, struct prb_error *err);

/* Judge, write and settle. *ret is the object as written. Takes the lock itself. */
int prb_hub_perform(struct prb_hub *hub, const struct prb_hub_request *request,
        struct prb_object **ret, struct prb_error *err);

#endif

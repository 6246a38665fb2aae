#ifndef PROBATE_HUB_DELETION_INTERNAL_H
#define PROBATE_HUB_DELETION_INTERNAL_H

#include "state.h"

enum prb_hub_outcome {
    PRB_HUB_UNCHANGED, /* it is being deleted already, and in that way */
    PRB_HUB_CHANGED,   /* it is marked, and stays for its finalizers */
    PRB_HUB_REMOVED,   /* nothing holds it */
};

/* What a DELETE makes of an object. *ret_after is set to the marked tree when CHANGED. */
enum prb_hub_outcome prb_hub_deletion(struct prb_hub *hub, const struct prb_hub_entry *entry,
        enum prb_propagation propagation, struct json_object **ret_after);

#endif

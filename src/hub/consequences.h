#ifndef PROBATE_HUB_CONSEQUENCES_INTERNAL_H
#define PROBATE_HUB_CONSEQUENCES_INTERNAL_H

#include "state.h"

/*
 * An object changed from `before` (NULL: it was not there) to `after` (NULL: it is no more).
 * Queues whatever the controllers have to look at now, unless the hub is loading; what a CRD or
 * XRD defines is served from here on.
 */
void prb_hub_note_change(struct prb_hub *hub, struct prb_hub_kind *kind,
        const struct prb_object *before, const struct prb_object *after);

/* Put an object on the controllers' queue. */
void prb_hub_push(struct prb_hub *hub, enum prb_hub_item_type type, struct prb_hub_kind *kind,
        const struct prb_object *object);

/* Does `object` (NULL: no) hold up the foreground deletion of the owner with this uid? */
bool prb_hub_blocks(const struct prb_object *object, const char *uid);

/* Is it being deleted in the foreground, or with its dependents to be orphaned? */
bool prb_hub_awaits_dependents(const struct prb_object *object);
bool prb_hub_awaits_orphaning(const struct prb_object *object);

#define PRB_HUB_FOREGROUND "foregroundDeletion"
#define PRB_HUB_ORPHAN "orphan"

#endif

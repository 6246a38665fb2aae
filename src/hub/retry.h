#ifndef PROBATE_HUB_RETRY_INTERNAL_H
#define PROBATE_HUB_RETRY_INTERNAL_H

#include "state.h"

/* Admission refused a write of a controller for this item: a thread looks at it again later. */
void prb_hub_retry_later(struct prb_hub *hub, const struct prb_hub_item *item);

/* End that thread; the lock is not held. */
void prb_hub_retry_stop(struct prb_hub *hub);

#endif

#ifndef PROBATE_HUB_COLLECT_INTERNAL_H
#define PROBATE_HUB_COLLECT_INTERNAL_H

#include "state.h"

/* The garbage collector's turn at one object. At most one write; what is left to do is queued. */
void prb_hub_collect_step(struct prb_hub *hub, const struct prb_hub_item *item);

#endif

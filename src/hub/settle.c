/* When is a write over? When the controllers have nothing left to look at because of it. */

#include "settle.h"

#include "collect.h"
#include "definitions.h"
#include "namespaces.h"

void prb_hub_step(struct prb_hub *hub, const struct prb_hub_item *item)
{
    switch (item->type) {
    case PRB_HUB_ITEM_OBJECT:
        prb_hub_collect_step(hub, item);
        break;
    case PRB_HUB_ITEM_NAMESPACE:
        prb_hub_namespace_step(hub, item);
        break;
    case PRB_HUB_ITEM_DEFINITION:
        prb_hub_definition_step(hub, item);
        break;
    }
}

void prb_hub_settle(struct prb_hub *hub)
{
    for (size_t i = 0; i < PRB_HUB_STEPS_MAX; i++) {
        prb_auto(prb_hub_item_free) struct prb_hub_item *item = prb_hub_queue_pop(&hub->queue);

        if (!item)
            return;
        prb_hub_step(hub, item);
        prb_hub_queue_worked(&hub->queue, item);
    }
}

#ifndef PROBATE_HUB_PORT_INTERNAL_H
#define PROBATE_HUB_PORT_INTERNAL_H

#include "probate/api/api.h"

#include "state.h"

/* The hub a port belongs to. */
struct prb_hub *prb_hub_of(struct prb_api *api);

/* The hub's side of the port. */
extern const struct prb_api_ops prb_hub_ops;

#endif

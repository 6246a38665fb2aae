#ifndef PROBATE_API_SIDES_H
#define PROBATE_API_SIDES_H

/*
 * Two API servers behind one port: calls for groups of the hub's side (model/side.h) go to `hub`,
 * all others to `own`; both may be the same. Of namespaced collections on the hub only those in
 * one namespace are seen: lists and watches are scoped to it, and a ref in any other namespace is
 * refused (INVALID), so that an agent with rights in its own namespace gets along with them.
 */

#include "probate/api/api.h"

struct prb_sides_options {
    struct prb_api *own; /* borrowed, as the hub: closing the port closes neither */
    struct prb_api *hub;
    const char *hub_namespace; /* copied */
};

/* Never fails. Interrupting it interrupts both. Close with prb_api_close. */
struct prb_api *prb_sides_open(const struct prb_sides_options *options);

#endif

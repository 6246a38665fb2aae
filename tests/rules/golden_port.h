#ifndef TESTS_RULES_GOLDEN_PORT_H
#define TESTS_RULES_GOLDEN_PORT_H

/*
 * A world behind the port, as much of it as questions need: get, list, resolve, access. What it
 * serves are the synced collections of the world.
 */

#include "probate/api/api.h"

#include "support/world.h"

struct prb_golden_port {
    struct prb_api api;      /* first */
    struct prb_world *world; /* borrowed */
    const char *access; /* borrowed: what everybody is told, "allowed" or "denied"; NULL: as a hub
                           in memory, which has no users */
};

/* Serve what every hub has, and what the CRDs in the world define. */
void prb_golden_port_init(
        struct prb_golden_port *port, struct prb_world *world, const char *access);

/* `now_ms` of all its views. */
#define PRB_GOLDEN_NOW_MS INT64_C(1767225600000)

#endif

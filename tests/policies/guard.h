#ifndef TESTS_POLICIES_GUARD_H
#define TESTS_POLICIES_GUARD_H

/*
 * Probate in front of a place, with CriticalServices, and on it, with policies: on a hub inside
 * this process; on a real API server as `probate serve --controllers=critical-service,policy`,
 * registered with what `probate manifest webhook` prints.
 */

#include "../cli/program.h"
#include "../orders/hub_guard.h"
#include "scene.h"

struct guard {
    struct place *place;       /* borrowed */
    struct hub_guard *hub;     /* owned; NULL: a real API server */
    struct prb_test_loop loop; /* of policies, on a hub */
    struct program program;    /* on a real API server */
    char *dir;                 /* owned: its certificates */
    struct prb_ref registration;
};

/* Returns when the API server asks it. `crds`: folder with the definition of CriticalServices. */
int guard_start(struct guard *guard, struct place *place, const char *crds, struct prb_error *err);
void guard_stop(struct guard *guard);

#endif

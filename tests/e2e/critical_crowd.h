#ifndef TESTS_E2E_CRITICAL_CROWD_H
#define TESTS_E2E_CRITICAL_CROWD_H

/*
 * Many CoolResources in many namespaces, "crowd-000/cool-0" and so on: in the order of their list
 * the last is in the last namespace. All have the finalizer "example.dev/every", and the last one
 * has "example.dev/last" too.
 */

#include "probate/api/api.h"

#define CROWD_NAMESPACES 500
#define CROWD_IN_EACH 10

/* "crowd-499/cool-9" */
#define CROWD_LAST_NAMESPACE "crowd-499"
#define CROWD_LAST "cool-9"

/* Make them all; false, and why, when one could not be made. */
bool crowd_make(struct prb_api *api, struct prb_error *err);

#endif

#ifndef TESTS_RECONCILERS_POLICY_WORLD_CALLS_H
#define TESTS_RECONCILERS_POLICY_WORLD_CALLS_H

/* A port in front of another that writes down what is called (policy_world.calls), and lets calls
 * fail or others come in between (fault, lose and meanwhile of policy_world.h). */

#include "probate/api/api.h"

/* `inner` is borrowed. */
struct prb_api *policy_world_calls_open(struct prb_api *inner);

#endif

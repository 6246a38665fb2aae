#ifndef TESTS_RECONCILERS_WORK_WORLD_CALLS_H
#define TESTS_RECONCILERS_WORK_WORLD_CALLS_H

/* A port in front of another that writes down what is called (work_world.calls), and lets calls
 * fail or others come in between (fault and meanwhile of work_world.h). */

#include "probate/api/api.h"

/* `inner` is borrowed. */
struct prb_api *work_world_calls_open(struct prb_api *inner);

#endif

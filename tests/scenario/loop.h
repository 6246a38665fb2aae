#ifndef TESTS_SCENARIO_LOOP_H
#define TESTS_SCENARIO_LOOP_H

/* The control loop around the scratch reconciler: informers, runner and, if asked for, a lease. */

#include "probate/control/informer.h"
#include "probate/control/lease.h"
#include "probate/control/runner.h"

#include "twin.h"

struct loop_options {
    struct prb_api *api; /* borrowed */
    const char *world;
    int workers;          /* 0: the runner's default */
    int call_timeout_ms;  /* 0: the port's default */
    const char *lease_ns; /* NULL: runs without a lease */
    const char *lease;    /* its name */
    const char *identity; /* of this replica */
    int64_t lease_duration_ms;
};

struct loop {
    struct twin twin;
    struct prb_informers *informers; /* owned, as all below */
    struct prb_runner *runner;
    struct prb_lease *lease; /* NULL: none */
};

/* Returns when the loop works, or with a lease when it competes. `loop` must stay in place. */
int loop_start(struct loop *loop, const struct loop_options *options, struct prb_error *err);

/* In good order; also on a loop that did not start whole. */
void loop_stop(struct loop *loop);
static inline void loop_stopp(struct loop *loop)
{
    loop_stop(loop);
}

/* ConfigMaps of the world that the cache holds now. */
size_t loop_cached(struct loop *loop);

/* Is nothing watched at this moment? For prb_test_await. */
bool loop_is_cut(void *loop);

#endif

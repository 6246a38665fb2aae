#ifndef TESTS_CONTROL_ROUNDS_WORLD_H
#define TESTS_CONTROL_ROUNDS_WORLD_H

/*
 * A runner whose reconciler does what the test says. Keys come from the test only, so that passes
 * and rounds can be counted; times are those of the world's clock.
 */

#include <stdatomic.h>

#include "probate/control/runner.h"
#include "probate/model/outcome.h"

#include "hub_world.h"

/* What to decide. `round` counts from 0 over all passes; runs on a worker. */
typedef void (*rounds_script)(
        const struct prb_view *view, const struct prb_ref *key, int round, struct prb_changes *out);

struct rounds_world {
    struct prb_informers *informers;
    struct prb_runner *runner;
    _Atomic(rounds_script) script;
    _Atomic int decisions; /* of the script */
    _Atomic int probes;
    _Atomic int64_t until_ms; /* when leadership ends */
    struct prb_error err;
};
extern struct rounds_world rounds;

/* On a world that was made; `workers` 1 unless keys are to be worked on side by side. */
void rounds_init(rounds_script script, int workers, bool dry_run);
void rounds_done(void);
bool rounds_start(void);

/* Work on this key now, and on all that is due before and behind it, until that is over. One
 * worker. */
void rounds_look(const char *name);

/* Until nothing is due, delayed or in hand. */
void rounds_await_rest(void);

/* Until the script has decided something. */
void rounds_await_begin(void);

/* Let the time pass, and work on what is due then. One worker. */
void rounds_advance(int64_t ms);

#endif

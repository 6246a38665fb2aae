#ifndef TESTS_SCENARIO_TWIN_H
#define TESTS_SCENARIO_TWIN_H

/*
 * The scratch reconciler: every ConfigMap of a world (a value of the label TWIN_WORLD) gets a
 * finalizer; when it is deleted, its twin goes first. The twin of "x" is "x-twin", labelled
 * TWIN_OF=x. Nothing here knows whether a real API server is behind the port.
 */

#include "probate/core/reconciler.h"

#include "support/temp_dir.h"

#define TWIN_WORLD "scratch.probate.test/world"
#define TWIN_OF "scratch.probate.test/twin-of"
#define TWIN_FINALIZER "scratch.probate.test/twin-first"

struct twin {
    struct prb_reconciler reconciler; /* pass &twin.reconciler */
    struct prb_watch_spec watch;
    char selector[sizeof(TWIN_WORLD) + PRB_TEST_NAME_SIZE];
};

/* `twin` must stay where it is as long as its reconciler is used. */
void twin_init(struct twin *twin, const char *world);

#endif

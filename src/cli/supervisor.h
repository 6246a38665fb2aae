#ifndef PROBATE_SRC_CLI_SUPERVISOR_H
#define PROBATE_SRC_CLI_SUPERVISOR_H

/*
 * Signals and deadlines of a long-running verb. The main thread waits for signals and for the
 * deadline of calls to the API; the work runs on a thread of its own. The first SIGTERM or SIGINT
 * asks the work to end, the second ends the process at once with 128 + its number.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/api/api.h"
#include "probate/cli/verb.h"

struct prb_supervisor;

typedef enum prb_exit (*prb_work_fn)(struct prb_supervisor *supervisor, void *ctx);

/* Run `work` to its end; what it returns. Call before any other thread exists: the signals are
 * blocked in this thread and in all that come. INTERNAL when it cannot be started. */
enum prb_exit prb_supervise(prb_work_fn work, void *ctx);

/* Has a signal come? */
bool prb_supervisor_stopping(struct prb_supervisor *supervisor);

/* Wait for a signal, at most `ms`; true when one has come. */
bool prb_supervisor_wait(struct prb_supervisor *supervisor, int64_t ms);

/*
 * Interrupt `api` in `ms` milliseconds, with `on_signal` also as soon as a signal comes. An
 * interrupted port is of no use any more. `api` NULL: do not; call it so before the port is closed.
 */
void prb_supervisor_limit(
        struct prb_supervisor *supervisor, struct prb_api *api, int64_t ms, bool on_signal);

#endif

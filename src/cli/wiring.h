#ifndef PROBATE_SRC_CLI_WIRING_H
#define PROBATE_SRC_CLI_WIRING_H

/*
 * The control loop as one thing: informers, a runner for each controller, who writes Events and
 * notes, and leader election, joined over one port; controllers that look at the hub too run over
 * another (api/sides.h), with informers of their own. Driven by the verb's thread; the ops server
 * asks it from its own, from prb_wiring_new to prb_wiring_free.
 */

#include <stdbool.h>
#include <stdint.h>

#include "probate/admission/ops.h"
#include "probate/core/judge.h"
#include "probate/core/note.h"
#include "probate/core/reconciler.h"

#include "source.h"

struct prb_wiring_options {
    struct prb_api *sides; /* of cluster and hub; NULL: no controller that runs looks at the hub */
    const struct prb_reconciler *const *reconcilers; /* borrowed, as all here */
    const bool *chosen;                              /* which of them run */
    size_t count;
    int workers;
    bool dry_run;
    bool leader_elect;
    const char *lease_namespace;
    const char *lease_name;
    int64_t lease_duration_ms;
    const struct prb_judge *judge; /* the rules whose collections are read too; NULL: none */
};

struct prb_wiring;

struct prb_wiring *prb_wiring_new(void);

/* After prb_wiring_stop, prb_wiring_flush and after the ops server has ended. */
void prb_wiring_free(struct prb_wiring *wiring);
PRB_DEFINE_CLEANUP(struct prb_wiring *, prb_wiring_free)

/* What the ops server shows of it. */
void prb_wiring_each_check(struct prb_wiring *wiring, prb_ops_check_fn each, void *sink);
void prb_wiring_each_wait(struct prb_wiring *wiring, prb_ops_wait_fn each, void *sink);

/* Join everything over the port and start reading the collections. */
int prb_wiring_start(struct prb_wiring *wiring, struct prb_api *api,
        const struct prb_wiring_options *options, struct prb_error *err);

/* Wait until every collection was read once, at most `ms`; false when not. */
bool prb_wiring_wait_read(struct prb_wiring *wiring, int64_t ms);

/* Were those read that readiness hangs on? Of the others a controller lets those keys wait that
 * need them. */
bool prb_wiring_can_begin(struct prb_wiring *wiring);

/* A view on the collections that the rules look up. The thread must not have one open. */
struct prb_view *prb_wiring_view(struct prb_wiring *wiring);

/* Let the controllers act: at once, or whenever this process leads. */
int prb_wiring_run(struct prb_wiring *wiring, struct prb_error *err);

/* Were they let act? From the thread that does it. */
bool prb_wiring_has_run(const struct prb_wiring *wiring);

/* Is this the process that acts: alone, or the one that leads? From any thread. */
bool prb_wiring_acts(const struct prb_wiring *wiring);

/* Did a controller fail to start? Nothing but ending the process helps then. */
bool prb_wiring_failed(const struct prb_wiring *wiring);

/* Not ready from now on. */
void prb_wiring_drain(struct prb_wiring *wiring);

/* Have this written down in the cluster, unless every write is a dry run. Never blocks; from any
 * thread, between prb_wiring_start and prb_wiring_flush. */
void prb_wiring_note(struct prb_wiring *wiring, const struct prb_note *notes, size_t count);

/* Where Events are written; NULL: every write is a dry run. Borrowed, between prb_wiring_start and
 * prb_wiring_flush. */
struct prb_recorder *prb_wiring_recorder(struct prb_wiring *wiring);

/* End the controllers and give the lease up. Collections are still read and shown, notes and Events
 * still written. Idempotent. */
void prb_wiring_stop(struct prb_wiring *wiring);

/* Write what is left of notes and Events, when nobody makes more. Idempotent. */
void prb_wiring_flush(struct prb_wiring *wiring);

/* Log each collection that has not been read, and why. */
void prb_wiring_log_unread(struct prb_wiring *wiring);

#endif

#ifndef PROBATE_SRC_CLI_LOOP_H
#define PROBATE_SRC_CLI_LOOP_H

/*
 * What `serve` and `agent` have in common: the ops port, the cluster and its hub, the control loop,
 * and in which order they begin and end. Driven by the verb's thread, one step after the other; the
 * ops server asks from its own.
 */

#include <stdint.h>

#include "probate/cli/controllers.h"
#include "probate/cli/flags.h"
#include "probate/cli/verb.h"

#include "policy_release.h"
#include "source.h"
#include "supervisor.h"
#include "wiring.h"

#define PRB_NOT_SAID (-1) /* of a switch or a duration whose default depends on others */

/* For calls in progress when the end comes; then they are interrupted. With the delay before it,
 * below the 30 s that Kubernetes gives a pod. */
#define PRB_STOP_MS 15000

/* What the flags hold; a member of the verb's options. */
struct prb_loop_flags {
    struct prb_source_options source;
    struct prb_controller_flags controllers;
    int64_t workers;
    int dry_run;
    int leader_elect; /* PRB_NOT_SAID until prb_loop_settle */
    const char *lease_namespace;
    const char *lease_name;
    int64_t lease_duration_ms;
    struct prb_address ops_listen;
    int log_format; /* enum prb_log_format */
    int log_level;  /* enum prb_log_level */
};

/* After parsing: the defaults that depend on other flags; and the log from now on. */
void prb_loop_settle(struct prb_loop_flags *flags);

/* One run of the verb. */
struct prb_loop {
    const char *verb;                   /* static */
    const struct prb_loop_flags *flags; /* borrowed */
    struct prb_controller_choice controllers;
    struct prb_source source;  /* the cluster; api NULL: not open */
    struct prb_source hub;     /* api NULL: not open, or the cluster is its own hub */
    struct prb_api *sides;     /* owned: both as one; NULL: no controller looks at the hub */
    struct prb_wiring *wiring; /* owned */
    struct prb_ops *ops;       /* owned */
    struct prb_policy_release release; /* policies that are not carried out any more */

    /* What else /readyz shows, from the ops server's thread; NULL: nothing. */
    void (*each_check)(void *ctx, prb_ops_check_fn each, void *sink);
    void *ctx;
};

/* What the rest needs; the verb ends with prb_loop_done in any case. */
void prb_loop_init(struct prb_loop *loop, const char *verb, const struct prb_loop_flags *flags);
void prb_loop_done(struct prb_loop *loop);

/* INVALID with --ops-listen in the text. */
int prb_loop_start_ops(struct prb_loop *loop, struct prb_error *err);

/*
 * Open the cluster, and the hub where a controller looks at it: `hub` NULL means that the cluster
 * is its own. Errors as prb_source_open has them.
 */
int prb_loop_open(struct prb_loop *loop, const struct prb_source_options *hub,
        struct prb_supervisor *supervisor, struct prb_error *err);

/* Join the control loop over them, and start reading. `judge` NULL: there are no rules. */
int prb_loop_join(struct prb_loop *loop, const struct prb_judge *judge, struct prb_error *err);

/* Wait until all is read, however long that takes, then let the controllers act. CANCELLED: a
 * signal came. */
int prb_loop_run(struct prb_loop *loop, struct prb_supervisor *supervisor, struct prb_error *err);

/* Now and then, once it runs: what is to be done only where this process acts. */
void prb_loop_tend(struct prb_loop *loop, struct prb_supervisor *supervisor);

/* Where the Lease of leader election is, or would be; once the cluster is open. Borrowed. */
const char *prb_loop_lease_namespace(const struct prb_loop *loop);

/* Say where it listens: `admission` NULL says nothing of reviews. */
void prb_loop_log_ready(const struct prb_loop *loop, const char *admission);

/* Unready from now on; the controllers end, and the lease is handed over. */
void prb_loop_halt(struct prb_loop *loop, struct prb_supervisor *supervisor);

/* The ops port is closed; what still speaks to the clusters has PRB_STOP_MS from now on. */
void prb_loop_close_ops(struct prb_loop *loop, struct prb_supervisor *supervisor);

/* The end, when nobody makes notes any more: they are written, and all is closed. */
void prb_loop_end(struct prb_loop *loop, struct prb_supervisor *supervisor);

/* An error ends the program: say it, and choose the exit code. */
enum prb_exit prb_loop_give_up(const struct prb_loop *loop, const struct prb_error *err);

#endif

#ifndef PROBATE_SRC_CLI_EMBEDDED_H
#define PROBATE_SRC_CLI_EMBEDDED_H

/*
 * The rules in front of the embedded API server: each write, also of its own controllers, becomes
 * the AdmissionReviews that an API server would send, one for each registration it is for. They go
 * through the codec and the engine; what a verdict leaves behind is written down as after any
 * other.
 */

#include "probate/base/cleanup.h"
#include "probate/cli/rules.h"
#include "probate/hub/hub.h"

#include "wiring.h"

/* As whom Probate writes to the embedded API server. */
#define PRB_EMBEDDED_USER "system:serviceaccount:probate-system:probate"

struct prb_embedded;

struct prb_embedded_options {
    struct prb_hub *hub;                  /* borrowed, as all here */
    const struct prb_rule_choice *choice; /* which rules, and how */
    struct prb_wiring *wiring;            /* started, with a judge over these rules */
};

/* From its return on everything is judged. */
int prb_embedded_start(const struct prb_embedded_options *options, struct prb_embedded **ret,
        struct prb_error *err);

/* The hub is of no use afterwards: its calls are interrupted, so that nothing slips by. Before the
 * wiring is freed. NULL is fine. */
void prb_embedded_stop(struct prb_embedded *embedded);
PRB_DEFINE_CLEANUP(struct prb_embedded *, prb_embedded_stop)

#endif

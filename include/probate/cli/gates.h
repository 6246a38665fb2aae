#ifndef PROBATE_CLI_GATES_H
#define PROBATE_CLI_GATES_H

/* What --feature-gates means: which controllers may run that are off unless somebody says so. */

#include <stdbool.h>

#include "probate/base/error.h"
#include "probate/base/str.h"
#include "probate/cli/list.h"

enum prb_gate {
    PRB_GATE_CLUSTER_LIFECYCLE, /* lets cluster-deletion run */
    PRB_GATE_COUNT,
};

struct prb_gates {
    bool on[PRB_GATE_COUNT]; /* by enum prb_gate; all off unless said */
};

/* INVALID: an unknown gate (with the nearest one), a value that is neither true nor false, or one
 * gate given both. The flag is not in the text. */
int prb_gates_parse(const struct prb_list *list, struct prb_gates *ret, struct prb_error *err);

/* The gate without which this controller does not run; -1: it needs none. */
int prb_gate_of(const char *controller);
bool prb_gates_let(const struct prb_gates *gates, const char *controller);

/* "--feature-gates=ClusterLifeCycle=true", static. */
const char *prb_gate_flag(enum prb_gate gate);

#endif

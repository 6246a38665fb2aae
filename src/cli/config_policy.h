#ifndef PROBATE_SRC_CLI_CONFIG_POLICY_H
#define PROBATE_SRC_CLI_CONFIG_POLICY_H

/*
 * Open Cluster Management's config-policy-controller beside Probate. It evaluates the same
 * policies, keeps the same status and takes off the same finalizer: of the two each would be let go
 * by the other in the middle of its work, and what it has created be on no record.
 */

#include "probate/api/api.h"

#include "supervisor.h"

/*
 * May Probate carry out the policies of this cluster? INVALID: that controller runs here.
 * FORBIDDEN, UNAUTHORIZED: that could not be seen, which is never "no". Other codes: the server did
 * not answer.
 */
int prb_config_policy_look(struct prb_api *api, const char *finalizer, struct prb_error *err);

/* The same at the start of the program; see prb_finalizer_settle. */
int prb_config_policy_check(
        struct prb_api *api, struct prb_supervisor *supervisor, struct prb_error *err);

#endif

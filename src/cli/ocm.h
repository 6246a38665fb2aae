#ifndef PROBATE_SRC_CLI_OCM_H
#define PROBATE_SRC_CLI_OCM_H

/*
 * Open Cluster Management beside Probate. Its registration controller puts finalizers on
 * ManagedClusters and takes them off when it has done; a controller that shares one of them would
 * be let go by it in the middle of its work, and the other way round.
 */

#include "probate/api/api.h"
#include "probate/core/reconciler.h"

#include "supervisor.h"

/* The rights that the look needs. */
extern const struct prb_right prb_ocm_rights[];
extern const size_t prb_ocm_right_count;

/*
 * May Probate use this finalizer on ManagedClusters? INVALID: OCM's registration controller, which
 * uses it too, is here. FORBIDDEN, UNAUTHORIZED: that could not be seen, which is never "no". Other
 * codes: the server did not answer. Texts name --cluster-finalizer.
 */
int prb_ocm_look(struct prb_api *api, const char *finalizer, struct prb_error *err);

/* The same at the start of the program: tries for a bounded time to get an answer. CANCELLED: a
 * signal came. */
int prb_ocm_check(struct prb_api *api, const char *finalizer, struct prb_supervisor *supervisor,
        struct prb_error *err);

#endif

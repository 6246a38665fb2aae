#ifndef PROBATE_SRC_CLI_CROSSPLANE_H
#define PROBATE_SRC_CLI_CROSSPLANE_H

/*
 * Crossplane beside Probate. Its core puts a finalizer on claims, and takes it off when it has sent
 * the composite away; a controller that shares it would be let go by it in the middle of its work,
 * and the other way round.
 */

#include "probate/api/api.h"
#include "probate/core/reconciler.h"

#include "supervisor.h"

/* The rights that the look needs. */
extern const struct prb_right prb_crossplane_rights[];
extern const size_t prb_crossplane_right_count;

/*
 * May Probate use this finalizer on claims? INVALID: Crossplane's core, which uses it too, runs
 * here. FORBIDDEN, UNAUTHORIZED: that could not be seen, which is never "no". Other codes: the
 * server did not answer. Texts name --claim-finalizer.
 */
int prb_crossplane_look(struct prb_api *api, const char *finalizer, struct prb_error *err);

/* The same at the start of the program; see prb_finalizer_settle. */
int prb_crossplane_check(struct prb_api *api, const char *finalizer,
        struct prb_supervisor *supervisor, struct prb_error *err);

#endif

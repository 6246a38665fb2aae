#ifndef PROBATE_SRC_CLI_FINALIZER_H
#define PROBATE_SRC_CLI_FINALIZER_H

/* Finalizers that a flag names, and whether they may be used on this cluster. */

#include "probate/api/api.h"

#include "supervisor.h"

/* Is it the name of a finalizer? INVALID with the flag in the text; `example` is a good one. */
int prb_finalizer_check(
        const char *flag, const char *text, const char *example, struct prb_error *err);

/* May Probate use this finalizer here? Transient codes: the server did not answer. */
typedef int prb_finalizer_look_fn(
        struct prb_api *api, const char *finalizer, struct prb_error *err);

/* Look, at the start of the program: tries for a bounded time to get an answer. CANCELLED: a signal
 * came. Other errors begin with the flag. */
int prb_finalizer_settle(struct prb_api *api, prb_finalizer_look_fn *look, const char *finalizer,
        const char *flag, struct prb_supervisor *supervisor, struct prb_error *err);

#endif

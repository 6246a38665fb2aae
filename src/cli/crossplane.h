#ifndef PROBATE_SRC_CLI_CROSSPLANE_H
#define PROBATE_SRC_CLI_CROSSPLANE_H

/*
 * Crossplane beside Probate. Its core puts a finalizer on claims, and takes it off when it has sent
 * the composite away; a controller that shares it would be let go by it in the middle of its work,
 * and the other way round.
 */

#include <pthread.h>
#include <stdint.h>

#include "probate/admission/ops.h"
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

/*
 * It may come later. Then a Probate that runs goes on, since claims that are half deleted would be
 * left to nobody, and says so: in the log, in /readyz?verbose and as a metric, until it is given a
 * finalizer of its own or Crossplane has gone.
 */
struct prb_crossplane_beside {
    struct prb_api *api; /* borrowed, as the finalizer; NULL: nobody looks */
    const char *finalizer;
    int64_t due_ms;               /* monotonic: when to look next; 0: at once */
    pthread_mutex_t lock;         /* over `text`, which the ops server reads */
    char text[PRB_ERROR_MSG_MAX]; /* ""; why this cannot go well */
};
#define PRB_CROSSPLANE_BESIDE_INIT        \
    {                                     \
        .lock = PTHREAD_MUTEX_INITIALIZER \
    }

void prb_crossplane_beside_init(
        struct prb_crossplane_beside *beside, struct prb_api *api, const char *finalizer);

/* Look when it is time to; what cannot be seen stays as it was. One thread at a time. */
void prb_crossplane_tend(struct prb_crossplane_beside *beside);

/* From any thread. */
void prb_crossplane_each_check(
        struct prb_crossplane_beside *beside, prb_ops_check_fn each, void *sink);

#endif

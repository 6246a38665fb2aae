#ifndef TESTS_SCENARIO_CRITICAL_STAGE_H
#define TESTS_SCENARIO_CRITICAL_STAGE_H

/*
 * A world for the critical-service reconciler, under names of its own: a namespace "home" with the
 * Deployment "op", a kind of CRs whose group nobody else has, and a CriticalService. Everything is
 * made and looked at through the stage's own client; the reconciler may have another.
 */

#include "probate/api/api.h"
#include "probate/control/informer.h"
#include "probate/control/runner.h"

#include "support/table.h"
#include "support/temp_dir.h"

enum critical_thing {
    CRITICAL_HOME,       /* namespace of the provider */
    CRITICAL_PROVIDER,   /* Deployment "op" in it */
    CRITICAL_DEFINITION, /* CRD of the CRs */
    CRITICAL_CR,         /* "cr-0" in namespace "home": there is only one, for simplicity */
    CRITICAL_SERVICE,
    CRITICAL_WEBHOOK, /* ValidatingWebhookConfiguration that is for namespace "home" only */
    CRITICAL_THINGS,
};

struct critical_stage {
    struct prb_api *api; /* borrowed */
    char id[PRB_TEST_NAME_SIZE];
    char group[PRB_TEST_NAME_SIZE + 16];
    char finalizer[PRB_TEST_NAME_SIZE + 32];
    struct prb_ref refs[CRITICAL_THINGS];
    char *why; /* borrowed: PRB_TEST_WHY_SIZE */

    /* The answer to a write may be lost: then nobody knows that it was this write, and not an
     * earlier one, that brought something about, and the Event of it is lost, too. */
    bool lossy;
};

/* The loop around the reconciler. */
struct critical_loop {
    struct prb_informers *informers; /* owned, as all here */
    struct prb_recorder *recorder;
    struct prb_runner *runner;
};

void critical_stage_open(
        struct critical_stage *stage, struct prb_api *api, char why[PRB_TEST_WHY_SIZE]);

/* Take everything away, best effort. */
void critical_stage_close(struct critical_stage *stage);

/* Say why the scenario fails; returns -1. */
__attribute__((format(printf, 2, 3))) int critical_fail(
        struct critical_stage *stage, const char *fmt, ...);

int critical_loop_start(
        struct critical_loop *loop, struct critical_stage *stage, struct prb_api *api);
void critical_loop_stop(struct critical_loop *loop);
static inline void critical_loop_stopp(struct critical_loop *loop)
{
    critical_loop_stop(loop);
}

/* Each returns 0, or -1 with the reason in stage->why. */

int critical_make(struct critical_stage *stage, enum critical_thing thing);

/* Another CriticalService "id-NAME" for a provider in namespace `home` that waits for one
 * Deployment "op" in namespace `other`. */
int critical_make_waiting(
        struct critical_stage *stage, const char *name, const char *home, const char *other);

/* So many CRs "cr-0" ... in namespace "home", all with the finalizer. */
int critical_make_crs(struct critical_stage *stage, int count);
struct prb_ref critical_cr(const struct critical_stage *stage, int index);

int critical_delete(struct critical_stage *stage, const struct prb_ref *ref);
int critical_release(struct critical_stage *stage, const struct prb_ref *ref); /* finalizers off */

/* The object now; NULL: not there. */
struct prb_object *critical_get(struct critical_stage *stage, const struct prb_ref *ref);

/* Wait until what is at `pointer` in the object is `text`; "" for nothing there. */
int critical_await(struct critical_stage *stage, const struct prb_ref *ref, const char *pointer,
        const char *text);

/* Wait until a condition of the CriticalService is "False ProviderAbsent". */
int critical_await_condition(struct critical_stage *stage, const struct prb_ref *ref,
        const char *type, const char *text);

/* Wait until there is an Event of this reason on a CriticalService; not on a lossy stage. */
int critical_await_event(
        struct critical_stage *stage, const struct prb_ref *ref, const char *reason);

int critical_await_gone(struct critical_stage *stage, const struct prb_ref *ref);

#define LABEL_POINTER "/metadata/labels/probate.dev~1protected"

#endif

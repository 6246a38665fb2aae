#ifndef TESTS_ORDERS_PLAY_H
#define TESTS_ORDERS_PLAY_H

/* One order, played through: a world is made, the five deletes are sent, and what became of it is
 * seen by an observer. */

#include "steps.h"
#include "world.h"

/* How quick the finalizer controller is. */
enum pace {
    FREE,  /* it works beside the clients, as it comes */
    QUICK, /* it has caught up with each of the five deletes before the next one is sent */
    SLOW,  /* it begins only when each of the five was sent and answered once */
};

struct play_options {
    struct prb_api *api; /* borrowed */
    const char *id;      /* of the world */
    size_t order;
    enum pace pace;
    bool guarded;    /* by Probate: its protection is waited for, and expected to show */
    int patience_ms; /* for each thing that is waited for, before it is scaled (support/wait.h) */
};

struct play {
    bool stuck; /* for good: see below. Otherwise all five are gone */
    struct steps steps;
    char why[PRB_TEST_WHY_SIZE]; /* what went wrong with the play itself; "": nothing */
};

/*
 * Play it until all five are gone, or it is stuck. That is not a matter of time: the Deployment is
 * gone, its Namespace and the CriticalService too; the CR and the CRD are being deleted; the CR has
 * its finalizer; the controller saw that and declined, because there is no Deployment; and after
 * the clients that are left and the controller all had one more turn, the CR is still the very
 * version it was. Nobody is left who would ever change that. A world that is stuck is then released
 * by hand, and goes.
 *
 * Neither within the patience is a failure of the play. So is, in a guarded one, a Deployment or
 * Namespace that loses its label while the Deployment is there; and, if it is SLOW too, a
 * first delete of Deployment, Namespace or CriticalService that was not refused.
 */
void play(const struct play_options *options, struct play *ret);

#endif

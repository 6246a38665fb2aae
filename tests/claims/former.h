#ifndef TESTS_CLAIMS_FORMER_H
#define TESTS_CLAIMS_FORMER_H

/*
 * A claim whose definition is deleted before it, on a real API server; there the kinds are as
 * Crossplane makes them, controlled by the definition, and the garbage collector takes them away
 * after it. Functions return 0, or -1 with the reason in `why`.
 */

#include "family.h"

struct former {
    struct stage *stage; /* borrowed */
    const char *noun;    /* "parcel": the kinds are Parcels and XParcels */
    const char *kind;    /* "Parcel" */
    char *why;           /* borrowed: PRB_TEST_WHY_SIZE, and empty */
};

/* Definition, kinds, composite and claim, which is held and paused; then the claim is deleted, and
 * the definition. */
int former_begin(struct former *former);

/* Whoever runs in the test knows that the kind has no definition any more, and still reads it. */
int former_await_known(struct former *former);

/* The claim may go. */
int former_resume(struct former *former);
int former_await_end(struct former *former);

#endif

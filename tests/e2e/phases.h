#ifndef TESTS_E2E_PHASES_H
#define TESTS_E2E_PHASES_H

/* In which order the hub and Probate change, and how that is done. */

#include "bench.h"
#include "row.h"

/* Namespaces that are there in every phase: one without a cluster, and one with. */
#define NOWHERE "nowhere"
#define KNOWN "known"

struct plan {
    const char *title;
    unsigned phase;                       /* a bit, as in the rows */
    bool sanitized;                       /* also with a sanitizer */
    bool (*prepare)(struct bench *bench); /* false, and the bench says why */

    /* What shows that the phase has begun: registrations and definitions come into force by and
     * by. */
    struct step probe;

    /* Tests that are no rows; NULL: none. */
    void (*also)(struct bench *bench);
};

#define PHASE_COUNT 10
extern const struct plan phases[PHASE_COUNT];

/* What is told while the API server does not answer Probate: of phase UNREACHED. */
void run_unreached_tests(struct bench *bench);

/* What Probate notes of its decisions, in its log and its metrics. */
void run_denial_notes_tests(struct bench *bench);
void run_audit_notes_tests(struct bench *bench);

#endif

#ifndef TESTS_E2E_RUN_H
#define TESTS_E2E_RUN_H

/* The rows of one phase: given what they begin with, run side by side, reported, read aloud. */

#include "phases.h"

struct run_options {
    const struct rows *const *groups; /* borrowed; ended by NULL */
    bool sanitized;                   /* few rows only */
    const char *only;                 /* part of a name; NULL: all rows */
};

/* Between UNITY_BEGIN and UNITY_END. */
void run_phase(struct bench *bench, const struct plan *plan, const struct run_options *options);

#endif

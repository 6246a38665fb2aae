#ifndef TESTS_E2E_STEP_FILL_H
#define TESTS_E2E_STEP_FILL_H

/* A step whose texts have been completed with what only the server knows: a uid, a pod's name. */

#include "row.h"

#define STEP_TEXTS (2 + STEP_SAYS_MAX)

struct filled_step {
    struct step step;
    char *texts[STEP_TEXTS]; /* owned: what step.run, step.input and step.says point to */
};

/* Ask step->with, and put the answer for "$"; the caller ends it with filled_step_done. */
void filled_step_init(struct filled_step *filled, const struct step *step,
        const struct kubectl *kubectl, const char *name);
void filled_step_done(struct filled_step *filled);
static inline void filled_step_donep(struct filled_step *filled)
{
    filled_step_done(filled);
}

#endif

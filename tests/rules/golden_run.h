#ifndef TESTS_RULES_GOLDEN_RUN_H
#define TESTS_RULES_GOLDEN_RUN_H

/* One request on its way through the rules, as the engine takes it: ask, answer, decide. */

#include "probate/core/judge.h"

struct prb_outcome {
    struct prb_questions questions; /* with their answers */
    struct prb_verdict verdict;
};

void prb_outcome_done(struct prb_outcome *outcome);
static inline void prb_outcome_donep(struct prb_outcome *outcome)
{
    prb_outcome_done(outcome);
}

/* On the hub of `source`, the member `case` of a golden file; by all rules, or by one alone. */
void prb_golden_run(const struct json_object *source, const struct prb_request *request,
        const struct prb_rule *only, struct prb_outcome *ret);

#endif

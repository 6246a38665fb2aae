#ifndef TESTS_RULES_GOLDEN_EXPECT_H
#define TESTS_RULES_GOLDEN_EXPECT_H

/* Is an outcome what the `expect` of a golden case says? */

#include "golden_run.h"

/* What a check has to say; only the first is kept. */
struct prb_complaint {
    char *why; /* borrowed */
    size_t size;
};

__attribute__((format(printf, 2, 3))) void prb_complain(
        const struct prb_complaint *complaint, const char *fmt, ...);

/* `source` is the member `case`; `rule` the one that is expected to deny. */
void prb_golden_expect(const struct prb_complaint *complaint, const struct json_object *source,
        const char *rule, const struct prb_outcome *outcome);

#endif

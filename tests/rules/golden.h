#ifndef TESTS_RULES_GOLDEN_H
#define TESTS_RULES_GOLDEN_H

/*
 * One golden case: an AdmissionReview in a file, with a member `case` that has the hub around it
 * and the answer that is expected (tests/data/README.md). It is judged by all rules, the way the
 * engine does it: questions on a view of the cache, answers from the hub, verdict.
 */

#include <stddef.h>

#include "probate/base/json.h"

/* The tree of a golden file; the caller's. */
int prb_golden_read(const char *path, struct json_object **ret, struct prb_error *err);

/* `directory` is the name of the rule that is expected to deny. Leaves `why` empty when all is as
 * expected; otherwise says what is not. */
void prb_golden_check(const char *path, const char *directory, char *why, size_t size);

#endif

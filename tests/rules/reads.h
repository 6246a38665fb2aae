#ifndef TESTS_RULES_READS_H
#define TESTS_RULES_READS_H

/* What is left of an object when only some paths of it are built, as the review codec does it. */

#include "probate/base/json.h"

/* A new tree with what `reads` (NULL-terminated) names. Paths apply to each element of a list; a
 * scalar on the way is kept. */
struct json_object *prb_test_reduce(const struct json_object *tree, const char *const *reads);

#endif

#ifndef PROBATE_MODEL_NAMES_H
#define PROBATE_MODEL_NAMES_H

/* How a list of names reads, in a denial, a condition or the log. */

#include <stdbool.h>
#include <stddef.h>

#include "probate/base/str.h"
#include "probate/model/object.h"

/* What a person still reads of a list; then a count. */
#define PRB_NAMES_MAX 5

/* "a, b, c, d, e and 3 more": call before each name; false: enough, do not add it. */
bool prb_names_next(struct prb_str *text, size_t index, size_t count);

/* "finalizer a", "finalizers a, b"; nothing when it has none. */
void prb_names_finalizers(struct prb_str *text, const struct prb_object *object);

#endif

#ifndef PROBATE_MODEL_HOLDER_H
#define PROBATE_MODEL_HOLDER_H

/* Objects that stand in the way of something, and how they are named to a person. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/str.h"
#include "probate/model/object.h"
#include "probate/model/ref.h"

/* That are named; of more it is only said that there are more. */
#define PRB_HOLDERS_MAX 5

struct prb_holder {
    char namespace[PRB_NAMESPACE_SIZE];
    char name[PRB_NAME_SIZE];
    int64_t deleted_at_ms; /* wall; 0: it is not being deleted */
};

struct prb_holders {
    struct prb_holder items[PRB_HOLDERS_MAX]; /* sorted: longest deleting first, then by name */
    size_t count;
    bool more; /* there are others, or not all were looked at */
};

/* Put an object where it belongs; past PRB_HOLDERS_MAX the last one falls off and `more` is set. */
void prb_holders_add(struct prb_holders *holders, const struct prb_object *object);

/* "team-a/x (being deleted for 3m), team-b/y (not being deleted) and more" */
void prb_holders_text(const struct prb_holders *holders, int64_t now_ms, struct prb_str *out);

#endif

#ifndef PROBATE_MODEL_SELECTOR_INTERNAL_H
#define PROBATE_MODEL_SELECTOR_INTERNAL_H

/* What a selector is made of, for the readers of its three notations. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probate/base/error.h"
#include "probate/model/selector.h"

enum selector_subject { SUBJECT_LABEL, SUBJECT_NAME, SUBJECT_NAMESPACE };

enum selector_op {
    OP_IN,     /* is there and is one of the values; "=" too */
    OP_NOT_IN, /* is absent or none of the values; "!=" too */
    OP_EXISTS,
    OP_ABSENT,
    OP_GREATER, /* is there and is an integer above the bound */
    OP_LESS,
};

struct requirement {
    enum selector_subject subject;
    enum selector_op op;
    char *key;     /* owned; of a label */
    char **values; /* owned */
    size_t count;
    int64_t bound; /* OP_GREATER, OP_LESS */
};

struct prb_selector {
    struct requirement *items; /* owned; all must hold */
    size_t count;
};

struct prb_selector *prb_selector_new(void);

/* A new last requirement without values; borrowed until the next one. */
struct requirement *prb_selector_add(
        struct prb_selector *selector, enum selector_subject subject, enum selector_op op);
void prb_requirement_add(struct requirement *requirement, const char *value, size_t len);

/* Key, values and their number are what the API server takes for a label; sets the bound. */
int prb_requirement_check(struct requirement *requirement, struct prb_error *err);

#endif

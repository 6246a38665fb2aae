#ifndef TESTS_CLAIMS_ROWS_H
#define TESTS_CLAIMS_ROWS_H

/* The stories: the same steps on a hub and on a real API server. */

#include "family.h"

struct row {
    const char *name; /* a sentence */
    int (*play)(struct family *family);
};

struct row_list {
    const struct row *rows;
    size_t count;
};

extern const struct row_list rows_before;   /* of design 004, without Probate: no loop runs */
extern const struct row_list rows_after;    /* the same with it */
extern const struct row_list rows_deputies; /* claims and composites that name what is not theirs */
extern const struct row_list rows_trouble;  /* the server refuses, or is not understood */
extern const struct row_list rows_turns;    /* somebody is slow, early, or changes his mind */
extern const struct row_list rows_orders;   /* finalizers that go in any order */

#define ROW_LIST(name) \
    const struct row_list name = { .rows = list, .count = sizeof(list) / sizeof(list[0]) }

/* A claim that Probate has seen, with all that is below it. */
int make_seen(struct family *family, const char *policy, size_t leaves, unsigned flags);

#endif

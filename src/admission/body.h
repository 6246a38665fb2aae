#ifndef PROBATE_SRC_ADMISSION_BODY_H
#define PROBATE_SRC_ADMISSION_BODY_H

/* The body of one request as it comes in, within a budget that all requests share. */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes of all bodies together. Thread-safe. */
struct prb_body_budget {
    size_t max;
    atomic_size_t used;
};

/* Why a body is read without being kept. */
enum prb_body_state {
    PRB_BODY_KEPT,
    PRB_BODY_UNWANTED, /* the request is refused anyway */
    PRB_BODY_TOO_LONG,
    PRB_BODY_NO_ROOM, /* the budget is used up */
};

struct prb_body {
    struct prb_body_budget *budget; /* borrowed */
    char *data;                     /* owned */
    size_t len;
    size_t room; /* of `data`, and of the budget */
    size_t seen; /* bytes read, kept or not */
    enum prb_body_state state;
};

void prb_body_init(struct prb_body *body, struct prb_body_budget *budget);
void prb_body_done(struct prb_body *body);

/* The bytes are no longer needed, but what was made of them is: it counts in the budget until the
 * end. Otherwise reviews that wait for a stalled API server could pile up without one. */
void prb_body_read(struct prb_body *body);

/* This many bytes were announced; 0: it was not said. */
void prb_body_expect(struct prb_body *body, size_t len);

/* Do not keep it. */
void prb_body_skip(struct prb_body *body);

/* False when so much was read for nothing that the connection should end. */
bool prb_body_add(struct prb_body *body, const char *bytes, size_t len);

#endif

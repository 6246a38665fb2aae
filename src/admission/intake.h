#ifndef PROBATE_SRC_ADMISSION_INTAKE_H
#define PROBATE_SRC_ADMISSION_INTAKE_H

/*
 * The body of one request, read as it comes in: no byte of it is kept. What is built of it counts
 * in a budget that all requests share; what was only announced, or is stepped over, does not.
 */

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "probate/admission/review.h"

/*
 * Bytes that each review may build without taking them from the budget: six times what a usual
 * review builds. Two clients that hold all of the budget then shed no review of the usual size.
 * 512 connections take 32 MiB at most in this way.
 */
#define PRB_INTAKE_FREE ((size_t)64 * 1024)

/* Memory for what is built of all reviews together, in bytes. Thread-safe. */
struct prb_budget {
    size_t max;
    atomic_size_t used;
};

enum prb_intake_state {
    PRB_INTAKE_READS,     /* so far it can be read */
    PRB_INTAKE_UNWANTED,  /* the request is refused anyway */
    PRB_INTAKE_MALFORMED, /* it is no review: see `why` */
    PRB_INTAKE_TOO_MUCH,  /* more would have to be built than one review may have */
    PRB_INTAKE_NO_ROOM,   /* the budget is used up */
};

struct prb_intake {
    struct prb_budget *budget;    /* borrowed */
    struct prb_json_reader *json; /* owned; NULL: what comes is not looked at */
    size_t charged;               /* of the budget */
    size_t skipped;               /* bytes that came since it was known that they are no use */
    enum prb_intake_state state;
    char *why; /* owned; NULL unless MALFORMED */
};

/* Nothing is wanted until it is begun. */
void prb_intake_init(struct prb_intake *intake, struct prb_budget *budget);
void prb_intake_begin(struct prb_intake *intake, const struct prb_review_reader *reader);

/* Also gives back what it took of the budget: what was built must be gone. */
void prb_intake_done(struct prb_intake *intake);

/* False when so much came for nothing that the connection should end. */
bool prb_intake_add(struct prb_intake *intake, const char *bytes, size_t len);

/* The body is over: the request, or NULL and `state` says why there is none. */
struct prb_request *prb_intake_end(struct prb_intake *intake);

/* So many bytes of what was built are gone, as prb_json_built counts them. */
void prb_intake_shrink(struct prb_intake *intake, size_t freed);

#endif

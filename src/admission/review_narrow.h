#ifndef PROBATE_ADMISSION_REVIEW_NARROW_INTERNAL_H
#define PROBATE_ADMISSION_REVIEW_NARROW_INTERNAL_H

/* A review gives back what nobody will look at any more. */

#include "probate/core/judge.h"

/*
 * Drop the members of both objects that no rule for this request reads, whatever views say later.
 * The request is still private to the caller. How many bytes that frees, as prb_json_built counts.
 */
size_t prb_review_narrow(const struct prb_judge *judge, struct prb_request *request);

#endif

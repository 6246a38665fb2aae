#ifndef PROBATE_ADMISSION_REVIEW_SUBJECT_INTERNAL_H
#define PROBATE_ADMISSION_REVIEW_SUBJECT_INTERNAL_H

/* Who sent the request of a review; shared by the files of the codec. */

#include "probate/admission/review.h"

/* Fill in request->subject from the review's request. */
int prb_review_read_subject(
        const struct json_object *from, struct prb_request *request, struct prb_error *err);

#endif

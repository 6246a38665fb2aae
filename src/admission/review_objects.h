#ifndef PROBATE_ADMISSION_REVIEW_OBJECTS_INTERNAL_H
#define PROBATE_ADMISSION_REVIEW_OBJECTS_INTERNAL_H

/* The objects of a review and their names; shared by the files of the codec. */

#include "probate/admission/review.h"

/*
 * Fill in object and old object, and settle name and namespace. `from` is the review's request,
 * private to the caller and freed by it soon: objects keep what they need of it.
 */
int prb_review_read_objects(
        const struct json_object *from, struct prb_request *request, struct prb_error *err);

#endif

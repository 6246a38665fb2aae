#ifndef TESTS_ADMISSION_REVIEW_TEXT_H
#define TESTS_ADMISSION_REVIEW_TEXT_H

/* AdmissionReviews as tests like to write them: ' stands for ". */

#include "probate/admission/review.h"

/* The beginning of a review, and of a request that lacks only operation, names and objects. */
#define REVIEW(request) \
    "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{" request "}}"
#define REQUEST(more)                                                           \
    REVIEW("'uid':'u-1','kind':{'group':'g.io','version':'v1','kind':'Thing'}," \
           "'resource':{'group':'g.io','version':'v1','resource':'things'}," more)

/* With real quotes; the caller frees. */
char *review_text(const char *quoted);

/* Read it with a reader whose one rule reads `paths` (NULL-terminated). */
int review_read(const char *quoted, const char *const *paths, struct prb_request **ret,
        struct prb_error *err);

#endif

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

/* Parts of requests. */
#define CREATE(object) REQUEST("'operation':'CREATE','object':" object)
#define NAMED "{'metadata':{'name':'a'}}"
#define RESOURCE "'resource':{'group':'g.io','version':'v1','resource':'things'},"
#define DELETION "'operation':'DELETE','oldObject':" NAMED

/* With real quotes; the caller frees. */
char *review_text(const char *quoted);

extern const char *const review_no_paths[]; /* a rule that reads nothing */

/* Read it with a reader whose one rule reads `paths` (NULL-terminated). */
int review_read(const char *quoted, const char *const *paths, struct prb_request **ret,
        struct prb_error *err);

/* A review that is refused, and a part of the reason given. */
struct refusal {
    const char *review;
    const char *why;
};

#define CHECK_REFUSED(cases)                                                         \
    for (size_t i_ = 0; i_ < sizeof(cases) / sizeof((cases)[0]); i_++) {             \
        prb_auto(prb_request_free) struct prb_request *request_ = NULL;              \
        struct prb_error err_ = { 0 };                                               \
        int r_ = review_read((cases)[i_].review, review_no_paths, &request_, &err_); \
                                                                                     \
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID, r_, (cases)[i_].review);        \
        TEST_ASSERT_NULL_MESSAGE(request_, (cases)[i_].review);                      \
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(err_.msg, (cases)[i_].why), err_.msg);   \
    }

#endif

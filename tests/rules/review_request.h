#ifndef TESTS_RULES_REVIEW_REQUEST_H
#define TESTS_RULES_REVIEW_REQUEST_H

/* A request from the tree of an AdmissionReview, for tests of rules: nothing is checked. */

#include "probate/core/request.h"

/* The caller frees it. Aborts on an operation or resource that is none: a mistake in the test. */
struct prb_request *prb_test_request(const struct json_object *review);

#endif

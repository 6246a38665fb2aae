#ifndef PROBATE_ADMISSION_REVIEW_H
#define PROBATE_ADMISSION_REVIEW_H

/*
 * AdmissionReview bytes to a request, and a verdict to AdmissionReview bytes. Pure. Of the two
 * objects only what some rule declared to read is built; the rest is checked and stepped over.
 */

#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/base/json.h"
#include "probate/core/request.h"
#include "probate/core/rule.h"
#include "probate/core/verdict.h"

/* Object and old object of 3 MiB each, the API server's limit for a write, and what is around
 * them; a stored object may grow when it is turned into JSON. */
#define PRB_REVIEW_SIZE_MAX ((size_t)8 * 1024 * 1024)

struct prb_review_reader; /* what of a review is built; immutable, shared by threads */

struct prb_review_reader *prb_review_reader_new(const struct prb_rule *const *rules, size_t count);
void prb_review_reader_free(struct prb_review_reader *reader);
PRB_DEFINE_CLEANUP(struct prb_review_reader *, prb_review_reader_free)

/*
 * INVALID (HTTP 400) when the text is no JSON, or no `admission.k8s.io/v1` AdmissionReview with a
 * request that has uid, operation, resource and the objects its operation must have.
 */
int prb_review_read(const struct prb_review_reader *reader, const char *text, size_t len,
        struct prb_request **ret, struct prb_error *err);

/* The same from a tree, whole; for files. Nothing is taken. */
int prb_review_from_tree(
        const struct json_object *review, struct prb_request **ret, struct prb_error *err);

/*
 * The answer: uid, allowed, and for a denial status with code, reason, message and details
 * (causes, retryAfterSeconds); warnings; audit annotations `rule` and `reason`. Nothing else.
 */
void prb_review_write(
        const struct prb_request *request, const struct prb_verdict *verdict, struct prb_str *out);

/* A metav1.Status, for answers that are no review (400, 413, 415, ...). */
void prb_status_write(int code, const char *reason, const char *message, struct prb_str *out);

#endif

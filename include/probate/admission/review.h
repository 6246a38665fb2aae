#ifndef PROBATE_ADMISSION_REVIEW_H
#define PROBATE_ADMISSION_REVIEW_H

/*
 * AdmissionReview bytes to a request, and a verdict to AdmissionReview bytes. Pure. Of the two
 * objects only name, namespace, uid, deletionTimestamp and what some rule declared to read is
 * built; the rest is checked and stepped over.
 */

#include <stddef.h>

#include "probate/base/cleanup.h"
#include "probate/base/error.h"
#include "probate/base/json_reader.h"
#include "probate/core/request.h"
#include "probate/core/rule.h"
#include "probate/core/verdict.h"

/*
 * Memory for what is built of one review, in bytes. The bytes of a review have no bound: what no
 * rule reads is stepped over. Whatever can be stored must be read, old and new, or its finalizer
 * could never be removed: etcd takes 1.5 MiB for an object, and of what rules read nothing takes
 * less than 26 bytes for an object of two members (an orphaning rule), which is built in 750.
 */
#define PRB_REVIEW_BUILT_MAX ((size_t)128 * 1024 * 1024)

/* A UUID has 36 bytes; reviews written by hand get some room. It is repeated in answer and log. */
#define PRB_REVIEW_UID_MAX 128

/* An answer at its longest: a message of 4 KiB twice, sixteen causes of as much, 3 KiB of
 * warnings, all of it bytes that are escaped as six. */
#define PRB_REVIEW_ANSWER_MAX ((size_t)512 * 1024)

struct prb_review_reader; /* what of a review is built; immutable, shared by threads */

struct prb_review_reader *prb_review_reader_new(const struct prb_rule *const *rules, size_t count);
void prb_review_reader_free(struct prb_review_reader *reader);
PRB_DEFINE_CLEANUP(struct prb_review_reader *, prb_review_reader_free)

/*
 * INVALID (HTTP 400) when the text is no JSON, or no `admission.k8s.io/v1` AdmissionReview with a
 * request that has uid, operation, resource and the objects its operation must have: CREATE the
 * new one, UPDATE both, DELETE the old one. What an operation does not have is not looked at, and
 * CONNECT has neither. INVALID too when name or namespace of request and object contradict each
 * other: nobody could tell which of them is judged.
 */
int prb_review_read(const struct prb_review_reader *reader, const char *text, size_t len,
        struct prb_request **ret, struct prb_error *err);

/*
 * The same in pieces: begin, prb_json_reader_feed as often as bytes come, end, which leaves the
 * reader to be freed. UNSUPPORTED: more is to be built than PRB_REVIEW_BUILT_MAX.
 */
struct prb_json_reader *prb_review_begin(const struct prb_review_reader *reader);
int prb_review_end(struct prb_json_reader *json, struct prb_request **ret, struct prb_error *err);

/* The same from a tree, for YAML; nothing is taken. Goes through the same reader, byte for byte. */
int prb_review_read_tree(const struct prb_review_reader *reader, const struct json_object *review,
        struct prb_request **ret, struct prb_error *err);

/*
 * The answer: uid, allowed, and for a denial status with code, reason, message and details
 * (causes, retryAfterSeconds); warnings; audit annotations `rule` and `reason`, and `override` when
 * somebody went past a rule: why. Nothing else, and no line break. `out` must have room for
 * PRB_REVIEW_ANSWER_MAX.
 */
void prb_review_write(
        const struct prb_request *request, const struct prb_verdict *verdict, struct prb_str *out);

/* The HTTP code that the client gets to see for a verdict: 200, 403, 422 or 503. */
int prb_review_code(const struct prb_verdict *verdict);

/* A metav1.Status, for answers that are no review (400, 413, 415, ...). */
void prb_status_write(int code, const char *reason, const char *message, struct prb_str *out);

#endif

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
#include "probate/base/json.h"
#include "probate/core/request.h"
#include "probate/core/rule.h"
#include "probate/core/verdict.h"

/* Object and old object of 3 MiB each, the API server's limit for a write, and what is around
 * them; a stored object may grow when it is turned into JSON. */
#define PRB_REVIEW_SIZE_MAX ((size_t)8 * 1024 * 1024)

/*
 * Members and elements that are looked at in one review. Whatever can be stored must be read, old
 * and new, or its finalizer could never be removed: etcd takes 1.5 MiB for an object, and of what
 * rules look at no member takes less than six bytes ("a":0, in a manifest). Such members are
 * stepped over; those that are built take nine bytes and more, which makes some 50 MB of tree.
 */
#define PRB_REVIEW_VALUES_MAX ((size_t)2 * 1536 * 1024 / 6)

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

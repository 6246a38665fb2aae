#ifndef PROBATE_KUBE_STATUS_H
#define PROBATE_KUBE_STATUS_H

/* A refusal of the API server (a metav1.Status, or whatever else came) as a prb_error. Pure. */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/json.h"

/* reason of a NOTFOUND whose collection is not served; see kube.h */
#define PRB_KUBE_NOT_SERVED "NotServed"

/*
 * The longest that a server can make us wait. The API server itself says 1 s, and with priority and
 * fairness a few; what a proxy in maintenance says, hours or a date, would outlast its being back,
 * and five minutes is the longest pause after failures anyway.
 */
#define PRB_KUBE_RETRY_AFTER_MAX_MS 300000

/* Seconds, as a server says them, in milliseconds: 0 when that is no time, else up to the longest.
 */
int prb_kube_retry_after_ms(int64_t seconds);

/*
 * The error of an HTTP answer that is no success. `retry_after_ms` is from the header, 0 when
 * there is none (the Status may have one too). Returns the code.
 */
int prb_kube_fail_answer(
        int status, int retry_after_ms, const char *body, size_t len, struct prb_error *err);

/* The same for a Status object inside a watch stream. */
int prb_kube_fail_status(const struct json_object *status, struct prb_error *err);

/*
 * Is this the 422 with which the API server says that a JSON patch could not be applied? It says
 * the same for a `test` that does not hold, a path that is not there and an unknown operation,
 * without a word about which (tried on 1.20; the message is fixed text in every later one).
 * Validation errors, which are 422 too, name the object.
 */
bool prb_kube_is_patch_refusal(const struct prb_error *err);

#endif

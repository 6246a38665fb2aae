#ifndef PROBATE_KUBE_STATUS_H
#define PROBATE_KUBE_STATUS_H

/* A refusal of the API server (a metav1.Status, or whatever else came) as a prb_error. Pure. */

#include <stddef.h>

#include "probate/base/error.h"
#include "probate/base/json.h"

/* reason of a NOTFOUND whose collection is not served; see kube.h */
#define PRB_KUBE_NOT_SERVED "NotServed"

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

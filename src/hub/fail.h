#ifndef PROBATE_HUB_FAIL_INTERNAL_H
#define PROBATE_HUB_FAIL_INTERNAL_H

/* Refusals in the words of the API server: code, HTTP status, Status.reason and message. */

#include "probate/base/error.h"

#include "kinds.h"

/* Fill *err and return `code`. */
__attribute__((format(printf, 5, 6))) int prb_hub_fail(struct prb_error *err, enum prb_errc code,
        int status, const char *reason, const char *fmt, ...);

/* No such URL: the resource, version or scope is not served. Its reason is "NotServed", where the
 * API server says "NotFound" as for an absent object, so that callers can tell the two apart. */
int prb_hub_not_served(struct prb_error *err);

int prb_hub_not_found(struct prb_error *err, const struct prb_hub_kind *kind, const char *name);

/* 400 */
__attribute__((format(printf, 2, 3))) int prb_hub_bad_request(
        struct prb_error *err, const char *fmt, ...);

/* 422: `Widget.example.io "a" is invalid: ...` */
__attribute__((format(printf, 4, 5))) int prb_hub_invalid(struct prb_error *err,
        const struct prb_hub_kind *kind, const char *name, const char *fmt, ...);

/* 409: `Operation cannot be fulfilled on widgets.example.io "a": ...` */
__attribute__((format(printf, 4, 5))) int prb_hub_conflict(struct prb_error *err,
        const struct prb_hub_kind *kind, const char *name, const char *fmt, ...);

/* 409, as the API server says it of an outdated resourceVersion. */
int prb_hub_outdated(struct prb_error *err, const struct prb_hub_kind *kind, const char *name);

/* 410 */
__attribute__((format(printf, 2, 3))) int prb_hub_gone(struct prb_error *err, const char *fmt, ...);

int prb_hub_cancelled(struct prb_error *err);

/* A call on a file or folder failed with errno: NOTFOUND or IO. */
int prb_hub_fail_file(struct prb_error *err, const char *path);

#endif

/* In which words does the hub refuse a call? */

#include "fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

/* What a refusal is apart from its words. */
struct refusal {
    enum prb_errc code;
    int status;
    const char *reason;
};

static const struct refusal bad_request = { PRB_E_INVALID, 400, "BadRequest" };
static const struct refusal invalid = { PRB_E_INVALID, 422, "Invalid" };
static const struct refusal conflict = { PRB_E_CONFLICT, 409, "Conflict" };
static const struct refusal gone = { PRB_E_GONE, 410, "Expired" };

/* The message is cut to what an error holds, as everywhere. */
static int failv(struct prb_error *err, const struct refusal *refusal, const char *prefix,
        const char *fmt, va_list args)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_ERROR_MSG_MAX);
    prb_str_vaddf(&text, fmt, args);
    (void)prb_fail(err, refusal->code, "%s%s", prefix, prb_str_get(&text));
    err->status = refusal->status;
    (void)prb_copy(err->reason, sizeof(err->reason), refusal->reason);
    return refusal->code;
}

int prb_hub_fail(struct prb_error *err, enum prb_errc code, int status, const char *reason,
        const char *fmt, ...)
{
    const struct refusal refusal = { code, status, reason };
    va_list args;

    va_start(args, fmt);
    (void)failv(err, &refusal, "", fmt, args);
    va_end(args);
    return code;
}

int prb_hub_not_served(struct prb_error *err)
{
    return prb_hub_fail(err, PRB_E_NOTFOUND, 404, "NotServed",
            "the server could not find the requested resource");
}

int prb_hub_not_found(struct prb_error *err, const struct prb_hub_kind *kind, const char *name)
{
    char resource[PRB_HUB_KIND_KEY_SIZE];

    prb_hub_kind_key(kind->resource.gvr.group, kind->resource.gvr.resource, resource);
    return prb_hub_fail(
            err, PRB_E_NOTFOUND, 404, "NotFound", "%s \"%s\" not found", resource, name);
}

int prb_hub_bad_request(struct prb_error *err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)failv(err, &bad_request, "", fmt, args);
    va_end(args);
    return PRB_E_INVALID;
}

/* Room for a resource with its group, a name and the words around them. */
#define PREFIX_SIZE (PRB_HUB_KIND_KEY_SIZE + PRB_NAME_SIZE + 48)

int prb_hub_invalid(struct prb_error *err, const struct prb_hub_kind *kind, const char *name,
        const char *fmt, ...)
{
    const char *group = kind->resource.gvr.group;
    char prefix[PREFIX_SIZE];
    va_list args;

    (void)snprintf(prefix, sizeof(prefix), "%s%s%s \"%s\" is invalid: ", kind->resource.kind,
            group[0] ? "." : "", group, name);
    va_start(args, fmt);
    (void)failv(err, &invalid, prefix, fmt, args);
    va_end(args);
    return PRB_E_INVALID;
}

int prb_hub_conflict(struct prb_error *err, const struct prb_hub_kind *kind, const char *name,
        const char *fmt, ...)
{
    char resource[PRB_HUB_KIND_KEY_SIZE], prefix[PREFIX_SIZE];
    va_list args;

    prb_hub_kind_key(kind->resource.gvr.group, kind->resource.gvr.resource, resource);
    (void)snprintf(
            prefix, sizeof(prefix), "Operation cannot be fulfilled on %s \"%s\": ", resource, name);
    va_start(args, fmt);
    (void)failv(err, &conflict, prefix, fmt, args);
    va_end(args);
    return PRB_E_CONFLICT;
}

int prb_hub_outdated(struct prb_error *err, const struct prb_hub_kind *kind, const char *name)
{
    return prb_hub_conflict(err, kind, name,
            "the object has been modified; please apply your changes to the latest version and "
            "try again");
}

int prb_hub_gone(struct prb_error *err, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    (void)failv(err, &gone, "", fmt, args);
    va_end(args);
    return PRB_E_GONE;
}

int prb_hub_cancelled(struct prb_error *err)
{
    return prb_fail(err, PRB_E_CANCELLED, "the hub is shutting down");
}

int prb_hub_fail_file(struct prb_error *err, const char *path)
{
    enum prb_errc code = errno == ENOENT ? PRB_E_NOTFOUND : PRB_E_IO;
    char text[128]; /* glibc's longest is 50 */

    return prb_fail(err, code, "%s: %s", path, strerror_r(errno, text, sizeof(text)));
}

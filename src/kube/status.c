/* What does the server mean by refusing? */

#include "status.h"

#include <string.h>

#include "probate/base/str.h"

/* Go's http.NotFound, with which the API server answers for groups it does not know. */
static const char page_not_found[] = "404 page not found";

/* Text of an unexpected answer that is shown; enough for the first words of a proxy's page. */
#define EXCERPT_MAX 200

static const struct {
    int status;
    enum prb_errc code;
} codes[] = {
    { 400, PRB_E_INVALID },
    { 401, PRB_E_UNAUTHORIZED },
    { 403, PRB_E_FORBIDDEN },
    { 404, PRB_E_NOTFOUND },
    { 405, PRB_E_UNSUPPORTED },
    { 406, PRB_E_UNSUPPORTED },
    { 408, PRB_E_UNAVAILABLE },
    { 409, PRB_E_CONFLICT },
    { 410, PRB_E_GONE },
    { 413, PRB_E_INVALID },
    { 415, PRB_E_UNSUPPORTED },
    { 422, PRB_E_INVALID },
    { 429, PRB_E_THROTTLED },
};

static enum prb_errc code_of(int status)
{
    for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
        if (codes[i].status == status)
            return codes[i].code;
    }
    if (status >= 300 && status < 400)
        return PRB_E_UNSUPPORTED;
    return status >= 400 && status < 500 ? PRB_E_INVALID : PRB_E_UNAVAILABLE;
}

/* One line for a person: a message may have line breaks, an excerpt anything. */
static void flatten(char *text)
{
    char *end = text; /* behind the last that is no blank */

    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || *text == 0x7F)
            *text = ' ';
        if (*text != ' ')
            end = text + 1;
    }
    *end = '\0';
}

static void set_details(struct prb_error *err, int status, int retry_after_ms, const char *reason)
{
    err->status = status;
    err->retry_after_ms = retry_after_ms;
    (void)prb_copy(err->reason, sizeof(err->reason), reason);
    flatten(err->msg);
}

int prb_kube_retry_after_ms(int64_t seconds)
{
    if (seconds <= 0)
        return 0;
    return seconds < PRB_KUBE_RETRY_AFTER_MAX_MS / 1000 ? (int)seconds * 1000
                                                        : PRB_KUBE_RETRY_AFTER_MAX_MS;
}

/* Status.details.retryAfterSeconds in milliseconds; 0 when absent. */
static int retry_after_of(const struct json_object *status)
{
    int64_t seconds = 0;

    (void)prb_json_int(prb_json_obj(status, "details"), "retryAfterSeconds", &seconds);
    return prb_kube_retry_after_ms(seconds);
}

/*
 * "NotFound" of a Status that names no object is about the collection: the server says so for a
 * resource it does not serve.
 */
static const char *reason_of(const struct json_object *status, enum prb_errc code)
{
    const char *reason = prb_json_str(status, "reason");
    const char *name = prb_json_str(prb_json_obj(status, "details"), "name");

    if (code == PRB_E_NOTFOUND && (!name || !*name))
        return PRB_KUBE_NOT_SERVED;
    return reason ? reason : "";
}

/*
 * A PUT names the uid of what it replaces. When nothing has the name any more, old API servers
 * compare that uid with an empty one and call it a conflict, as all do for kinds that a PUT may
 * create; new ones say NotFound. What was meant is gone either way.
 */
static bool is_conflict_with_nothing(const struct json_object *status)
{
    static const char end[] = ", UID in object meta: ";
    const char *message = prb_json_str(status, "message");

    return message && strlen(message) >= strlen(end) &&
           prb_streq(message + strlen(message) - strlen(end), end);
}

static int fail_with(
        const struct json_object *tree, int status, int retry_after_ms, struct prb_error *err)
{
    const char *message = prb_json_str(tree, "message");
    const char *reason = NULL; /* as the server says it */
    enum prb_errc code = code_of(status);

    if (code == PRB_E_CONFLICT && prb_streq(prb_json_str(tree, "reason"), "AlreadyExists"))
        code = PRB_E_EXISTS;
    if (code == PRB_E_CONFLICT && is_conflict_with_nothing(tree)) {
        code = PRB_E_NOTFOUND;
        reason = "NotFound";
    }
    (void)prb_fail(err, code, "%s",
            message && *message ? message : "the server refused without a message");
    set_details(err, status, retry_after_ms ? retry_after_ms : retry_after_of(tree),
            reason ? reason : reason_of(tree, code));
    return code;
}

int prb_kube_fail_status(const struct json_object *status, struct prb_error *err)
{
    int64_t code = 0;

    if (!prb_json_int(status, "code", &code) || code < 100 || code > 999)
        code = 500;
    return fail_with(status, (int)code, 0, err);
}

/* Not from an API server, or from its outermost part. */
static int fail_text(
        int status, int retry_after_ms, const char *body, size_t len, struct prb_error *err)
{
    enum prb_errc code = code_of(status);
    size_t shown = len < EXCERPT_MAX ? len : EXCERPT_MAX;
    const char *reason = "";

    if (code == PRB_E_NOTFOUND) {
        /* A 404 of something else in between says nothing about the object. */
        if (len >= strlen(page_not_found) &&
                memcmp(body, page_not_found, strlen(page_not_found)) == 0)
            reason = PRB_KUBE_NOT_SERVED;
        else
            code = PRB_E_UNAVAILABLE;
    }

    if (status >= 300 && status < 400)
        (void)prb_fail(err, code,
                "the server answers with a redirect (HTTP %d), which is not followed: credentials "
                "must not go elsewhere",
                status);
    else
        (void)prb_fail(err, code, "HTTP %d, and the answer is no Kubernetes Status: %.*s", status,
                (int)shown, body);
    set_details(err, status, retry_after_ms, reason);
    return code;
}

int prb_kube_fail_answer(
        int status, int retry_after_ms, const char *body, size_t len, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error ignored;

    if (prb_json_parse(body, len, NULL, &tree, &ignored) == 0 &&
            prb_streq(prb_json_str(tree, "kind"), "Status"))
        return fail_with(tree, status, retry_after_ms, err);
    return fail_text(status, retry_after_ms, body, len, err);
}

bool prb_kube_is_patch_refusal(const struct prb_error *err)
{
    return err->status == 422 && prb_streq(err->reason, "Invalid") &&
           prb_streq(err->msg, "the server rejected our request due to an error in our request");
}

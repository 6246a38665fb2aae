/* Which request do the bytes of an AdmissionReview carry? */

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "review_filter.h"
#include "review_member.h"
#include "review_objects.h"
#include "review_subject.h"

#define API_VERSION "admission.k8s.io/v1"

/* What a text of the caller's may take in a message. */
#define SHOWN_MAX 80

/* For the error that says what was found instead: cut, and never NULL. */
static const char *shown(const char *text, char buffer[SHOWN_MAX + 1])
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, SHOWN_MAX);
    prb_str_add(&s, text ? text : "");
    (void)prb_copy(buffer, SHOWN_MAX + 1, prb_str_get(&s));
    return buffer;
}

static int check_envelope(const struct json_object *review, struct prb_error *err)
{
    const char *version = prb_json_str(review, "apiVersion");
    char buffer[SHOWN_MAX + 1];

    if (!json_object_is_type(review, json_type_object))
        return prb_fail(err, PRB_E_INVALID, "this is no AdmissionReview: it is not even an object");
    if (!prb_streq(prb_json_str(review, "kind"), "AdmissionReview"))
        return prb_fail(err, PRB_E_INVALID, "kind is \"%s\", and not AdmissionReview",
                shown(prb_json_str(review, "kind"), buffer));
    if (!prb_streq(version, API_VERSION))
        return prb_fail(err, PRB_E_INVALID,
                "apiVersion is \"%s\"; only " API_VERSION
                " is understood (register with admissionReviewVersions: [v1])",
                shown(version, buffer));
    if (!prb_json_obj(review, "request"))
        return prb_fail(err, PRB_E_INVALID, "request is missing or no object");
    return 0;
}

static int read_uid(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    int r = prb_review_copy_text(from, "uid", "request.uid", &request->uid, err);

    if (r < 0)
        return r;
    if (request->uid[0] == '\0')
        return prb_fail(err, PRB_E_INVALID, "request.uid is missing or empty");
    if (strlen(request->uid) > PRB_REVIEW_UID_MAX)
        return prb_fail(
                err, PRB_E_INVALID, "request.uid is longer than %d bytes", PRB_REVIEW_UID_MAX);
    return 0;
}

static int read_operation(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    static const enum prb_operation known[] = { PRB_CREATE, PRB_UPDATE, PRB_DELETE, PRB_CONNECT };
    const char *text = prb_json_str(from, "operation");
    char buffer[SHOWN_MAX + 1];

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (prb_streq(text, prb_operation_name(known[i]))) {
            request->operation = known[i];
            return 0;
        }
    }
    return prb_fail(err, PRB_E_INVALID,
            "request.operation is \"%s\", and none of CREATE, UPDATE, DELETE, CONNECT",
            shown(text, buffer));
}

static int read_resource(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    const struct json_object *resource = prb_json_obj(from, "resource");
    const char *group = "", *version = prb_json_str(resource, "version");
    const char *plural = prb_json_str(resource, "resource");
    int r = prb_review_read_text(resource, "group", "request.resource.group", &group, err);

    if (r < 0)
        return r;
    if (!version || !plural || version[0] == '\0' || plural[0] == '\0')
        return prb_fail(err, PRB_E_INVALID,
                "request.resource is missing, or has no version or no resource");
    if (!prb_gvr_init(&request->gvr, group, version, plural))
        return prb_fail(
                err, PRB_E_INVALID, "request.resource names what cannot be a resource of an API");
    return prb_review_copy_text(
            prb_json_obj(from, "kind"), "kind", "request.kind.kind", &request->kind, err);
}

/* Whoever cannot tell whether this is a dry run must not go on: it might leave a trace. */
static int read_dry_run(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    if (prb_json_find(from, "dryRun") && !prb_json_bool(from, "dryRun", &request->dry_run))
        return prb_fail(err, PRB_E_INVALID, "request.dryRun is neither true nor false");
    return 0;
}

static int read_request(
        const struct json_object *from, struct prb_request *request, struct prb_error *err)
{
    int r = read_uid(from, request, err);

    if (r == 0)
        r = read_operation(from, request, err);
    if (r == 0)
        r = read_resource(from, request, err);
    if (r == 0)
        r = prb_review_copy_text(
                from, "subResource", "request.subResource", &request->subresource, err);
    if (r == 0)
        r = prb_review_copy_text(from, "name", "request.name", &request->name, err);
    if (r == 0)
        r = prb_review_copy_text(from, "namespace", "request.namespace", &request->namespace, err);
    if (r == 0)
        r = prb_review_read_subject(from, request, err);
    if (r == 0)
        r = read_dry_run(from, request, err);
    return r < 0 ? r : prb_review_read_objects(from, request, err);
}

struct prb_json_reader *prb_review_begin(const struct prb_review_reader *reader)
{
    const struct prb_json_reader_options options = { .filter = prb_review_filter(reader),
        .built_max = PRB_REVIEW_BUILT_MAX };

    return prb_json_reader_new(&options);
}

int prb_review_end(struct prb_json_reader *json, struct prb_request **ret, struct prb_error *err)
{
    prb_auto(prb_request_free) struct prb_request *request = prb_calloc(1, sizeof(*request));
    prb_auto(prb_json_free) struct json_object *review = NULL;
    int r = prb_json_reader_end(json, &review, err);

    if (r == 0)
        r = check_envelope(review, err);
    if (r == 0)
        r = read_request(prb_json_obj(review, "request"), request, err);
    if (r == 0)
        *ret = prb_take(request);
    return r;
}

int prb_review_read(const struct prb_review_reader *reader, const char *text, size_t len,
        struct prb_request **ret, struct prb_error *err)
{
    prb_auto(prb_json_reader_free) struct prb_json_reader *json = prb_review_begin(reader);
    int r = prb_json_reader_feed(json, text, len, err);

    return r < 0 ? r : prb_review_end(json, ret, err);
}

int prb_review_read_tree(const struct prb_review_reader *reader, const struct json_object *review,
        struct prb_request **ret, struct prb_error *err)
{
    prb_autofree char *text = prb_json_text(review, false);

    return prb_review_read(reader, text, strlen(text), ret, err);
}

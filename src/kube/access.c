/* May somebody do something? The API server's authorizer is asked. */

#include <string.h>

#include "internal.h"

static const char path[] = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

/* Who it is about: all of it, an authorizer may go by any of it. */
static int set_subject(
        struct json_object *spec, const struct prb_access_question *q, struct prb_error *err)
{
    struct json_object *extra = NULL;

    prb_json_set_str(spec, "user", q->user);
    if (q->uid && *q->uid)
        prb_json_set_str(spec, "uid", q->uid);
    if (q->groups && *q->groups) {
        struct json_object *groups = json_object_new_array();

        for (const char *const *at = q->groups; *at; at++)
            prb_json_push(groups, json_object_new_string(*at));
        prb_json_set(spec, "groups", groups);
    }
    if (!q->extra)
        return 0;
    if (prb_json_parse(q->extra, strlen(q->extra), NULL, &extra, err) < 0)
        return prb_wrap(err, "the extra of a user");
    prb_json_set(spec, "extra", extra);
    return 0;
}

static int review_of(const struct prb_access_question *q, char **ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *review = json_object_new_object();
    struct json_object *spec = prb_json_ensure_obj(review, "spec");
    struct json_object *attributes = prb_json_ensure_obj(spec, "resourceAttributes");
    int r = set_subject(spec, q, err);

    if (r < 0)
        return r;
    prb_json_set_str(review, "apiVersion", "authorization.k8s.io/v1");
    prb_json_set_str(review, "kind", "SubjectAccessReview");
    prb_json_set_str(attributes, "verb", q->verb);
    prb_json_set_str(attributes, "group", q->group);
    prb_json_set_str(attributes, "resource", q->resource);
    prb_json_set_str(attributes, "namespace", q->namespace);
    prb_json_set_str(attributes, "name", q->name);
    *ret = prb_json_text(review, false);
    return 0;
}

/*
 * An evaluationError beside the answer is not looked at: a role binding to a role that is gone has
 * one for ever, and the API server itself goes by `allowed` alone.
 */
static int read_answer(const struct prb_str *body, enum prb_access *ret, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *review = NULL;
    bool allowed;

    if (prb_json_parse(prb_str_get(body), body->len, NULL, &review, err) < 0 ||
            !prb_json_bool(prb_json_obj(review, "status"), "allowed", &allowed))
        return prb_fail(err, PRB_E_IO, "the server's answer is no access review");
    *ret = allowed ? PRB_ACCESS_ALLOWED : PRB_ACCESS_DENIED;
    return 0;
}

int prb_kube_may(struct prb_api *api, const struct prb_access_question *question,
        enum prb_access *ret, struct prb_error *err)
{
    prb_autofree char *body = NULL;
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    struct prb_kube_request request = {
        .method = "POST",
        .path = path,
        .content_type = "application/json",
        .repeatable = true,
        .timeout_ms = question->timeout_ms,
    };
    int r = review_of(question, &body, err);

    prb_kube_answer_init(&answer);
    if (r < 0)
        return r;
    request.body = body;
    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);

    /* There is somebody who could be asked, whatever stands in between. */
    if (r == PRB_E_UNSUPPORTED)
        return prb_fail(err, PRB_E_UNAVAILABLE, "access cannot be asked for: %s", err->msg);
    return r < 0 ? r : read_answer(&answer.body, ret, err);
}

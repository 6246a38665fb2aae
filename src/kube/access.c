/* May somebody do something? The API server's authorizer is asked. */

#include "internal.h"

static const char path[] = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

static char *review_of(const struct prb_access_question *q)
{
    prb_auto(prb_json_free) struct json_object *review = json_object_new_object();
    struct json_object *spec = prb_json_ensure_obj(review, "spec");
    struct json_object *attributes = prb_json_ensure_obj(spec, "resourceAttributes");

    prb_json_set_str(review, "apiVersion", "authorization.k8s.io/v1");
    prb_json_set_str(review, "kind", "SubjectAccessReview");
    prb_json_set_str(spec, "user", q->user);
    if (q->groups && *q->groups) {
        struct json_object *groups = json_object_new_array();

        for (const char *const *at = q->groups; *at; at++)
            prb_json_push(groups, json_object_new_string(*at));
        prb_json_set(spec, "groups", groups);
    }
    prb_json_set_str(attributes, "verb", q->verb);
    prb_json_set_str(attributes, "group", q->group);
    prb_json_set_str(attributes, "resource", q->resource);
    prb_json_set_str(attributes, "namespace", q->namespace);
    prb_json_set_str(attributes, "name", q->name);
    return prb_json_text(review, false);
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
    prb_autofree char *body = review_of(question);
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    const struct prb_kube_request request = {
        .method = "POST",
        .path = path,
        .content_type = "application/json",
        .body = body,
        .repeatable = true,
        .timeout_ms = question->timeout_ms,
    };
    int r;

    prb_kube_answer_init(&answer);
    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);
    return r < 0 ? r : read_answer(&answer.body, ret, err);
}

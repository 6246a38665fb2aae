/*
 * How is a verdict told to the API server? With as few members as possible: it keeps the texts,
 * and what it does not expect, such as a patch, makes the whole call fail.
 */

#include <string.h>

#include "probate/admission/review.h"
#include "probate/base/str.h"

struct code {
    int number;
    const char *reason; /* as the API machinery spells it; clients branch on it */
};

static struct code code_of(enum prb_denial denial)
{
    switch (denial) {
    case PRB_DENY_NOT:
        return (struct code){ 200, "" };
    case PRB_DENY_FORBIDDEN:
        return (struct code){ 403, "Forbidden" };
    case PRB_DENY_INVALID:
        return (struct code){ 422, "Invalid" };
    case PRB_DENY_UNAVAILABLE:
        return (struct code){ 503, "ServiceUnavailable" };
    }
    return (struct code){ 500, "InternalError" };
}

int prb_review_code(const struct prb_verdict *verdict)
{
    return code_of(verdict->denial).number;
}

static void add_string(struct prb_str *out, const char *text)
{
    prb_json_print_string(text, strlen(text), out);
}

/* `,"key":"text"`; the key needs no escapes. */
static void add_member(struct prb_str *out, const char *key, const char *text)
{
    prb_str_addf(out, ",\"%s\":", key);
    add_string(out, text);
}

static void add_causes(struct prb_str *out, const struct prb_verdict *verdict)
{
    prb_str_add(out, "\"causes\":[");
    for (size_t i = 0; i < verdict->cause_count; i++) {
        prb_str_add(out, i > 0 ? ",{" : "{");
        prb_str_add(out, "\"reason\":\"FieldValueInvalid\"");
        add_member(out, "message", verdict->causes[i].message);
        add_member(out, "field", verdict->causes[i].field);
        prb_str_addc(out, '}');
    }
    prb_str_addc(out, ']');
}

/* Of what is invalid kubectl says what it is only when it is told here. */
static void add_invalid(
        struct prb_str *out, const struct prb_request *request, const struct prb_verdict *verdict)
{
    prb_str_add(out, ",\"details\":{");
    add_causes(out, verdict);
    add_member(out, "name", request->name);
    add_member(out, "group", request->gvr.group);
    add_member(out, "kind", request->kind);
    prb_str_addc(out, '}');
}

static void add_details(
        struct prb_str *out, const struct prb_request *request, const struct prb_verdict *verdict)
{
    if (verdict->cause_count > 0)
        add_invalid(out, request, verdict);
    else if (verdict->denial == PRB_DENY_UNAVAILABLE && verdict->retry_after_s > 0)
        /* The API server makes a Retry-After header of it. */
        prb_str_addf(out, ",\"details\":{\"retryAfterSeconds\":%d}", verdict->retry_after_s);
}

/* Without a text people would read "denied the request without explanation". */
static const char *message_of(const struct prb_verdict *verdict)
{
    return verdict->message ? verdict->message : code_of(verdict->denial).reason;
}

static void add_denial(
        struct prb_str *out, const struct prb_request *request, const struct prb_verdict *verdict)
{
    struct code code = code_of(verdict->denial);

    prb_str_add(out, ",\"status\":{\"status\":\"Failure\"");
    add_member(out, "message", message_of(verdict));
    add_member(out, "reason", code.reason);
    add_details(out, request, verdict);
    prb_str_addf(out, ",\"code\":%d}", code.number);
}

static void add_warnings(struct prb_str *out, const struct prb_verdict *verdict)
{
    if (verdict->warning_count == 0)
        return;
    prb_str_add(out, ",\"warnings\":[");
    for (size_t i = 0; i < verdict->warning_count; i++) {
        prb_str_add(out, i > 0 ? "," : "");
        add_string(out, verdict->warnings[i]);
    }
    prb_str_addc(out, ']');
}

/* What the audit log says of a request that passed. */
static void add_allowance(struct prb_str *out, const struct prb_verdict *verdict)
{
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, PRB_REVIEW_ANSWER_MAX);
    if (verdict->audited)
        prb_str_addf(&text, "would be refused: %s", verdict->audited);
    else
        prb_str_add(&text, verdict->rule ? "allowed" : "no rule applies");
    add_member(out, "reason", prb_str_get(&text));
}

/* Who decided, and why; for who reads the audit log of the API server. */
static void add_annotations(struct prb_str *out, const struct prb_verdict *verdict)
{
    bool allows = prb_verdict_allows(verdict);
    const char *rule = allows && verdict->audited ? verdict->audited_rule : verdict->rule;

    prb_str_add(out, ",\"auditAnnotations\":{\"rule\":");
    add_string(out, rule ? rule : "none");
    if (allows && verdict->override_reason)
        add_member(out, "override", verdict->override_reason);
    if (allows)
        add_allowance(out, verdict);
    else
        add_member(out, "reason", message_of(verdict));
    prb_str_addc(out, '}');
}

void prb_review_write(
        const struct prb_request *request, const struct prb_verdict *verdict, struct prb_str *out)
{
    prb_str_add(out, "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\"");
    prb_str_add(out, ",\"response\":{\"uid\":");
    add_string(out, request->uid);
    prb_str_addf(out, ",\"allowed\":%s", prb_verdict_allows(verdict) ? "true" : "false");
    if (!prb_verdict_allows(verdict))
        add_denial(out, request, verdict);
    add_warnings(out, verdict);
    add_annotations(out, verdict);
    prb_str_add(out, "}}");
}

void prb_status_write(int code, const char *reason, const char *message, struct prb_str *out)
{
    prb_str_add(out, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{}");
    add_member(out, "status", "Failure");
    add_member(out, "message", message);
    add_member(out, "reason", reason);
    prb_str_addf(out, ",\"code\":%d}", code);
}

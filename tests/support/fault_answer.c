/* What does an API server say when it refuses? */

#include <stdio.h>
#include <string.h>

#include "probate/base/str.h"

#include "support/fault_connection.h"

/* A Status with its head is a few hundred bytes. */
#define ANSWER_MAX ((size_t)4096)

struct refusal {
    int status;
    const char *phrase; /* of the status line */
    const char *reason; /* of the Status */
    const char *message;
};

static const struct refusal refusals[] = {
    { 400, "Bad Request", "BadRequest", "the server could not understand: fault proxy" },
    { 401, "Unauthorized", "Unauthorized", "Unauthorized" },
    { 403, "Forbidden", "Forbidden", "forbidden: refused by the fault proxy" },
    { 404, "Not Found", "NotFound", "not found: hidden by the fault proxy" },
    { 409, "Conflict", "Conflict",
            "Operation cannot be fulfilled: the object has been modified; please apply your "
            "changes to the latest version and try again" },
    { 410, "Gone", "Expired", "The resourceVersion for the provided watch is too old." },
    { 422, "Unprocessable Entity", "Invalid", "invalid: refused by the fault proxy" },
    { 429, "Too Many Requests", "TooManyRequests", "Too many requests, please try again later." },
    { 500, "Internal Server Error", "InternalError", "Internal error occurred: fault proxy" },
    { 503, "Service Unavailable", "ServiceUnavailable",
            "the server is currently unable to handle the request" },
    { 504, "Gateway Timeout", "Timeout", "Timeout: request did not complete within 1s" },
};

static const struct refusal *find_refusal(int status)
{
    static const struct refusal unknown = { 500, "Internal Server Error", "InternalError",
        "a rule of the fault proxy asks for a status that it does not know" };

    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        if (refusals[i].status == status)
            return &refusals[i];
    }
    return &unknown;
}

static void print_status(const struct refusal *refusal, int retry_after_s, struct prb_str *to)
{
    prb_str_addf(to,
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
            "\"message\":\"%s\",\"reason\":\"%s\",",
            refusal->message, refusal->reason);
    if (retry_after_s > 0)
        prb_str_addf(to, "\"details\":{\"retryAfterSeconds\":%d},", retry_after_s);
    prb_str_addf(to, "\"code\":%d}\n", refusal->status);
}

bool prb_fault_answer(struct prb_tls_stream *client, int status, int retry_after_s)
{
    const struct refusal *refusal = find_refusal(status);
    prb_auto(prb_str_done) struct prb_str body;
    prb_auto(prb_str_done) struct prb_str answer;

    prb_str_init(&body, ANSWER_MAX);
    prb_str_init(&answer, 2 * ANSWER_MAX);
    print_status(refusal, retry_after_s, &body);
    prb_str_addf(&answer, "HTTP/1.1 %d %s\r\nContent-Type: application/json\r\n", refusal->status,
            refusal->phrase);
    if (retry_after_s > 0)
        prb_str_addf(&answer, "Retry-After: %d\r\n", retry_after_s);
    prb_str_addf(&answer, "Content-Length: %zu\r\n\r\n%s", body.len, prb_str_get(&body));
    return prb_tls_stream_write(client, answer.data, answer.len);
}

const char *prb_fault_expired_event(void)
{
    return "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\","
           "\"metadata\":{},\"status\":\"Failure\",\"message\":\"too old resource version: 1 "
           "(2)\",\"reason\":\"Expired\",\"code\":410}}\n";
}

bool prb_fault_answer_expired(struct prb_tls_stream *client)
{
    const char *event = prb_fault_expired_event();
    prb_auto(prb_str_done) struct prb_str answer;

    prb_str_init(&answer, ANSWER_MAX);
    prb_str_addf(&answer,
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            "Transfer-Encoding: chunked\r\n\r\n%zx\r\n%s\r\n0\r\n\r\n",
            strlen(event), event);
    return prb_tls_stream_write(client, answer.data, answer.len);
}

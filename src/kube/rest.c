/* How does one request go out and its answer come in? */

#include "rest.h"

#include <stdio.h>
#include <string.h>

#include "probate/base/log.h"

#include "metrics.h"
#include "status.h"

/* One attempt, as the callbacks of curl see it. */
struct attempt {
    const struct prb_kube_request *request;
    struct prb_kube_answer *answer;
    CURL *easy;    /* borrowed */
    bool repeated; /* curl wanted to send a write for a second time */
    char text[CURL_ERROR_SIZE];
};

void prb_kube_answer_init(struct prb_kube_answer *answer)
{
    *answer = (struct prb_kube_answer){ .status = 0 };
    prb_str_init(&answer->body, 0);
}

void prb_kube_answer_done(struct prb_kube_answer *answer)
{
    prb_str_done(&answer->body);
}

/* The part of a body that the decoder takes; curl ends the transfer where it is not taken. */
static size_t decode(struct attempt *attempt, const char *bytes, size_t len)
{
    struct prb_error *err = &attempt->answer->unreadable;

    if (prb_kube_decoder_feed(attempt->request->decoder, bytes, len, err) == 0)
        return len;
    attempt->answer->too_large = err->code == PRB_E_UNSUPPORTED;
    return 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct attempt *attempt = ctx;
    size_t len = size * count;
    long status = 0;

    (void)curl_easy_getinfo(attempt->easy, CURLINFO_RESPONSE_CODE, &status);
    if (attempt->request->decoder && status >= 200 && status < 300)
        return decode(attempt, bytes, len);
    prb_str_addn(&attempt->answer->body, bytes, len);
    attempt->answer->too_large = attempt->answer->body.cut;
    return attempt->answer->too_large ? 0 : len;
}

/*
 * Called when the connection is up and the request is about to be written. curl by itself sends a
 * request again when a kept connection turns out to be closed; the server may have carried out the
 * first one before it went, so for a write that is not allowed.
 */
/* NOLINTNEXTLINE(readability-non-const-parameter): as curl has it */
static int on_send(void *ctx, char *remote_ip, char *local_ip, int remote_port, int local_port)
{
    struct attempt *attempt = ctx;

    (void)remote_ip, (void)local_ip, (void)remote_port, (void)local_port;
    if (attempt->answer->sent && !attempt->request->repeatable) {
        attempt->repeated = true;
        return CURL_PREREQFUNC_ABORT;
    }
    attempt->answer->sent = true;
    return CURL_PREREQFUNC_OK;
}

static void set_method(CURL *easy, const struct prb_kube_request *request)
{
    (void)curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    if (request->body) {
        (void)curl_easy_setopt(
                easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(request->body));
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
    }
    if (request->compressed)
        (void)curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
}

static void set_callbacks(CURL *easy, struct attempt *attempt)
{
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEDATA, attempt);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_send);
    (void)curl_easy_setopt(easy, CURLOPT_PREREQDATA, attempt);
    (void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, attempt->text);
}

/* Failures before anything was sent that will be the same a second later. */
static bool is_hopeless(CURLcode code)
{
    return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_CERTPROBLEM ||
           code == CURLE_SSL_CACERT_BADFILE || code == CURLE_SSL_ISSUER_ERROR ||
           code == CURLE_URL_MALFORMAT || code == CURLE_UNSUPPORTED_PROTOCOL;
}

static int fail_transport(const struct prb_kube_endpoint *endpoint, const struct attempt *attempt,
        CURLcode code, struct prb_error *err)
{
    const char *text = *attempt->text ? attempt->text : curl_easy_strerror(code);
    long status = 0;

    if (attempt->answer->unreadable.code != PRB_OK) {
        (void)curl_easy_getinfo(attempt->easy, CURLINFO_RESPONSE_CODE, &status);
        *err = attempt->answer->unreadable;
        err->status = (int)status; /* the server did answer */
        attempt->answer->hopeless = true;
        return prb_wrap(err, "%s", endpoint->host);
    }
    if (attempt->answer->too_large)
        return prb_fail(err, PRB_E_UNSUPPORTED, "%s: the answer is longer than %zu bytes",
                endpoint->host, attempt->answer->body.max);
    if (attempt->repeated)
        return prb_fail(err, PRB_E_IO,
                "%s: the connection was closed after the request was sent; whether it was carried "
                "out is unknown",
                endpoint->host);
    attempt->answer->hopeless = is_hopeless(code);
    return prb_fail(err, PRB_E_IO, "%s: %s", endpoint->host, text);
}

static void read_head(CURL *easy, struct prb_kube_answer *answer)
{
    long status = 0;
    curl_off_t seconds = 0;

    (void)curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
    (void)curl_easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds);
    answer->status = (int)status;
    answer->retry_after_ms = prb_kube_retry_after_ms(seconds);
}

static int perform(const struct prb_kube_rest *rest, struct prb_kube_channel *channel,
        struct attempt *attempt, int64_t deadline_ms, struct prb_error *err)
{
    CURLcode code;
    int r = prb_kube_channels_run(rest->channels, channel, deadline_ms, &code, err);

    if (r == PRB_E_IO)
        return prb_wrap(err, "%s", rest->endpoint->host);
    if (r < 0)
        return r;
    if (code != CURLE_OK)
        return fail_transport(rest->endpoint, attempt, code, err);
    read_head(channel->easy, attempt->answer);
    return 0;
}

static void note(const struct prb_kube_rest *rest, const struct prb_kube_request *request,
        const struct prb_kube_answer *answer, int64_t ms)
{
    prb_kube_count_request(rest->endpoint->host, request->method, answer->status);
    prb_debug("api call", KV("verb", request->method), KV("path", request->path),
            KV_INT("status", answer->status), KV_INT("ms", ms));
}

int prb_kube_try(const struct prb_kube_rest *rest, const struct prb_kube_request *request,
        int64_t deadline_ms, struct prb_kube_answer *answer, struct prb_error *err)
{
    struct attempt attempt = { .request = request, .answer = answer };
    struct prb_kube_channel *channel;
    struct curl_slist *headers;
    int64_t start_ms = prb_kube_now_ms();
    int r;

    prb_kube_answer_done(answer);
    prb_kube_answer_init(answer);
    answer->body.max = PRB_KUBE_BODY_MAX;
    if (request->decoder)
        prb_kube_decoder_reset(request->decoder);
    r = prb_kube_channels_take(rest->channels, deadline_ms, &channel, err);
    if (r < 0)
        return r;

    headers = prb_kube_endpoint_headers(rest->endpoint,
            request->accept ? request->accept : "application/json", request->content_type, start_ms,
            &answer->generation);
    prb_kube_endpoint_prepare(rest->endpoint, channel->easy, request->path);
    (void)curl_easy_setopt(channel->easy, CURLOPT_HTTPHEADER, headers);
    attempt.easy = channel->easy;
    set_method(channel->easy, request);
    set_callbacks(channel->easy, &attempt);
    r = perform(rest, channel, &attempt, deadline_ms, err);
    prb_kube_channels_give(rest->channels, channel);
    prb_kube_headers_free(headers);

    note(rest, request, answer, prb_kube_now_ms() - start_ms);
    return r;
}

/* What does one watch ask for, and what does it make of the answer? */

#include "watch.h"

#include <string.h>

#include "probate/base/mem.h"
#include "probate/base/random.h"

#include "channel.h"
#include "status.h"
#include "url.h"
#include "watcher.h"

static int deliver(void *ctx, struct prb_kube_decoder *decoder, struct prb_error *err)
{
    struct prb_watch *watch = ctx;
    prb_auto(prb_kube_event_done) struct prb_kube_event event = { .object = NULL };
    bool known = false;
    int r = prb_kube_decoder_event(decoder, &event, &known, err);

    if (r < 0 || !known)
        return r;

    const struct prb_watch_event told = {
        .type = event.type,
        .object = event.object,
        .resource_version = event.resource_version,
    };

    watch->sink.event(watch->sink.ctx, &told);
    return 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *ctx)
{
    struct prb_watch *watch = ctx;
    size_t len = size * count;

    watch->heard_ms = prb_kube_now_ms();
    if (watch->status != 200) {
        prb_str_addn(&watch->refusal, bytes, len);
        return watch->refusal.cut ? 0 : len; /* a refusal without an end is none to wait for */
    }
    if (prb_kube_stream_feed(&watch->stream, bytes, len, deliver, watch, &watch->error) < 0)
        return 0; /* ends the transfer; the error is remembered */
    return len;
}

/* Each line of the head; an answer has begun, even if no event comes for a long time. */
/* NOLINTNEXTLINE(readability-non-const-parameter): as curl has it */
static size_t on_head(char *bytes, size_t size, size_t count, void *ctx)
{
    struct prb_watch *watch = ctx;
    long status = 0;

    (void)bytes;
    (void)curl_easy_getinfo(watch->easy, CURLINFO_RESPONSE_CODE, &status);
    watch->status = (int)status;
    watch->heard_ms = prb_kube_now_ms();
    return size * count;
}

static char *watch_path(
        const struct prb_gvr *gvr, const struct prb_watch_options *o, struct prb_error *err)
{
    prb_auto(prb_str_done) struct prb_str path;
    int64_t seconds = PRB_KUBE_WATCH_MIN_S +
                      (int64_t)prb_random_below(PRB_KUBE_WATCH_MAX_S - PRB_KUBE_WATCH_MIN_S + 1);

    prb_str_init(&path, PRB_KUBE_PATH_MAX);
    prb_kube_path_collection(&path, gvr, o->namespace);
    prb_kube_path_query(&path, "watch", "true");
    prb_kube_path_query(&path, "allowWatchBookmarks", "true");
    prb_kube_path_query_int(&path, "timeoutSeconds", seconds);
    prb_kube_path_query(&path, "resourceVersion", o->resource_version);
    prb_kube_path_query(&path, "labelSelector", o->label_selector);
    prb_kube_path_query(&path, "fieldSelector", o->field_selector);
    if (path.cut) {
        (void)prb_fail(err, PRB_E_INVALID, "the selector of the watch is too long for a URL");
        return NULL;
    }
    return prb_str_take(&path);
}

static void prepare(struct prb_watch *watch, const struct prb_kube_endpoint *endpoint)
{
    watch->headers =
            prb_kube_endpoint_headers(endpoint, prb_kube_accept_object(watch->depth.metadata_only),
                    NULL, prb_kube_now_ms(), &watch->generation);
    prb_kube_endpoint_prepare(endpoint, watch->easy, watch->path);
    (void)curl_easy_setopt(watch->easy, CURLOPT_HTTPHEADER, watch->headers);
    (void)curl_easy_setopt(watch->easy, CURLOPT_HEADERFUNCTION, on_head);
    (void)curl_easy_setopt(watch->easy, CURLOPT_HEADERDATA, watch);
    (void)curl_easy_setopt(watch->easy, CURLOPT_WRITEFUNCTION, on_body);
    (void)curl_easy_setopt(watch->easy, CURLOPT_WRITEDATA, watch);
    (void)curl_easy_setopt(watch->easy, CURLOPT_ERRORBUFFER, watch->text);
    (void)curl_easy_setopt(watch->easy, CURLOPT_PRIVATE, watch);
}

int prb_kube_watch_new(const struct prb_kube_endpoint *endpoint, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    static const struct prb_watch_options defaults = { .namespace = NULL };
    const struct prb_watch_options *o = options ? options : &defaults;
    prb_auto(prb_kube_watch_free) struct prb_watch *watch = prb_calloc(1, sizeof(*watch));

    prb_str_init(&watch->refusal, PRB_KUBE_REFUSAL_MAX);
    watch->sink = *sink;
    watch->depth.metadata_only = o->metadata_only;
    watch->depth.keep_managed_fields = o->keep_managed_fields;
    prb_kube_stream_init(&watch->stream, &watch->depth);
    watch->path = watch_path(gvr, o, err);
    if (!watch->path)
        return err->code;
    watch->easy = curl_easy_init();
    if (!watch->easy)
        abort(); /* out of memory, as prb_malloc */
    prepare(watch, endpoint);
    *ret = prb_take(watch);
    return 0;
}

void prb_kube_watch_free(struct prb_watch *watch)
{
    if (!watch)
        return;
    curl_easy_cleanup(watch->easy);
    prb_kube_headers_free(watch->headers);
    prb_kube_stream_done(&watch->stream);
    prb_str_done(&watch->refusal);
    free(watch->path);
    free(watch);
}

static int retry_after_ms(const struct prb_watch *watch)
{
    curl_off_t seconds = 0;

    (void)curl_easy_getinfo(watch->easy, CURLINFO_RETRY_AFTER, &seconds);
    return prb_kube_retry_after_ms(seconds);
}

void prb_kube_watch_explain(struct prb_watch *watch, const struct prb_kube_endpoint *endpoint,
        CURLcode code, struct prb_error *why)
{
    if (watch->error.code != PRB_OK) {
        *why = watch->error;
        if (why->status == 0) /* an event that cannot be read: the server did answer */
            why->status = watch->status;
    } else if (code != CURLE_OK && !watch->refusal.cut) {
        (void)prb_fail(why, PRB_E_IO, "%s: %s", endpoint->host,
                *watch->text ? watch->text : curl_easy_strerror(code));
    } else if (watch->status != 200) {
        (void)prb_kube_fail_answer(watch->status, retry_after_ms(watch),
                prb_str_get(&watch->refusal), watch->refusal.len, why);
    } else if (prb_kube_stream_is_cut(&watch->stream)) {
        (void)prb_fail(
                why, PRB_E_IO, "%s: the watch ended in the middle of an event", endpoint->host);
    } else {
        *why = (struct prb_error){ .code = PRB_OK };
    }
    if (why->code == PRB_E_UNAUTHORIZED) /* so that the next watch goes out with a new token */
        (void)prb_kube_auth_refresh(endpoint->auth, prb_kube_now_ms(), watch->generation);
}

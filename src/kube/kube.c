/* How do the parts make one implementation of the port? */

#include "probate/kube/kube.h"

#include <pthread.h>

#include "probate/base/mem.h"

#include "internal.h"

static pthread_once_t curl_once = PTHREAD_ONCE_INIT;
static CURLcode curl_code;

/* Not thread-safe in curl itself, and needed before any other call of it. */
static void start_curl(void)
{
    curl_code = curl_global_init(CURL_GLOBAL_ALL);
}

static int watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    return prb_kube_watcher_start(prb_kube_of(api)->watcher, gvr, options, sink, ret, err);
}

static void watch_stop(struct prb_api *api, struct prb_watch *running)
{
    prb_kube_watcher_stop(prb_kube_of(api)->watcher, running);
}

static int resolve(struct prb_api *api, const char *group, const char *name,
        struct prb_resource *ret, struct prb_error *err)
{
    return prb_kube_discovery_resolve(prb_kube_of(api)->discovery, group, name, ret, err);
}

static void forget(struct prb_api *api, const char *group)
{
    prb_kube_discovery_forget(prb_kube_of(api)->discovery, group);
}

static void interrupt(struct prb_api *api)
{
    prb_kube_channels_interrupt(prb_kube_of(api)->channels);
    prb_kube_watcher_interrupt(prb_kube_of(api)->watcher);
}

static void close_kube(struct prb_api *api)
{
    struct prb_kube *kube = prb_kube_of(api);

    prb_kube_watcher_free(kube->watcher);
    prb_kube_discovery_free(kube->discovery);
    prb_kube_channels_free(kube->channels);
    prb_kube_endpoint_free(kube->endpoint);
    free(kube);
}

static const struct prb_api_ops ops = {
    .get = prb_kube_get,
    .list = prb_kube_list,
    .watch = watch,
    .watch_stop = watch_stop,
    .create = prb_kube_create,
    .update = prb_kube_update,
    .patch = prb_kube_patch,
    .remove = prb_kube_remove,
    .resolve = resolve,
    .forget = forget,
    .may = prb_kube_may,
    .interrupt = interrupt,
    .close = close_kube,
};

int prb_kube_open(const struct prb_kube_config *config, const struct prb_kube_options *options,
        struct prb_api **ret, struct prb_error *err)
{
    int silence_ms = options && options->watch_silence_ms > 0 ? options->watch_silence_ms
                                                              : PRB_KUBE_WATCH_SILENCE_MS;
    struct prb_kube_endpoint *endpoint;
    struct prb_kube *kube;
    int r;

    (void)pthread_once(&curl_once, start_curl);
    if (curl_code != CURLE_OK)
        return prb_fail(
                err, PRB_E_INTERNAL, "curl does not start: %s", curl_easy_strerror(curl_code));
    r = prb_kube_endpoint_new(config, options, &endpoint, err);
    if (r < 0)
        return r;

    kube = prb_calloc(1, sizeof(*kube));
    kube->api.ops = &ops;
    kube->endpoint = endpoint;
    kube->channels = prb_kube_channels_new();
    kube->rest = (struct prb_kube_rest){ .endpoint = endpoint, .channels = kube->channels };
    kube->watcher = prb_kube_watcher_new(endpoint, silence_ms);
    kube->discovery = prb_kube_discovery_new(&kube->rest);
    *ret = &kube->api;
    return 0;
}

int prb_kube_version(struct prb_api *api, char *text, size_t size, struct prb_error *err)
{
    const struct prb_kube_request request = {
        .method = "GET",
        .path = "/version",
        .repeatable = true,
    };
    prb_auto(prb_kube_answer_done) struct prb_kube_answer answer;
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    const char *version;
    int r;

    prb_kube_answer_init(&answer);
    r = prb_kube_ask(&prb_kube_of(api)->rest, &request, &answer, err);
    if (r < 0)
        return r;
    if (prb_json_parse(prb_str_get(&answer.body), answer.body.len, NULL, &tree, err) < 0)
        return prb_fail(err, PRB_E_IO, "the server's version cannot be read: %s", err->msg);
    version = prb_json_str(tree, "gitVersion");
    if (!version || !prb_copy(text, size, version))
        return prb_fail(err, PRB_E_IO, "the server does not tell its version");
    return 0;
}

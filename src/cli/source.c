/* Which cluster is it: one in memory, or a real one? */

#include "source.h"

#include <stdlib.h>

#include "probate/base/clock.h"
#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/kube/kube.h"

#include "embedded.h"

/* How long a start tries to reach the API server: above a restart of it behind a load balancer,
 * below the patience of a person who gave the wrong address. */
#define CONNECT_MS 10000
#define CONNECT_PAUSE_MS 1000

/* "v1.31.2-eks-1a2b3c4" and the like. */
#define VERSION_SIZE 128

static void log_note(void *ctx, const char *text)
{
    (void)ctx;
    prb_warn("about the manifests", KV("note", text));
}

static const char *prefix(const struct prb_source_options *options)
{
    return options->prefix ? options->prefix : "";
}

/* Whatever is wrong with them, a folder that cannot be read included, is wrong input. */
static int wrong_manifests(const struct prb_source_options *options, struct prb_error *err)
{
    if (err->code != PRB_E_INTERNAL)
        err->code = PRB_E_INVALID;
    return prb_wrap(err, "--%sembedded", prefix(options));
}

static int open_hub(
        const struct prb_source_options *options, struct prb_source *ret, struct prb_error *err)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    int r;

    prb_info("loading the embedded hub", KV("dir", options->embedded));
    r = prb_hub_load(hub, options->embedded, log_note, NULL, err);
    if (r < 0)
        return wrong_manifests(options, err);
    prb_info("embedded hub loaded", KV_INT("objects", (int64_t)prb_hub_count(hub)));
    *ret = (struct prb_source){ .api = prb_hub_api_as(hub, PRB_EMBEDDED_USER),
        .namespace = prb_strdup(""),
        .server = prb_strdup(PRB_SOURCE_EMBEDDED) };
    ret->hub = prb_take(hub);
    return 0;
}

/* One question that every API server answers. What a person may not ask is an answer too. */
static int greet(struct prb_api *api, const char *server, struct prb_error *err)
{
    char version[VERSION_SIZE];
    int r = prb_kube_version(api, version, sizeof(version), err);

    if (r == PRB_E_FORBIDDEN)
        prb_info("connected; the server does not tell us its version", KV("server", server));
    else if (r == 0)
        prb_info("connected", KV("server", server), KV("version", version));
    return r == PRB_E_FORBIDDEN ? 0 : r;
}

/* The server was away for the whole time: say what it looked like. */
static int not_reached(const char *server, const struct prb_error *last, struct prb_error *err)
{
    prb_autofree char *why = prb_strdup(last->msg[0] ? last->msg : "no answer");

    return prb_fail(err, PRB_E_IO, "%s could not be reached within %d s: %s", server,
            CONNECT_MS / 1000, why);
}

static int connect_kube(struct prb_api *api, const char *server, struct prb_supervisor *supervisor,
        struct prb_error *err)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t last_try_ms = clock->mono_ms(clock) + CONNECT_MS - CONNECT_PAUSE_MS;
    struct prb_error last = { 0 };

    for (;;) {
        int r = greet(api, server, err);

        if (r == 0 || prb_supervisor_stopping(supervisor))
            return r;
        if (r == PRB_E_CANCELLED) /* the time was up during the call */
            return not_reached(server, &last, err);
        if (!prb_errc_is_transient(r))
            return r;
        last = *err;
        if (clock->mono_ms(clock) >= last_try_ms)
            return not_reached(server, &last, err);
        prb_warn("no answer yet, trying again", KV("server", server), KV("error", err->msg));
        (void)prb_supervisor_wait(supervisor, CONNECT_PAUSE_MS);
    }
}

static int open_kube(const struct prb_source_options *options, struct prb_supervisor *supervisor,
        struct prb_source *ret, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    int r;

    r = prb_kube_config_find(options->kubeconfig, options->context, &config, err);
    if (r < 0)
        return r;
    r = prb_kube_open(config, NULL, &api, err);
    if (r < 0)
        return r;

    /* Now that it is known to be a URL without a password in it. */
    prb_info("connecting", KV("server", config->server), KV("from", config->source));
    prb_supervisor_limit(supervisor, api, CONNECT_MS, true);
    r = connect_kube(api, config->server, supervisor, err);
    prb_supervisor_limit(supervisor, NULL, 0, false);
    if (r < 0)
        return r;
    *ret = (struct prb_source){ .api = prb_take(api),
        .namespace = prb_take(config->namespace),
        .server = prb_take(config->server) };
    return 0;
}

int prb_source_open(const struct prb_source_options *options, struct prb_supervisor *supervisor,
        struct prb_source *ret, struct prb_error *err)
{
    if (!options->embedded)
        return open_kube(options, supervisor, ret, err);
    if (options->kubeconfig || options->context)
        return prb_fail(err, PRB_E_INVALID, "--%sembedded and --%s%s exclude each other",
                prefix(options), prefix(options), options->kubeconfig ? "kubeconfig" : "context");
    return open_hub(options, ret, err);
}

void prb_source_close(struct prb_source *source)
{
    if (source->hub)
        prb_hub_free(source->hub);
    else
        prb_api_close(source->api);
    free(source->namespace);
    free(source->server);
    *source = (struct prb_source){ 0 };
}

/* Who watches what, and from where on? */

#include "watchers.h"

#include <stdint.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "fail.h"
#include "port.h"

void prb_hub_watch_free(struct prb_watch *watch)
{
    for (size_t i = watch->initial_at; i < watch->initial_count; i++)
        prb_object_unref(watch->initial[i]);
    free(watch->initial);
    prb_hub_filter_done(&watch->filter);
    free(watch);
}

uint64_t prb_hub_watches_need(const struct prb_hub *hub)
{
    uint64_t need = UINT64_MAX;

    for (const struct prb_watch *watch = hub->watches; watch; watch = watch->next) {
        if (!watch->closed && watch->seq < need)
            need = watch->seq;
    }
    return need;
}

void prb_hub_watches_end(struct prb_hub *hub, const struct prb_hub_kind *kind)
{
    for (struct prb_watch *watch = hub->watches; watch; watch = watch->next) {
        if (watch->kind == kind)
            watch->ending = true;
    }
    (void)pthread_cond_signal(&hub->wake);
}

/* Nothing more is told but the end. */
static void end_now(const struct prb_hub *hub, struct prb_watch *watch)
{
    while (watch->initial_at < watch->initial_count)
        prb_object_unref(watch->initial[watch->initial_at++]);
    watch->seq = prb_hub_log_end(&hub->log);
    watch->ending = true;
}

void prb_hub_watches_cancel(struct prb_hub *hub)
{
    for (struct prb_watch *watch = hub->watches; watch; watch = watch->next) {
        end_now(hub, watch);
        (void)prb_hub_cancelled(&watch->why);
    }
    (void)pthread_cond_signal(&hub->wake);
}

/* Where a watch starts: with what there is, or after a version that is still known. */
static int begin(
        struct prb_hub *hub, struct prb_watch *watch, const char *version, struct prb_error *err)
{
    int64_t start = 0;

    if (version && version[0] != '\0' && !prb_parse_int(version, 0, INT64_MAX, &start))
        return prb_hub_bad_request(
                err, "resourceVersion: Invalid value: \"%s\": it is no number", version);
    watch->start = (uint64_t)start;
    watch->seq = prb_hub_log_after(&hub->log, watch->start);
    if (start == 0) {
        watch->initial = prb_hub_filter_select(&watch->filter, watch->kind, &watch->initial_count);
        watch->start = hub->version;
        watch->seq = prb_hub_log_end(&hub->log);
    } else if (watch->start < hub->log.floor) {
        /* The API server accepts such a watch, and tells its end as the first event. */
        end_now(hub, watch);
        (void)prb_hub_gone(&watch->why, "too old resource version: %s (%llu)", version,
                (unsigned long long)hub->log.floor);
    }
    return 0;
}

static int open_watch(struct prb_hub *hub, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, struct prb_watch *watch, struct prb_error *err)
{
    bool in_namespace = options->namespace && options->namespace[0] != '\0';
    int r;

    watch->kind = prb_hub_kind_serving(hub->kinds, gvr);
    if (hub->interrupted)
        return prb_hub_cancelled(err);
    if (!watch->kind || (in_namespace && !watch->kind->resource.namespaced))
        return prb_hub_not_served(err);
    r = begin(hub, watch, options->resource_version, err);
    if (r == 0)
        r = prb_hub_notifier_start(hub, err);
    if (r < 0)
        return r;
    watch->next = hub->watches;
    hub->watches = watch;
    (void)pthread_cond_signal(&hub->wake);
    return 0;
}

int prb_hub_watch(struct prb_api *api, const struct prb_gvr *gvr,
        const struct prb_watch_options *options, const struct prb_watch_sink *sink,
        struct prb_watch **ret, struct prb_error *err)
{
    struct prb_hub *hub = prb_hub_of(api);
    struct prb_watch *watch = prb_calloc(1, sizeof(*watch));
    int r = prb_hub_filter_init(&watch->filter, options->namespace, options->label_selector,
            options->field_selector, err);

    if (r < 0) {
        prb_hub_watch_free(watch);
        return r;
    }
    watch->sink = *sink;
    watch->as.metadata_only = options->metadata_only;
    watch->as.drop_managed_fields = !options->keep_managed_fields;
    watch->heard_ms = prb_clock_system()->mono_ms(prb_clock_system());
    prb_api_version_format(gvr->group, gvr->version, watch->as.api_version);

    (void)pthread_mutex_lock(&hub->lock);
    r = open_watch(hub, gvr, options, watch, err);
    if (r == 0)
        *ret = watch; /* before a callback can need it */
    (void)pthread_mutex_unlock(&hub->lock);
    if (r < 0)
        prb_hub_watch_free(watch);
    return r;
}

void prb_hub_watch_stop(struct prb_api *api, struct prb_watch *watch)
{
    struct prb_hub *hub = prb_hub_of(api);
    struct prb_watch **at = &hub->watches;

    atomic_store(&watch->stopped, true);
    (void)pthread_mutex_lock(&hub->lock);
    while (watch->busy)
        (void)pthread_cond_wait(&hub->calm, &hub->lock);
    while (*at && *at != watch)
        at = &(*at)->next;
    if (*at)
        *at = watch->next;
    (void)pthread_mutex_unlock(&hub->lock);
    prb_hub_watch_free(watch);
}

/* What is a hub, from its making to its end? */

#include "probate/hub/hub.h"

#include <time.h>

#include "probate/base/mem.h"

#include "objects.h"
#include "port.h"
#include "retry.h"
#include "state.h"
#include "watchers.h"

/* Bookmarks as often as the API server sends them. */
#define BOOKMARK_MS 60000

/*
 * The first retry is for what goes away by itself, as a 503 does, or an object that was in the way
 * of another; doubled seven times it is what a person is told to expect: half a minute. The
 * namespace controller of Kubernetes goes up to one minute, its garbage collector to sixteen.
 */
#define RETRY_MIN_MS 250
#define RETRY_MAX_MS 30000

static void dependents_free(void *value)
{
    struct prb_hub_dependents *of = value;

    free(of->entries);
    free(of);
}

/* The notifier sleeps by the monotonic clock, for bookmarks are no matter of wall time. */
static void init_sync(struct prb_hub *hub)
{
    pthread_condattr_t monotonic;

    (void)pthread_mutex_init(&hub->lock, NULL);
    (void)pthread_condattr_init(&monotonic);
    (void)pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&hub->wake, &monotonic);
    (void)pthread_cond_init(&hub->due, &monotonic);
    (void)pthread_cond_init(&hub->calm, &monotonic);
    (void)pthread_condattr_destroy(&monotonic);
}

static struct prb_hub_port *add_port(struct prb_hub *hub, const char *user)
{
    struct prb_hub_port *port = prb_calloc(1, sizeof(*port));

    *port = (struct prb_hub_port){
        .api = { .ops = &prb_hub_ops }, .hub = hub, .user = prb_strdup(user), .next = hub->ports
    };
    hub->ports = port;
    return port;
}

static void free_ports(struct prb_hub *hub)
{
    while (hub->ports) {
        struct prb_hub_port *port = hub->ports;

        hub->ports = port->next;
        free(port->user);
        free(port);
    }
}

struct prb_hub *prb_hub_new(const struct prb_hub_options *options)
{
    struct prb_hub *hub = prb_calloc(1, sizeof(*hub));
    size_t log_max = options ? options->log_max : 0;
    int64_t min_ms = RETRY_MIN_MS;
    int64_t max_ms = options && options->retry_max_ms > 0 ? options->retry_max_ms : RETRY_MAX_MS;

    hub->own = &add_port(hub, PRB_HUB_USER)->api;
    hub->clock = options && options->clock ? options->clock : prb_clock_system();
    hub->bookmark_ms = options && options->bookmark_ms > 0 ? options->bookmark_ms : BOOKMARK_MS;
    hub->kinds = prb_hub_kinds_new();
    hub->by_uid = prb_map_new(NULL);
    hub->dependents = prb_map_new(dependents_free);
    prb_hub_log_init(&hub->log, log_max > 0 ? log_max : PRB_HUB_LOG_MAX);
    prb_hub_queue_init(&hub->queue, min_ms < max_ms ? min_ms : max_ms, max_ms);
    init_sync(hub);
    return hub;
}

void prb_hub_free(struct prb_hub *hub)
{
    if (!hub)
        return;
    prb_hub_retry_stop(hub);
    prb_hub_notifier_stop(hub);
    prb_hub_queue_done(&hub->queue);
    prb_hub_pages_done(&hub->pages);
    prb_hub_log_done(&hub->log);
    prb_map_free(hub->dependents);
    prb_map_free(hub->by_uid);
    prb_map_free(hub->kinds);
    (void)pthread_cond_destroy(&hub->calm);
    (void)pthread_cond_destroy(&hub->due);
    (void)pthread_cond_destroy(&hub->wake);
    (void)pthread_mutex_destroy(&hub->lock);
    free_ports(hub);
    free(hub);
}

struct prb_api *prb_hub_api(struct prb_hub *hub)
{
    return hub->own;
}

struct prb_api *prb_hub_api_as(struct prb_hub *hub, const char *user)
{
    struct prb_api *api;

    (void)pthread_mutex_lock(&hub->lock);
    api = &add_port(hub, user)->api;
    (void)pthread_mutex_unlock(&hub->lock);
    return api;
}

void prb_hub_set_admission(struct prb_hub *hub, prb_hub_admit_fn admit, void *ctx)
{
    (void)pthread_mutex_lock(&hub->lock);
    hub->admit = admit;
    hub->admit_ctx = ctx;
    while (hub->judging > 0)
        (void)pthread_cond_wait(&hub->calm, &hub->lock);
    (void)pthread_mutex_unlock(&hub->lock);
}

void prb_hub_set_access(struct prb_hub *hub, prb_hub_access_fn access, void *ctx)
{
    (void)pthread_mutex_lock(&hub->lock);
    hub->access = access;
    hub->access_ctx = ctx;
    (void)pthread_mutex_unlock(&hub->lock);
}

size_t prb_hub_count(struct prb_hub *hub)
{
    size_t count;

    (void)pthread_mutex_lock(&hub->lock);
    count = hub->count;
    (void)pthread_mutex_unlock(&hub->lock);
    return count;
}

/* A collection as it is told to the caller, who may call the hub. */
struct told {
    struct prb_resource resource;
    size_t count;
};

/* The collections to tell of; the array is the caller's. */
static struct told *collect_told(struct prb_hub *hub, size_t *ret_count)
{
    size_t all, count = 0;
    prb_autofree struct prb_hub_kind **kinds = prb_hub_kinds_sorted(hub->kinds, &all);
    struct told *told = prb_calloc(all + 1, sizeof(*told));

    for (size_t i = 0; i < all; i++) {
        size_t objects = kinds[i]->entries ? prb_map_count(kinds[i]->entries) : 0;

        if (kinds[i]->served && (kinds[i]->defined || objects > 0))
            told[count++] = (struct told){ .resource = kinds[i]->resource, .count = objects };
    }
    *ret_count = count;
    return told;
}

void prb_hub_each_resource(struct prb_hub *hub, prb_hub_resource_fn each, void *ctx)
{
    prb_autofree struct told *told = NULL;
    size_t count;

    (void)pthread_mutex_lock(&hub->lock);
    told = collect_told(hub, &count);
    (void)pthread_mutex_unlock(&hub->lock);
    for (size_t i = 0; i < count; i++)
        each(ctx, &told[i].resource, told[i].count);
}

/* How do the layers become one running control loop? */

#include "wiring.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/model/side.h"

#include "wiring_internal.h"

/* Notes, and then Events, that are still queued at the end are given this long to be written. */
#define FLUSH_MS 2000

#define HOST_SIZE 256    /* HOST_NAME_MAX is 64; a domain makes it longer */
#define WATCHES_MAX 4096 /* bytes of a list of collections in the log */

struct prb_wiring *prb_wiring_new(void)
{
    return prb_calloc(1, sizeof(struct prb_wiring));
}

static void log_controller(const struct prb_reconciler *reconciler)
{
    prb_auto(prb_str_done) struct prb_str watches;

    prb_str_init(&watches, WATCHES_MAX);
    for (size_t i = 0; i < reconciler->watch_count; i++)
        prb_str_addf(&watches, "%s%s%s", i > 0 ? ", " : "", reconciler->watches[i].resource,
                prb_side_is_hub(reconciler->watches[i].group) ? " on the hub" : "");
    prb_info("controller", KV("name", reconciler->name), KV("does", reconciler->summary),
            KV("watches", prb_str_get(&watches)));
}

/* Under a lease no write may outlast the third of it that is left to whoever loses it. */
static int call_timeout_ms(const struct prb_wiring_options *options)
{
    int64_t third_ms = options->lease_duration_ms / 3;

    return options->leader_elect && third_ms < PRB_API_TIMEOUT_MS ? (int)third_ms : 0;
}

/* Does it look at the hub, be that another server or the same? */
static bool looks_at_hub(const struct prb_reconciler *reconciler)
{
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        if (prb_side_is_hub(reconciler->watches[i].group))
            return true;
    }
    return false;
}

static struct prb_runner *new_runner(
        struct prb_wiring *wiring, const struct prb_reconciler *reconciler)
{
    bool both = looks_at_hub(reconciler);
    const struct prb_runner_options options = { .api = both ? wiring->options.sides : wiring->api,
        .informers = both ? wiring->side_informers : wiring->informers,
        .recorder = wiring->recorder,
        .workers = wiring->options.workers,
        .dry_run = wiring->options.dry_run,
        .call_timeout_ms = call_timeout_ms(&wiring->options),
        .until_ms = wiring->options.leader_elect ? &wiring->safe_until_ms : NULL };

    return prb_runner_new(reconciler, &options);
}

static void add_runners(struct prb_wiring *wiring)
{
    wiring->runners = prb_calloc(wiring->options.count, sizeof(struct prb_runner *));
    for (size_t i = 0; i < wiring->options.count; i++) {
        const struct prb_reconciler *reconciler = wiring->options.reconcilers[i];

        if (!wiring->options.chosen[i])
            continue;
        log_controller(reconciler);
        wiring->runners[wiring->runner_count++] = new_runner(wiring, reconciler);
    }
}

static void add_rule_store(struct prb_wiring *wiring, struct prb_store *store)
{
    for (size_t i = 0; i < wiring->rule_store_count; i++) {
        if (wiring->rule_stores[i] == store)
            return;
    }
    wiring->rule_stores = prb_realloc(
            wiring->rule_stores, wiring->rule_store_count + 1, sizeof(struct prb_store *));
    wiring->rule_stores[wiring->rule_store_count++] = store;
}

/* Rules look up what is cached, and ask live what the cache does not say. */
static void add_rule_watches(struct prb_wiring *wiring)
{
    const struct prb_judge *judge = wiring->options.judge;

    for (size_t i = 0; judge && i < judge->count; i++) {
        const struct prb_rule *rule = judge->entries[i].rule;

        for (size_t w = 0; w < rule->watch_count; w++)
            add_rule_store(wiring, prb_informer_store(prb_informers_add(
                                           wiring->informers, &rule->watches[w], NULL)));
    }
}

static int start_informers(struct prb_wiring *wiring, struct prb_error *err)
{
    int r = prb_informers_start(wiring->informers, err);

    return r < 0 || !wiring->side_informers ? r : prb_informers_start(wiring->side_informers, err);
}

int prb_wiring_start(struct prb_wiring *wiring, struct prb_api *api,
        const struct prb_wiring_options *options, struct prb_error *err)
{
    wiring->api = api;
    wiring->options = *options;
    wiring->informers = prb_informers_new(api, NULL);
    if (options->sides)
        wiring->side_informers = prb_informers_new_named(options->sides, NULL, "hub-informers");
    if (!options->dry_run) {
        wiring->recorder = prb_recorder_new(options->sides ? options->sides : api, "probate", NULL);
        wiring->notes = prb_notes_new(api, wiring->recorder, NULL);
    }
    add_runners(wiring);
    add_rule_watches(wiring);
    atomic_store(&wiring->role, options->leader_elect ? PRB_ROLE_STANDBY : PRB_ROLE_ALONE);
    atomic_store(&wiring->joined, true);
    return start_informers(wiring, err);
}

bool prb_wiring_wait_read(struct prb_wiring *wiring, int64_t ms)
{
    const struct prb_clock *clock = prb_clock_system();
    int64_t until_ms = clock->mono_ms(clock) + ms;

    if (!prb_informers_wait_synced(wiring->informers, ms))
        return false;
    return !wiring->side_informers ||
           prb_informers_wait_synced(wiring->side_informers, until_ms - clock->mono_ms(clock));
}

struct prb_view *prb_wiring_view(struct prb_wiring *wiring)
{
    const struct prb_clock *clock = prb_clock_system();

    return prb_view_open(wiring->rule_stores, wiring->rule_store_count, clock->wall_ms(clock));
}

static int start_runners(struct prb_wiring *wiring, struct prb_error *err)
{
    for (size_t i = 0; i < wiring->runner_count; i++) {
        int r = prb_runner_start(wiring->runners[i], err);

        if (r < 0)
            return r;
    }
    return 0;
}

static void stop_runners(struct prb_wiring *wiring)
{
    for (size_t i = 0; i < wiring->runner_count; i++)
        prb_runner_stop(wiring->runners[i]);
}

static void won(void *ctx)
{
    struct prb_wiring *wiring = ctx;
    struct prb_error err;

    atomic_store(&wiring->role, PRB_ROLE_LEADER);
    if (start_runners(wiring, &err) == 0)
        return;
    prb_log_error("controllers could not be started", KV("error", err.msg));
    atomic_store(&wiring->failed, true);
}

static void lost(void *ctx)
{
    struct prb_wiring *wiring = ctx;

    stop_runners(wiring);
    atomic_store(&wiring->role, PRB_ROLE_STANDBY);
}

/* Two processes on one machine are two candidates, and so is a process before and after a crash. */
static int start_election(struct prb_wiring *wiring, struct prb_error *err)
{
    char host[HOST_SIZE] = "", uuid[PRB_UUID_SIZE];
    prb_autofree char *identity = NULL;
    struct prb_lease_options options = { .namespace = wiring->options.lease_namespace,
        .name = wiring->options.lease_name,
        .duration_ms = wiring->options.lease_duration_ms,
        .safe_until_ms = &wiring->safe_until_ms,
        .won = won,
        .lost = lost,
        .ctx = wiring };

    (void)gethostname(host, sizeof(host) - 1);
    prb_random_uuid(uuid);
    identity = prb_asprintf("%s_%s", host, uuid);
    options.identity = identity;
    prb_info("waiting for the lease, to be the one that acts", KV("namespace", options.namespace),
            KV("lease", options.name), KV("identity", identity));
    return prb_lease_start(wiring->api, &options, &wiring->lease, err);
}

int prb_wiring_run(struct prb_wiring *wiring, struct prb_error *err)
{
    wiring->has_run = true;
    return wiring->options.leader_elect ? start_election(wiring, err) : start_runners(wiring, err);
}

bool prb_wiring_has_run(const struct prb_wiring *wiring)
{
    return wiring->has_run;
}

bool prb_wiring_acts(const struct prb_wiring *wiring)
{
    return atomic_load(&wiring->role) != PRB_ROLE_STANDBY && !atomic_load(&wiring->draining);
}

bool prb_wiring_failed(const struct prb_wiring *wiring)
{
    return atomic_load(&wiring->failed);
}

void prb_wiring_drain(struct prb_wiring *wiring)
{
    atomic_store(&wiring->draining, true);
}

void prb_wiring_stop(struct prb_wiring *wiring)
{
    prb_lease_stop(prb_take(wiring->lease)); /* ends the controllers before it lets go */
    stop_runners(wiring);
}

void prb_wiring_note(struct prb_wiring *wiring, const struct prb_note *notes, size_t count)
{
    prb_notes_add(wiring->notes, notes, count);
}

struct prb_recorder *prb_wiring_recorder(struct prb_wiring *wiring)
{
    return wiring->recorder;
}

void prb_wiring_flush(struct prb_wiring *wiring)
{
    if (wiring->notes)
        prb_notes_stop(wiring->notes, FLUSH_MS);
    if (wiring->recorder)
        prb_recorder_stop(wiring->recorder, FLUSH_MS);
}

void prb_wiring_free(struct prb_wiring *wiring)
{
    if (!wiring)
        return;
    if (atomic_load(&wiring->joined)) {
        /* A list that waits for a server which is away must not hold up the end. */
        prb_api_interrupt(wiring->options.sides ? wiring->options.sides : wiring->api);
        prb_informers_stop(wiring->informers);
        if (wiring->side_informers)
            prb_informers_stop(wiring->side_informers);
        for (size_t i = 0; i < wiring->runner_count; i++)
            prb_runner_free(wiring->runners[i]);
        prb_informers_free(wiring->informers);
        prb_informers_free(wiring->side_informers);
        prb_notes_close(wiring->notes);
        prb_recorder_free(wiring->recorder);
    }
    free(wiring->runners);
    free(wiring->rule_stores);
    free(wiring);
}

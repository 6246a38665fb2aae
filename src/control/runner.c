/* Who works on which key, and what follows from how it went? */

#include "probate/control/runner.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/metrics.h"
#include "probate/control/apply.h"

#include "runner_internal.h"

/* Enough that one slow write does not stop all others; a deletion is no race. */
#define WORKERS_DEFAULT 2

/* After a CONFLICT: about the time an event takes from the server into the cache. */
#define CONFLICT_MIN_MS 20

/* While the server is away all keys wait for the same, and should go on soon after it is back. The
 * workers, not the keys, bound how often it is tried meanwhile. */
#define AWAY_MAX_MS 15000

/* So many conflicts in a row (a third of a second of backoff) are no race any more, and told. */
#define CONFLICTS_QUIET 6

/* A collection that could not be read when a key was due: informers try at least every 30 s. */
#define UNREAD_AGAIN_MS 5000

static struct prb_metric reconciles_total = {
    .name = "probate_reconciles_total",
    .help = "Keys worked on, by controller and result.",
    .type = PRB_COUNTER,
    .labels = { "controller", "result" },
};

struct prb_runner *prb_runner_new(
        const struct prb_reconciler *reconciler, const struct prb_runner_options *options)
{
    struct prb_runner *runner = prb_calloc(1, sizeof(*runner));

    runner->reconciler = reconciler;
    runner->options = *options;
    if (!runner->options.clock)
        runner->options.clock = prb_clock_system();
    if (runner->options.workers <= 0)
        runner->options.workers = WORKERS_DEFAULT;
    runner->queue = prb_queue_new(reconciler->name, options->clock);
    prb_queue_shut_down(runner->queue);
    runner->waits = prb_waits_new(reconciler->name);
    runner->threads = prb_calloc((size_t)runner->options.workers, sizeof(pthread_t));
    atomic_init(&runner->stop, true);
    (void)pthread_mutex_init(&runner->life, NULL);
    runner->wanted = prb_runner_wanted_new(runner);
    prb_runner_watch_all(runner);
    return runner;
}

void prb_runner_free(struct prb_runner *runner)
{
    if (!runner)
        return;
    prb_runner_stop(runner);
    prb_wanted_free(runner->wanted);
    prb_queue_free(runner->queue);
    prb_waits_free(runner->waits);
    (void)pthread_mutex_destroy(&runner->life);
    free(runner->watches);
    free(runner->stores);
    free(runner->threads);
    free(runner);
}

static int64_t wall_ms(const struct prb_runner *runner)
{
    return runner->options.clock->wall_ms(runner->options.clock);
}

static void succeeded(struct prb_runner *runner, const char *key, const struct prb_changes *changes)
{
    prb_metric_add(&reconciles_total, 1, runner->reconciler->name, "success");
    prb_waits_set(runner->waits, key, changes->waits_for, wall_ms(runner));
    prb_queue_forget(runner->queue, key);
    if (changes->again_after_ms > 0)
        prb_queue_add_after(runner->queue, key, changes->again_after_ms);
}

/* A conflict is how a stale cache shows, and mends itself; the wait it interrupts goes on. */
static bool is_race(struct prb_runner *runner, const char *key, const struct prb_error *err)
{
    return err->code == PRB_E_CONFLICT && prb_queue_failures(runner->queue, key) < CONFLICTS_QUIET;
}

static void come_again(struct prb_runner *runner, const char *key, const struct prb_error *err)
{
    int64_t at_least = err->retry_after_ms;
    bool away = err->code == PRB_E_IO || err->code == PRB_E_UNAVAILABLE;

    if (err->code == PRB_E_CONFLICT && at_least < CONFLICT_MIN_MS)
        at_least = CONFLICT_MIN_MS;
    prb_queue_retry_within(
            runner->queue, key, at_least, away ? AWAY_MAX_MS : PRB_QUEUE_BACKOFF_MAX_MS);
}

static void failed(struct prb_runner *runner, const char *key, const struct prb_error *err)
{
    prb_metric_add(&reconciles_total, 1, runner->reconciler->name, prb_errc_name(err->code));
    if (err->code == PRB_E_CANCELLED || is_race(runner, key, err))
        prb_debug("will look again", KV("controller", runner->reconciler->name), KV("key", key),
                KV("error", err->msg));
    else if (prb_errc_is_transient(err->code))
        prb_waits_set_failed(runner->waits, key, err->msg, wall_ms(runner));
    else
        prb_waits_set_refused(runner->waits, key, err->msg, wall_ms(runner));
    come_again(runner, key, err);
}

static void decide(struct prb_runner *runner, const char *key, const struct prb_ref *ref,
        struct prb_changes *changes)
{
    prb_autofree char *refusal = prb_waits_refusal(runner->waits, key);
    prb_auto(prb_runner_look_done) struct prb_runner_look look = prb_runner_look(runner);

    prb_view_set_trouble(look.view, refusal);
    runner->reconciler->decide(runner->reconciler, look.view, ref, changes);
}

/* The first collection that must be known to decide anything, and is not; NULL when all are. */
static const struct prb_store *find_unread(const struct prb_runner *runner)
{
    for (size_t i = 0; i < runner->reconciler->watch_count; i++) {
        const struct prb_runner_watch *watch = &runner->watches[i];
        const struct prb_store *store = prb_informer_store(watch->informer);

        if (!watch->spec->optional && !prb_store_synced(store))
            return store;
    }
    return NULL;
}

/* What is not known must not pass for "nothing there": the key waits for it. */
static void put_off(struct prb_runner *runner, const char *key, const struct prb_store *unread)
{
    char text[PRB_GVR_TEXT_SIZE + 64], name[PRB_GVR_TEXT_SIZE];

    prb_gvr_format(prb_store_gvr(unread), name);
    (void)snprintf(text, sizeof(text), "%s cannot be read yet, or is not installed", name);
    prb_waits_set(runner->waits, key, text, wall_ms(runner));
    prb_queue_add_after(runner->queue, key, UNREAD_AGAIN_MS);
}

static void work_on(struct prb_runner *runner, const char *key)
{
    const struct prb_store *unread = find_unread(runner);
    prb_auto(prb_changes_done) struct prb_changes changes;
    struct prb_apply_options options = {
        .dry_run = runner->options.dry_run,
        .controller = runner->reconciler->name,
        .timeout_ms = runner->options.call_timeout_ms,
        .stop = &runner->stop,
        .until_ms = runner->options.until_ms,
        .clock = runner->options.clock,
    };
    struct prb_error err;
    struct prb_ref ref;

    prb_changes_init(&changes);
    if (unread) {
        put_off(runner, key, unread);
        return;
    }
    if (!prb_ref_parse(key, &ref))
        return; /* cannot be: keys are made from refs */
    decide(runner, key, &ref, &changes);
    if (prb_apply(runner->options.api, runner->options.recorder, &changes, &options, &err) == 0)
        succeeded(runner, key, &changes);
    else
        failed(runner, key, &err);
}

static void *worker_thread(void *arg)
{
    struct prb_runner *runner = arg;
    char *key;

    while ((key = prb_queue_take(runner->queue))) {
        work_on(runner, key);
        prb_queue_finish(runner->queue, key);
        free(key);
    }
    return NULL;
}

/* With `life` locked. */
static void stop_workers(struct prb_runner *runner)
{
    atomic_store(&runner->stop, true);
    if (runner->wanted)
        prb_wanted_stop(runner->wanted);
    prb_queue_shut_down(runner->queue);
    while (runner->thread_count > 0)
        (void)pthread_join(runner->threads[--runner->thread_count], NULL);
    prb_waits_clear(runner->waits);
    runner->running = false;
}

/* With `life` locked. */
static int start_workers(struct prb_runner *runner, struct prb_error *err)
{
    /* Open first, then look at all: what changes meanwhile is heard of, at worst twice. */
    runner->running = true;
    atomic_store(&runner->stop, false);
    prb_queue_reopen(runner->queue);
    prb_runner_enqueue_all(runner);
    if (runner->wanted && prb_wanted_start(runner->wanted, err) < 0) {
        stop_workers(runner);
        return err->code;
    }
    for (; runner->thread_count < runner->options.workers; runner->thread_count++) {
        if (pthread_create(&runner->threads[runner->thread_count], NULL, worker_thread, runner)) {
            stop_workers(runner);
            return prb_fail(err, PRB_E_INTERNAL, "cannot start a worker thread");
        }
    }
    return 0;
}

int prb_runner_start(struct prb_runner *runner, struct prb_error *err)
{
    int r = 0;

    (void)pthread_mutex_lock(&runner->life);
    if (!runner->running)
        r = start_workers(runner, err);
    (void)pthread_mutex_unlock(&runner->life);
    return r;
}

void prb_runner_stop(struct prb_runner *runner)
{
    (void)pthread_mutex_lock(&runner->life);
    if (runner->running)
        stop_workers(runner);
    (void)pthread_mutex_unlock(&runner->life);
}

bool prb_runner_idle(struct prb_runner *runner)
{
    return prb_queue_idle(runner->queue);
}

void prb_runner_poke(struct prb_runner *runner)
{
    prb_queue_poke(runner->queue);
    if (runner->wanted)
        prb_wanted_poke(runner->wanted);
}

void prb_runner_enqueue(struct prb_runner *runner, const struct prb_ref *key)
{
    char text[PRB_REF_TEXT_SIZE];

    prb_ref_format(key, text);
    prb_queue_add(runner->queue, text);
}

/* What prb_runner_each_wait was called with. */
struct asker {
    const char *controller;
    void (*each)(void *ctx, const char *controller, const struct prb_ref *key,
            const char *waits_for, int64_t since_ms);
    void *ctx;
};

static void tell(void *ctx, const char *key, const char *text, int64_t since_ms)
{
    const struct asker *asker = ctx;
    struct prb_ref ref;

    if (prb_ref_parse(key, &ref))
        asker->each(asker->ctx, asker->controller, &ref, text, since_ms);
}

void prb_runner_each_wait(struct prb_runner *runner,
        void (*each)(void *ctx, const char *controller, const struct prb_ref *key,
                const char *waits_for, int64_t since_ms),
        void *ctx)
{
    struct asker asker = { .controller = runner->reconciler->name, .each = each, .ctx = ctx };

    prb_waits_each(runner->waits, tell, &asker);
}

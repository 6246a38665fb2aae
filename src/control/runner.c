/* Who works on keys, from when to when? */

#include "probate/control/runner.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "probate/base/mem.h"

#include "runner_internal.h"

/* Enough that one slow write does not stop all others; a deletion is no race. */
#define WORKERS_DEFAULT 2

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
    runner->memory = prb_memory_new();
    runner->echoes = prb_memory_new();
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
    prb_memory_free(runner->memory);
    prb_memory_free(runner->echoes);
    (void)pthread_mutex_destroy(&runner->life);
    free(runner->watches);
    free(runner->stores);
    free(runner->threads);
    free(runner);
}

static void *worker_thread(void *arg)
{
    struct prb_runner *runner = arg;
    char *key;

    while ((key = prb_queue_take(runner->queue))) {
        prb_runner_work_on(runner, key);
        prb_queue_finish(runner->queue, key);
        free(key);
    }
    return NULL;
}

/* With `life` locked. */
static void stop_workers(struct prb_runner *runner)
{
    struct prb_error ignored;

    atomic_store(&runner->stop, true);
    if (runner->wanted)
        prb_wanted_stop(runner->wanted);
    (void)prb_runner_switch_namespaces(runner, false, &ignored); /* switching off cannot fail */
    prb_queue_shut_down(runner->queue);
    while (runner->thread_count > 0)
        (void)pthread_join(runner->threads[--runner->thread_count], NULL);
    prb_waits_clear(runner->waits);

    /* While others lead they change what it was about. */
    prb_memory_clear(runner->memory);
    prb_memory_clear(runner->echoes);
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
    if ((runner->wanted && prb_wanted_start(runner->wanted, err) < 0) ||
            prb_runner_switch_namespaces(runner, true, err) < 0) {
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

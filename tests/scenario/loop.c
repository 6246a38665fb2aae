/* How are informers, runner and lease put together? */

#include "loop.h"

#include <stdio.h>

#include "support/informers.h"
#include "support/wait.h"

static int start_runner(struct loop *loop, struct prb_error *err)
{
    if (!prb_test_await_synced(loop->informers, PRB_TEST_SOON_MS))
        return prb_fail(err, PRB_E_UNAVAILABLE, "%s", prb_test_awaited());
    return prb_runner_start(loop->runner, err);
}

static void won(void *ctx)
{
    struct prb_error err;

    if (start_runner(ctx, &err) < 0)
        (void)fprintf(stderr, "the leader cannot work: %s\n", err.msg);
}

static void lost(void *ctx)
{
    struct loop *loop = ctx;

    prb_runner_stop(loop->runner);
}

static int compete(struct loop *loop, const struct loop_options *options, struct prb_error *err)
{
    const struct prb_lease_options lease = { .namespace = options->lease_ns,
        .name = options->lease,
        .identity = options->identity,
        .duration_ms = options->lease_duration_ms,
        .won = won,
        .lost = lost,
        .ctx = loop };

    return prb_lease_start(options->api, &lease, &loop->lease, err);
}

int loop_start(struct loop *loop, const struct loop_options *options, struct prb_error *err)
{
    struct prb_runner_options runner;

    *loop = (struct loop){ .lease = NULL };
    twin_init(&loop->twin, options->world);
    loop->informers = prb_informers_new(options->api, NULL);
    runner = (struct prb_runner_options){ .api = options->api,
        .informers = loop->informers,
        .workers = options->workers,
        .call_timeout_ms = options->call_timeout_ms };
    loop->runner = prb_runner_new(&loop->twin.reconciler, &runner);
    if (prb_informers_start(loop->informers, err) < 0)
        return err->code;
    return options->lease_ns ? compete(loop, options, err) : start_runner(loop, err);
}

void loop_stop(struct loop *loop)
{
    prb_lease_stop(loop->lease);
    if (loop->runner)
        prb_runner_stop(loop->runner);
    if (loop->informers)
        prb_informers_stop(loop->informers);
    prb_runner_free(loop->runner);
    prb_informers_free(loop->informers);
    *loop = (struct loop){ .lease = NULL };
}

static void add_count(void *ctx, struct prb_informer *informer)
{
    size_t *count = ctx;

    *count += prb_store_count(prb_informer_store(informer));
}

size_t loop_cached(struct loop *loop)
{
    size_t count = 0;

    prb_informers_each(loop->informers, add_count, &count);
    return count;
}

static void add_connected(void *ctx, struct prb_informer *informer)
{
    struct prb_informer_state state;

    prb_informer_state(informer, &state);
    *(bool *)ctx = *(bool *)ctx || state.connected;
}

bool loop_is_cut(void *loop)
{
    const struct loop *of = loop;
    bool connected = false;

    prb_informers_each(of->informers, add_connected, &connected);
    return !connected;
}

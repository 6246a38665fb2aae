/* A reconciler on strings. */

#include "rounds_world.h"

#include <unity.h>

#include "support/informers.h"
#include "support/wait.h"

struct rounds_world rounds;

/* The key that shows that a worker has got this far. */
#define PROBE "probe"

static void decide(const struct prb_reconciler *self, const struct prb_view *view,
        const struct prb_ref *key, struct prb_changes *out)
{
    (void)self;
    if (prb_streq(key->name, PROBE))
        atomic_fetch_add(&rounds.probes, 1);
    else
        atomic_load (&rounds.script)(view, key, atomic_fetch_add(&rounds.decisions, 1), out);
}

static const struct prb_watch_spec watches[] = {
    { .group = "", .version = "v1", .resource = "secrets" },
};

static const struct prb_reconciler reconciler = {
    .name = "rounds",
    .summary = "for tests",
    .watches = watches,
    .watch_count = sizeof(watches) / sizeof(watches[0]),
    .decide = decide,
};

void rounds_init(rounds_script script, int workers, bool dry_run)
{
    struct prb_runner_options options = {
        .api = &world.port.api,
        .clock = &world.clock.clock,
        .workers = workers,
        .dry_run = dry_run,
        .until_ms = &rounds.until_ms,
    };

    atomic_store(&rounds.script, script);
    atomic_store(&rounds.decisions, 0);
    atomic_store(&rounds.probes, 0);
    atomic_store(&rounds.until_ms, INT64_MAX);
    rounds.informers = prb_informers_new(&world.port.api, NULL);
    options.informers = rounds.informers;
    rounds.runner = prb_runner_new(&reconciler, &options);
}

void rounds_done(void)
{
    prb_informers_stop(rounds.informers);
    prb_runner_free(rounds.runner);
    prb_informers_free(rounds.informers);
}

bool rounds_start(void)
{
    /* The watch may begin after that, and must not come between the calls that are counted. */
    return prb_informers_start(rounds.informers, &rounds.err) == 0 &&
           prb_test_await_synced(rounds.informers, PRB_TEST_SOON_MS) &&
           fault_port_wait(&world.port, "watch secrets", 1) &&
           prb_runner_start(rounds.runner, &rounds.err) == 0;
}

static void enqueue(const char *name)
{
    struct prb_ref key = ref_of("configmaps", "ns", name);

    prb_runner_enqueue(rounds.runner, &key);
}

static bool has_probed(void *ctx)
{
    int probes = atomic_load(&rounds.probes);

    return probes > *(int *)ctx ||
           prb_test_saw("%d probes, %d decisions", probes, atomic_load(&rounds.decisions));
}

static void flush(void)
{
    /* What was delayed is lined up when the first probe is taken, and so done before the second. */
    for (int i = 0; i < 2; i++) {
        int before = atomic_load(&rounds.probes);

        enqueue(PROBE);
        TEST_ASSERT_AWAIT("a worker takes the probe", has_probed, &before);
    }
}

void rounds_look(const char *name)
{
    enqueue(name);
    flush();
}

static bool rests(void *ctx)
{
    return prb_runner_idle(ctx) || prb_test_saw("%d decisions", atomic_load(&rounds.decisions));
}

void rounds_await_rest(void)
{
    TEST_ASSERT_AWAIT("the runner has nothing to do", rests, rounds.runner);
}

static bool has_begun(void *ctx)
{
    (void)ctx;
    return atomic_load(&rounds.decisions) > 0;
}

void rounds_await_begin(void)
{
    TEST_ASSERT_AWAIT("a worker decides something", has_begun, NULL);
}

void rounds_advance(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
    prb_runner_poke(rounds.runner);
    flush();
}

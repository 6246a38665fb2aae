/* A reconciler on strings. */

#include "rounds_world.h"

#include <sched.h>

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
           prb_informers_wait_synced(rounds.informers, 60000) &&
           fault_port_wait(&world.port, "watch secrets", 1) &&
           prb_runner_start(rounds.runner, &rounds.err) == 0;
}

static void enqueue(const char *name)
{
    struct prb_ref key = ref_of("configmaps", "ns", name);

    prb_runner_enqueue(rounds.runner, &key);
}

/* Meson ends a test that waits in vain. */
static void flush(void)
{
    /* What was delayed is lined up when the first probe is taken, and so done before the second. */
    for (int i = 0; i < 2; i++) {
        int before = atomic_load(&rounds.probes);

        enqueue(PROBE);
        while (atomic_load(&rounds.probes) == before)
            (void)sched_yield();
    }
}

void rounds_look(const char *name)
{
    enqueue(name);
    flush();
}

void rounds_await_rest(void)
{
    while (!prb_runner_idle(rounds.runner))
        (void)sched_yield();
}

void rounds_advance(int64_t ms)
{
    prb_fake_clock_advance(&world.clock, ms);
    prb_runner_poke(rounds.runner);
    flush();
}

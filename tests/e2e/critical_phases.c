/* How does each phase of the CriticalServices begin? */

#include "critical.h"

/* What no CriticalService may be: refused by Probate, as soon as it is asked. */
#define PROBED                                                                                  \
    CRITICAL_OF("probe",                                                                        \
            "'provider':{'group':'apps','resource':'statefulsets','namespace':'n','name':'n'}", \
            THE_FINALIZER)
#define PROBE                                                           \
    {                                                                   \
        .run = "create --dry-run=server", .input = PROBED, .code = 422, \
        .fields = "spec.provider.resource", .until = true               \
    }

static bool run_unasked(struct bench *bench)
{
    return bench_start(bench, DENYING);
}

static bool guard(struct bench *bench)
{
    return bench_register(bench, DENYING, NULL);
}

/* The group comes with what is given: the rows need nothing more. */
static bool go_on(struct bench *bench)
{
    (void)bench;
    return true;
}

/* The configuration is there as before, and lacks just this rule. */
static bool unregister(struct bench *bench)
{
    return bench_register(bench, DENYING, "manifestwork-orphan");
}

/* Through the proxy, which counts; and no other that it could be taken for. */
static bool load(struct bench *bench)
{
    return bench_stop(bench) && bench_start(bench, CUT_OFF) && bench_register(bench, CUT_OFF, NULL);
}

/* All that the rows of the dead rely on; where none of them is run, that is nothing. */
static bool settle(struct bench *bench)
{
    return bench_kubectl(bench,
                   "wait --for=condition=Protected --timeout=60s criticalservice -l phase=dead",
                   NULL) ||
           strstr(bench->why, "no matching resources");
}

/* What it protects is protected before it dies. */
static bool die(struct bench *bench)
{
    bool loaded = bench->programs[CUT_OFF].pid != 0;

    return bench_register(bench, loaded ? CUT_OFF : DENYING, NULL) && settle(bench) &&
           bench_stop(bench);
}

static void run_guarded_tests(struct bench *bench)
{
    run_critical_moment_tests(bench);
    run_critical_size_tests(bench);
    run_critical_held_tests(bench);
    run_critical_notes_tests(bench);
}

const struct plan critical_phases[CRITICAL_PHASE_COUNT] = {
    {
            .title = "Probate runs, and is not registered",
            .phase = UNGUARDED,
            .sanitized = true,
            .prepare = run_unasked,
    },
    {
            .title = "Probate guards what came before it",
            .phase = GUARDED,
            .sanitized = true,
            .prepare = guard,
            .probe = PROBE,
            .also = run_guarded_tests,
    },
    {
            .title = "nobody answers for an API group",
            .phase = HALF_SERVED,
            .prepare = go_on,
    },
    {
            .title = "CriticalServices are not served for a while",
            .phase = UNSERVED,
            .prepare = go_on,
    },
    {
            .title = "the schema of CriticalServices lacks criteria for a while",
            .phase = CUT,
            .prepare = go_on,
    },
    {
            .title = "Probate is registered for another rule",
            .phase = UNREGISTERED,
            .sanitized = true,
            .prepare = unregister,
    },
    {
            .title = "many objects of the guarded resource",
            .phase = LOADED,
            .prepare = load,
            .probe = PROBE,
            .also = run_critical_load_tests,
    },
    {
            .title = "Probate is registered, and dead",
            .phase = DEAD,
            .sanitized = true,
            .prepare = die,
            .probe = { .run = "create --dry-run=server",
                    .input = PROBED,
                    .code = 500,
                    .says = { "connection refused" },
                    .until = true },
    },
};

/*
 * What does a person with kubectl see of CriticalServices on a real API server?
 *
 *     test_critical PROGRAM FOLDER-OF-CRDS [PART-OF-A-ROW'S-NAME]
 *
 * Probate is registered with exactly what `probate manifest webhook` prints, and has exactly the
 * rights that `probate manifest rbac` prints. The control plane is its own, in the folder
 * $PROBATE_TEST_E2E_DIR. With a sanitizer ($PROBATE_TEST_LANE) only about a tenth of the rows is
 * run.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"

#include "critical.h"
#include "run.h"

static const struct rows *const groups[] = { &critical_rows_delete, &critical_rows_resource,
    &critical_rows_provider, &critical_rows_deadlock, &critical_rows_release, &critical_rows_label,
    &critical_rows_machine, &critical_rows_write, &critical_rows_status, &critical_rows_trouble,
    NULL };

static struct bench bench = { .criteria = critical_criteria };
static struct run_options options = { .groups = groups };
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_control_plane_comes_up(void)
{
    is_up = bench_open(&bench) && critical_define(&bench);
    /* What kubectl leaves there, of an edit that was refused, goes with the rest; and to this folder
     * Probate can go, too.
     * NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setenv("TMPDIR", bench.dir, 1);
    TEST_ASSERT_TRUE_MESSAGE(is_up, bench.why);
}

static void test_every_probate_ends_in_good_order(void)
{
    TEST_ASSERT_TRUE_MESSAGE(bench_stop(&bench), bench.why);
}

static bool read_arguments(int argc, char **argv)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    if (argc < 3)
        return false;
    program_path = argv[1];
    bench.crds = argv[2];
    bench.cluster = getenv("PROBATE_TEST_E2E_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    options.only = argc > 3 ? argv[3] : NULL;
    options.sanitized = lane && !prb_streq(lane, "normal");
    return bench.cluster != NULL;
}

int main(int argc, char **argv)
{
    int failures;

    if (!read_arguments(argc, argv)) {
        (void)fprintf(stderr, "PROBATE_TEST_E2E_DIR or an argument is missing\n");
        return 2;
    }
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    /* Who edits takes the label out. NOLINTNEXTLINE(concurrency-mt-unsafe) */
    (void)setenv("KUBE_EDITOR", "sed -i /probate.dev.protected/d", 1);
    UNITY_BEGIN();
    RUN_TEST(test_a_control_plane_comes_up);
    for (size_t i = 0; i < CRITICAL_PHASE_COUNT && is_up; i++) {
        if (!options.sanitized || critical_phases[i].sanitized)
            run_phase(&bench, &critical_phases[i], &options);
    }
    RUN_TEST(test_every_probate_ends_in_good_order);
    if (is_up)
        prb_test_table_expect(options.only);
    bench_close(&bench);
    failures = UNITY_END();
    return failures;
}

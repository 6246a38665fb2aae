/*
 * What does a person with kubectl see of Probate, registered with failurePolicy Fail on a real API
 * server?
 *
 *     test_e2e PROGRAM FOLDER-OF-CRDS FOLDER-OF-THE-ORIGINALS [PART-OF-A-ROW'S-NAME]
 *
 * The control plane is its own, in the folder $PROBATE_TEST_E2E_DIR. With a sanitizer
 * ($PROBATE_TEST_LANE) only about a tenth of the rows is run: it is Probate that is looked at then,
 * and all is slow.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"

#include "rows.h"
#include "run.h"

static const struct rows *const groups[] = { &rows_cluster, &rows_addon, &rows_definitions,
    &rows_orphan, &rows_idle, &rows_frozen, &rows_stored, &rows_policy, &rows_claim, &rows_request,
    &rows_mode, &rows_trouble, NULL };

static struct bench bench;
static struct run_options options = { .groups = groups };
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
}

static bool is_wanted(const struct plan *plan)
{
    if (plan->phase == ORIGINAL && !bench.originals) {
        printf("\n== the original definitions are not at hand\n");
        return false;
    }
    return !options.sanitized || plan->sanitized;
}

static void test_a_control_plane_comes_up(void)
{
    is_up = bench_open(&bench) && bench_define(&bench);
    TEST_ASSERT_TRUE_MESSAGE(is_up, bench.why);
}

static void test_every_probate_ends_in_good_order(void)
{
    TEST_ASSERT_TRUE_MESSAGE(bench_stop(&bench), bench.why);
}

static void read_arguments(int argc, char **argv)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    program_path = argv[1];
    bench.crds = argv[2];
    bench.originals = access(argv[3], R_OK) == 0 ? argv[3] : NULL;
    bench.cluster = getenv("PROBATE_TEST_E2E_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    options.only = argc > 4 ? argv[4] : NULL;
    options.sanitized = lane && !prb_streq(lane, "normal");
}

int main(int argc, char **argv)
{
    int failures;

    if (argc < 4)
        return 2;
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    read_arguments(argc, argv);
    if (!bench.cluster) {
        (void)fprintf(stderr, "PROBATE_TEST_E2E_DIR names no folder\n");
        return 2;
    }
    UNITY_BEGIN();
    RUN_TEST(test_a_control_plane_comes_up);
    for (size_t i = 0; i < PHASE_COUNT && is_up; i++) {
        if (is_wanted(&phases[i]))
            run_phase(&bench, &phases[i], &options);
    }
    RUN_TEST(test_every_probate_ends_in_good_order);
    if (is_up)
        prb_test_table_expect(options.only);
    bench_close(&bench);
    failures = UNITY_END();
    return failures;
}

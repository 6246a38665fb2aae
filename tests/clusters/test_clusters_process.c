/*
 * Does the real `probate serve` bring deletions of clusters to their end, many at once and killed
 * again and again?
 *
 *     test_clusters_process PROGRAM FOLDER-OF-CRDS both|storm|kills CLUSTERS KILLS
 *
 * With a sanitizer ($PROBATE_TEST_LANE) a tenth of both. The moments of the kills are chosen by a
 * seed that is printed; $PROBATE_TEST_SEED chooses the same again. The control plane is its own, in
 * the folder $PROBATE_TEST_CLUSTERS_DIR; there Probate has the rights that the chart gives it, and
 * the administrator's kubeconfig is closed to it.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "kills.h"
#include "storm.h"
#include "support/cluster.h"

/* Deletions for each kill: 20 for 8. */
#define DELETIONS(kills) (((kills)*20 + 7) / 8)

static struct target target;
static struct process process = { .target = &target };
static struct prb_kube_config *config;
static const char *dir, *crds;
static char *admin; /* owned: path of the administrator's kubeconfig */
static int64_t clusters, kills, seed;
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
    program_done(&process.program);
}

static int open_target(struct prb_error *err)
{
    (void)prb_test_cluster_do(dir, "down", err); /* of a run that was itself killed */
    if (prb_test_cluster_do(dir, "up", err) < 0 ||
            prb_test_cluster_config_in(dir, &config, err) < 0 ||
            target_open(&target, config, err) < 0)
        return -1;
    target.crds = crds;
    admin = prb_asprintf("%s/hub/kubeconfig", dir);
    return target_define_monitored(&target, err) < 0 || target_define(&target, ADDON, err) < 0 ||
                           target_define(&target, WORK, err) < 0 ||
                           target_define(&target, CLUSTER, err) < 0 ||
                           target_watch(&target, err) < 0 || process_open(&process, admin, err) < 0
                   ? -1
                   : 0;
}

static void test_a_control_plane_comes_up(void)
{
    struct prb_error err = { .msg = "" };

    is_up = open_target(&err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
}

static void test_many_clusters_are_deleted_at_once(void)
{
    prb_auto(crowd_done) struct crowd crowd;
    char why[PRB_TEST_WHY_SIZE] = "";
    int64_t ms;

    crowd_init(&crowd, &target, (size_t)clusters);
    process_start_to_stay(&process);
    ASSERT_READY(&process.program);
    ASSERT_CONFINED(&process.account, process.program.pid);
    storm_play(&crowd, why);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, agents_robbed(target.agents));
    TEST_ASSERT_EQUAL(0, program_end(&process.program, SIGTERM, &ms)); /* the lease is free */
}

static void test_a_probate_that_is_killed_carries_on(void)
{
    struct kills played = {
        .process = &process, .count = (size_t)kills, .dice = (uint64_t)seed * 2654435761U + 1
    };
    prb_auto(crowd_done) struct crowd crowd;
    char why[PRB_TEST_WHY_SIZE] = "";
    int64_t ms;

    crowd_init(&crowd, &target, (size_t)DELETIONS(kills));
    process_start(&process);
    ASSERT_READY(&process.program);
    ASSERT_CONFINED(&process.account, process.program.pid);
    kills_play(&played, &crowd, why);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, agents_robbed(target.agents));
    TEST_ASSERT_EQUAL(0, program_end(&process.program, SIGTERM, &ms));
}

static bool read_arguments(int argc, char **argv)
{
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */
    const char *lane = getenv("PROBATE_TEST_LANE");  /* NOLINT(concurrency-mt-unsafe) */

    dir = getenv("PROBATE_TEST_CLUSTERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    if (argc < 6 || !dir || !prb_parse_int(argv[4], 1, 10000, &clusters) ||
            !prb_parse_int(argv[5], 1, 10000, &kills))
        return false;
    seed = (int64_t)prb_random_below(UINT32_MAX);
    if (given && !prb_parse_int(given, 0, UINT32_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    printf("PROBATE_TEST_SEED=%lld chooses the same moments again\n", (long long)seed);
    if (lane && !prb_streq(lane, "normal")) {
        clusters = (clusters + 9) / 10;
        kills = (kills + 9) / 10;
    }
    program_path = argv[1];
    crds = argv[2];
    return true;
}

int main(int argc, char **argv)
{
    struct prb_error err;

    if (!read_arguments(argc, argv)) {
        (void)fprintf(stderr,
                "usage: PROBATE_TEST_CLUSTERS_DIR=FOLDER %s PROGRAM FOLDER-OF-CRDS "
                "both|storm|kills CLUSTERS KILLS\n",
                argv[0]);
        return 2;
    }
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    RUN_TEST(test_a_control_plane_comes_up);
    if (is_up && !prb_streq(argv[3], "kills"))
        RUN_TEST(test_many_clusters_are_deleted_at_once);
    if (is_up && !prb_streq(argv[3], "storm"))
        RUN_TEST(test_a_probate_that_is_killed_carries_on);
    process_close(&process);
    free(admin);
    if (is_up)
        target_close(&target);
    prb_kube_config_free(config);
    (void)prb_test_cluster_do(dir, "down", &err);
    return UNITY_END();
}

/*
 * Does the real `probate agent` bring works and take them away again, many at once and killed again
 * and again?
 *
 *     test_works_process PROGRAM FOLDER-OF-CRDS both|storm|kills WORKS KILLS
 *
 * With a sanitizer ($PROBATE_TEST_LANE) a tenth of both. The moments of the kills are chosen by a
 * seed that is printed; $PROBATE_TEST_SEED chooses the same again. The servers are the shared ones.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "kills.h"
#include "storm.h"

static struct ends ends;
static struct scene scene;
static struct process process;
static char why[PRB_TEST_WHY_SIZE];
static const char *crds;
static int64_t works, kills, seed;
static bool is_up;

/* Each has a scene of its own. */
void setUp(void)
{
    why[0] = '\0';
    process = (struct process){ .scene = &scene };
    if (is_up && scene_open(&scene, &ends, &scene.own, why) == 0)
        (void)process_hire(&process, &scene);
}

void tearDown(void)
{
    program_done(&process.program);
    if (is_up)
        scene_close(&scene);
    process_done(&process);
}

static void test_the_servers_are_there(void)
{
    struct prb_error err = { .msg = "" };

    is_up = ends_open(&ends, REAL_APART, crds, &err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
    (void)scene_open(&scene, &ends, &scene.own, why);
    TEST_ASSERT_EQUAL_STRING("", why);
}

/* Before its log is gone. */
static void print_log(void)
{
    prb_autofree char *said = program_log(&process.program);
    size_t len = strlen(said);

    if (why[0])
        (void)fprintf(stderr, "the agent said:\n%s\n", len > 8000 ? said + len - 8000 : said);
}

static void test_many_works_come_and_go(void)
{
    int64_t ms;

    TEST_ASSERT_EQUAL_STRING("", why);
    process_start(&process);
    ASSERT_READY(&process.program);
    ASSERT_CONFINED(&process.hub, process.program.pid);
    ASSERT_CONFINED(&process.cluster, process.program.pid);
    (void)storm_play(&scene, (size_t)works);
    print_log();
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, prb_fault_proxy_lost_writes(ends.spoke->real.proxy));
    TEST_ASSERT_EQUAL(0, program_end(&process.program, SIGTERM, &ms));
}

static void test_an_agent_that_is_killed_carries_on(void)
{
    struct kills played = {
        .process = &process, .count = (size_t)kills, .dice = (uint64_t)seed * 2654435761U + 1
    };
    int64_t ms;

    TEST_ASSERT_EQUAL_STRING("", why);
    process_start(&process);
    (void)kills_play(&played, &scene);
    print_log();
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, program_end(&process.program, SIGTERM, &ms));
}

static void test_the_history_has_missed_nothing(void)
{
    (void)history_is_blind(ends.history, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
}

static bool read_arguments(int argc, char **argv)
{
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */
    const char *lane = getenv("PROBATE_TEST_LANE");  /* NOLINT(concurrency-mt-unsafe) */

    if (argc < 6 || !prb_parse_int(argv[4], 1, 10000, &works) ||
            !prb_parse_int(argv[5], 1, 10000, &kills))
        return false;
    seed = (int64_t)prb_random_below(UINT32_MAX);
    if (given && !prb_parse_int(given, 0, UINT32_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    printf("PROBATE_TEST_SEED=%lld chooses the same moments again\n", (long long)seed);
    if (lane && !prb_streq(lane, "normal")) {
        works = (works + 9) / 10;
        kills = (kills + 9) / 10;
    }
    program_path = argv[1];
    crds = argv[2];
    return true;
}

int main(int argc, char **argv)
{
    if (!read_arguments(argc, argv)) {
        (void)fprintf(
                stderr, "usage: %s PROGRAM FOLDER-OF-CRDS both|storm|kills WORKS KILLS\n", argv[0]);
        return 2;
    }
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    RUN_TEST(test_the_servers_are_there);
    if (is_up && !prb_streq(argv[3], "kills"))
        RUN_TEST(test_many_works_come_and_go);
    if (is_up && !prb_streq(argv[3], "storm"))
        RUN_TEST(test_an_agent_that_is_killed_carries_on);
    if (is_up)
        RUN_TEST(test_the_history_has_missed_nothing);
    ends_close(&ends);
    return UNITY_END();
}

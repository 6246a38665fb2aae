/*
 * Does the real program prune what it should when it is killed again and again, and wait where it
 * is refused?
 *
 *     test_policies_process hub FOLDER-OF-CRDS
 *     test_policies_process both|kills FOLDER-OF-CRDS PROGRAM POLICIES KILLS
 *
 * On a hub only the refusals, with Probate inside this process. Else on a control plane of its own,
 * in the folder $PROBATE_TEST_POLICIES_DIR. With a sanitizer ($PROBATE_TEST_LANE) a tenth of both.
 * The moments of the kills are chosen by a seed that is printed; $PROBATE_TEST_SEED chooses the
 * same again.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "guard.h"
#include "kills.h"
#include "rows.h"
#include "server.h"

/* The end of a log that is shown. */
#define SHOWN_MAX 6000

static struct stage stage;
static struct server server;
static const char *folder; /* of definitions: that of ours is beside it */
static int64_t policies, kills, seed;
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_server_is_there(void)
{
    struct prb_error err = { .msg = "" };

    is_up = server_open(&server, folder, &err) == 0;
    stage.place = &server.place;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
}

static void show_log(const struct program *program)
{
    prb_autofree char *said = program_log(program);
    size_t len = strlen(said);

    (void)fprintf(stderr, "Probate said:\n%s\n", len > SHOWN_MAX ? said + len - SHOWN_MAX : said);
}

static void test_a_probate_that_is_killed_carries_on(void)
{
    struct kills played = { .policies = (size_t)policies,
        .count = (size_t)kills,
        .dice = (uint64_t)seed * 2654435761U + 1 };
    char why[PRB_TEST_WHY_SIZE] = "";
    struct scene scene;
    int64_t ms;
    int code = -1;

    if (scene_open(&scene, &stage, why) == 0) {
        (void)kills_play(&played, &scene);
        if (why[0])
            show_log(&played.program);
        code = program_end(&played.program, SIGTERM, &ms);
    }
    program_done(&played.program);
    scene_close(&scene);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, code);
}

static const char *name_at(size_t row)
{
    return rows_guard.rows[row].name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    struct scene scene;

    if (scene_open(&scene, ctx, why) == 0) {
        scene.with = rows_guard.rows[row].with;
        (void)rows_guard.rows[row].play(&scene);
    }
    scene_close(&scene);
}

static struct guard guard;
static bool is_guarded;

static void test_probate_is_asked(void)
{
    prb_autofree char *crds = prb_asprintf("%s/../crds", folder);
    struct prb_error err = { .msg = "" };

    is_guarded = guard_start(&guard, stage.place, crds, &err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_guarded, err.msg);
}

static void test_the_history_has_missed_nothing(void)
{
    char why[256] = "";

    (void)history_is_blind(stage.place->history, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
}

/* One of them is enough for a sanitizer on a real server. */
static void run_guarded(size_t count)
{
    RUN_TEST(test_probate_is_asked);
    if (is_guarded)
        prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
                .count = count,
                .threads = (int)count,
                .name = name_at,
                .check = check_row,
                .ctx = &stage });
    RUN_TEST(test_the_history_has_missed_nothing);
    guard_stop(&guard);
}

static bool is_sanitized(void)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    return lane && !prb_streq(lane, "normal");
}

static bool read_arguments(int argc, char **argv)
{
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */

    if (argc < 6 || !prb_parse_int(argv[4], 1, 1000, &policies) ||
            !prb_parse_int(argv[5], 1, 10000, &kills))
        return false;
    seed = (int64_t)prb_random_below(UINT32_MAX);
    if (given && !prb_parse_int(given, 0, UINT32_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    printf("PROBATE_TEST_SEED=%lld chooses the same moments again\n", (long long)seed);
    if (is_sanitized()) {
        policies = (policies + 9) / 10;
        kills = (kills + 9) / 10;
    }
    program_path = argv[3];
    return true;
}

static int run_on_hub(void)
{
    struct place place;
    struct prb_error err;

    if (place_open(&place, NULL, NULL, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    stage.place = &place;
    UNITY_BEGIN();
    run_guarded(rows_guard.count);
    place_close(&place);
    return UNITY_END();
}

int main(int argc, char **argv)
{
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    folder = argc > 2 ? argv[2] : NULL;
    if (argc == 3 && prb_streq(argv[1], "hub"))
        return run_on_hub();
    if (!read_arguments(argc, argv)) {
        (void)fprintf(stderr,
                "usage: %s hub FOLDER-OF-CRDS\n"
                "       %s both|kills FOLDER-OF-CRDS PROGRAM POLICIES KILLS\n",
                argv[0], argv[0]);
        return 2;
    }
    UNITY_BEGIN();
    RUN_TEST(test_a_server_is_there);
    if (is_up)
        RUN_TEST(test_a_probate_that_is_killed_carries_on);
    if (is_up && !prb_streq(argv[1], "kills"))
        run_guarded(is_sanitized() ? 1 : rows_guard.count);
    if (is_up && prb_streq(argv[1], "kills"))
        RUN_TEST(test_the_history_has_missed_nothing);
    server_close(&server);
    return UNITY_END();
}

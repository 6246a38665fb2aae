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
#include "restarts.h"
#include "rows.h"
#include "server.h"
#include "support/account.h"
#include "support/api_objects.h"

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

    is_up = server_open(&server, folder, &err) == 0 &&
            prb_test_namespace_create(server.place.direct, PROCESS_POLICIES, &err) == 0;
    stage.place = &server.place;
    stage.policies = PROCESS_POLICIES;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
}

/* What policies make here. Who installs the chart says so with such a role. */
#define MADE                                                                                \
    "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: made, " \
    "labels: {open-cluster-management.io/aggregate-to-work: 'true'}}, rules: [{apiGroups: " \
    "['', apps], resources: [configmaps, deployments], verbs: [get, list, watch, create, "  \
    "update, patch, delete]}]}"

static struct prb_test_account account; /* Probate's */

/* From now on Probate has the rights that the chart gives to this release, and is a user's process
 * who can read nothing of the administrator's. */
static int sign_on(const char *name, const char *values, struct prb_error *err)
{
    const struct prb_test_release release = {
        .admin = server.kubeconfig, .name = name, .namespace = name, .values = values, .more = MADE
    };

    if (!program_go_outside())
        return prb_fail(err, PRB_E_INTERNAL, "the program cannot be run as another user");
    prb_test_account_done(&account);
    if (prb_test_account_of_chart(&account, &release, err) < 0)
        return err->code;
    return prb_test_account_take_proxy(&account, server.place.real.proxy, err);
}

static void test_an_agent_has_the_rights_that_the_chart_gives_it(void)
{
    static const char values[] =
            "{mode: agent, works: {clusterName: " PROCESS_POLICIES "}, controllers: {policy: "
            "true}, hub: {kubeconfigSecret: hub}}";
    struct prb_error err = { .msg = "" };

    is_up = sign_on("probate-agent", values, &err) == 0;
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
    struct prb_error err = { .msg = "" };
    struct scene scene;
    int64_t ms;
    int code = -1;
    bool confined = false;

    if (scene_open(&scene, &stage, why) == 0) {
        (void)kills_play(&played, &scene);
        confined = prb_test_account_confines(&account, played.program.pid, &err);
        if (why[0])
            show_log(&played.program);
        code = program_end(&played.program, SIGTERM, &ms);
    }
    program_done(&played.program);
    scene_close(&scene);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, code);
    TEST_ASSERT_TRUE_MESSAGE(confined, err.msg);
}

/* One process, and perhaps a second one. */
static void run_restart(int (*play)(struct program *program, struct scene *scene))
{
    struct program program = { .pid = 0 };
    char why[PRB_TEST_WHY_SIZE] = "";
    struct scene scene;
    int64_t ms;
    int code = -1;

    if (scene_open(&scene, &stage, why) == 0) {
        (void)play(&program, &scene);
        if (why[0])
            show_log(&program);
        if (program.pid > 0)
            code = program_end(&program, SIGTERM, &ms);
    }
    program_done(&program);
    scene_close(&scene);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, code);
}

static void test_what_others_make_while_a_killed_probate_is_away_stays(void)
{
    run_restart(restarts_play_replaced);
}

static void test_policies_elsewhere_lose_a_finalizer_of_probate_and_no_other(void)
{
    run_restart(restarts_play_released);
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
    static const char values[] = "{controllers: {policy: true, deletion-watch: false, "
                                 "cluster-deletion: false}, criteriaResources: [configmaps], "
                                 "policies: {namespace: " PROCESS_POLICIES "}}";
    prb_autofree char *crds = prb_asprintf("%s/../crds", folder);
    struct prb_error err = { .msg = "" };

    is_guarded = (stage.place->hub || sign_on("probate", values, &err) == 0) &&
                 guard_start(&guard, stage.place, crds, &err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_guarded, err.msg);
    if (!stage.place->hub)
        ASSERT_CONFINED(&account, guard.program.pid);
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
        RUN_TEST(test_an_agent_has_the_rights_that_the_chart_gives_it);
    if (is_up)
        RUN_TEST(test_a_probate_that_is_killed_carries_on);
    if (is_up && !prb_streq(argv[1], "kills")) {
        RUN_TEST(test_what_others_make_while_a_killed_probate_is_away_stays);
        RUN_TEST(test_policies_elsewhere_lose_a_finalizer_of_probate_and_no_other);
    }
    if (is_up && !prb_streq(argv[1], "kills"))
        run_guarded(is_sanitized() ? 1 : rows_guard.count);
    if (is_up && prb_streq(argv[1], "kills"))
        RUN_TEST(test_the_history_has_missed_nothing);
    prb_test_account_done(&account);
    server_close(&server);
    return UNITY_END();
}

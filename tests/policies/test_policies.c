/*
 * Do policies make what they should, and take away no more than that, the same on a hub in memory
 * and on a real API server?
 *
 *     test_policies hub FOLDER-OF-CRDS FOLDER-OF-EXAMPLES [PART-OF-A-ROW'S-NAME]
 *     test_policies cluster FOLDER-OF-CRDS FOLDER-OF-EXAMPLES PROGRAM [PART-OF-A-ROW'S-NAME]
 *
 * The control plane is its own, in the folder $PROBATE_TEST_POLICIES_DIR; where a second one is
 * needed, it is the shared one ($PROBATE_TEST_KUBECONFIG). With a sanitizer ($PROBATE_TEST_LANE) a
 * tenth of the rows run there.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "rows.h"
#include "server.h"

/* Rows mostly wait. */
#define THREADS 16

/* In the lane with a sanitizer the first of all rows and every tenth after it run on a server. */
#define SANITIZED_EACH 10

#define ROWS_MAX 160

static const struct row_list *const lists[] = { &rows_status, &rows_delete, &rows_change,
    &rows_recreate, &rows_bugs, &rows_provenance, &rows_scope, &rows_finalizer, &rows_ending,
    &rows_faults, &rows_watches, &rows_example, &rows_restart, &rows_placement, &rows_namespace,
    &rows_uninstall };

static const struct row *chosen[ROWS_MAX];
static size_t chosen_count;
static struct stage stage;

void setUp(void)
{
}

void tearDown(void)
{
}

static bool is_sanitized(void)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    return lane && !prb_streq(lane, "normal");
}

/* Of those that run alone, or of the others. */
static void choose(bool alone)
{
    bool real = !stage.place->hub;
    size_t each = real && is_sanitized() ? SANITIZED_EACH : 1, number = 0;

    chosen_count = 0;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (lists[i]->alone != alone || (lists[i]->real_only && !real))
            continue;
        for (size_t j = 0; j < lists[i]->count; j++, number++) {
            if (number % each == 0 && chosen_count < ROWS_MAX)
                chosen[chosen_count++] = &lists[i]->rows[j];
        }
    }
}

static const char *name_at(size_t row)
{
    return chosen[row]->name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    struct scene scene;

    if (scene_open(&scene, ctx, why) == 0) {
        scene.with = chosen[row]->with;
        (void)chosen[row]->play(&scene);
    }
    scene_close(&scene);
}

static void run(bool alone, const char *only)
{
    choose(alone);
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = chosen_count,
            .threads = alone ? 1 : THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = &stage,
            .only = only,
            .several = true });
}

static void test_the_history_has_missed_nothing(void)
{
    char why[256] = "";

    (void)history_is_blind(stage.place->history, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
}

struct careless {
    unsigned deletes, without;
    char first[PRB_TEST_WHY_SIZE];
};

static void look_at_write(void *ctx, const struct prb_fault_write *write)
{
    struct careless *careless = ctx;

    if (!prb_api_call_has_verb(&write->call, "delete") || write->call.dry_run)
        return;
    careless->deletes++;
    if (strstr(write->body, "\"preconditions\"") && strstr(write->body, "\"uid\""))
        return;
    careless->without++;
    (void)snprintf(careless->first, sizeof(careless->first), "%s %s: %.500s",
            write->call.ref.gvr.resource, write->call.ref.name, write->body);
}

static void test_every_delete_says_which_uid_it_means(void)
{
    struct careless careless = { .deletes = 0 };

    prb_fault_proxy_each_write(stage.place->real.proxy, look_at_write, &careless);
    TEST_ASSERT_EQUAL_STRING("", careless.first);
    TEST_ASSERT_GREATER_THAN(0, careless.deletes);
    TEST_ASSERT_EQUAL(0, prb_fault_proxy_lost_writes(stage.place->real.proxy));
}

static bool run_all(const char *only)
{
    struct prb_test_loop loop = { .informers = NULL };
    struct prb_error err;
    bool up;

    stage.loop = &loop;
    up = prb_test_loop_start(&loop, &prb_reconciler_policy, stage.place->api, &err) == 0;
    if (up) {
        run(false, only);
        run(true, only);
        RUN_TEST(test_the_history_has_missed_nothing);
        if (!only && !stage.place->hub) /* which has no proxy */
            RUN_TEST(test_every_delete_says_which_uid_it_means);
    } else {
        (void)fprintf(stderr, "%s\n", err.msg);
    }
    prb_test_loop_stop(&loop);
    return up;
}

static bool run_on_hub(const char *only)
{
    struct place place, other;
    struct prb_error err;
    bool up;

    if (place_open(&place, NULL, NULL, &err) < 0 || place_open(&other, NULL, NULL, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return false;
    }
    stage.place = &place;
    stage.other = &other;
    up = run_all(only);
    place_close(&other);
    place_close(&place);
    return up;
}

static bool run_on_server(const char *only)
{
    struct server server;
    struct prb_error err;
    bool up = server_open(&server, stage.crds, &err) == 0;

    if (up) {
        stage.place = &server.place;
        stage.other = &server.other;
        up = run_all(only);
    } else {
        (void)fprintf(stderr, "%s\n", err.msg);
    }
    server_close(&server);
    return up;
}

int main(int argc, char **argv)
{
    bool real = argc > 4 && prb_streq(argv[1], "cluster");
    int at = real ? 5 : 4;
    const char *only = argc > at ? argv[at] : NULL;
    bool up;

    if (!real && !(argc > 3 && prb_streq(argv[1], "hub"))) {
        (void)fprintf(stderr,
                "usage: %s hub FOLDER-OF-CRDS FOLDER-OF-EXAMPLES [PART-OF-A-ROW'S-NAME]\n"
                "       %s cluster FOLDER-OF-CRDS FOLDER-OF-EXAMPLES PROGRAM "
                "[PART-OF-A-ROW'S-NAME]\n",
                argv[0], argv[0]);
        return 2;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
    prb_log_configure(getenv("PROBATE_TEST_VERBOSE") ? PRB_LOG_INFO : PRB_LOG_ERROR, PRB_LOG_TEXT,
            STDERR_FILENO);
    stage.crds = argv[2];
    stage.examples = argv[3];
    stage.program = real ? argv[4] : NULL;
    UNITY_BEGIN();
    up = real ? run_on_server(only) : run_on_hub(only);
    prb_test_table_expect(only);
    return UNITY_END() == 0 && up ? 0 : 1;
}

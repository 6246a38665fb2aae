/*
 * Do deletions of clusters go as they should, the same on the hub and on a real API server with the
 * real namespace controller?
 *
 *     test_clusters hub [PART-OF-A-ROW'S-NAME]
 *     test_clusters cluster FOLDER-OF-CRDS [PART-OF-A-ROW'S-NAME]
 *
 * The control plane is its own, in the folder $PROBATE_TEST_CLUSTERS_DIR: every ManagedCluster on
 * it concerns the reconciler, and its API server is killed. With a sanitizer ($PROBATE_TEST_LANE)
 * a tenth of the rows run there.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "lone.h"
#include "rows.h"
#include "support/cluster.h"

/* Rows mostly wait. */
#define THREADS 16

/* In the lane with a sanitizer the first of all rows and every tenth after it run on the server. */
#define SANITIZED_EACH 10

#define ROWS_MAX 64

static const struct row_list *const lists[] = { &rows_stories, &rows_late, &rows_changed,
    &rows_remains, &rows_ocm };

static const struct prb_gvr monitored = { MONITORED_GROUP, "v1", MONITORED_RESOURCE };

static const struct prb_cluster_settings settings[SETTINGS] = {
    [AS_IT_COMES] = { .finalizer = PRB_CLUSTER_FINALIZER,
            .monitored = &monitored,
            .monitored_count = 1,
            .delete_works = PRB_DELETE_WORKS_ADDON },
    [ALL_WORKS] = { .finalizer = "probate.dev/cluster-cleanup",
            .monitored = &monitored,
            .monitored_count = 1,
            .delete_works = PRB_DELETE_WORKS_ALL },
};

/* Those of one setting. */
static const struct row *chosen[ROWS_MAX];
static size_t chosen_count;

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

static void choose(enum setting setting, size_t each)
{
    size_t number = 0;

    chosen_count = 0;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        for (size_t j = 0; j < lists[i]->count; j++, number++) {
            if (lists[i]->rows[j].setting == setting && number % each == 0 &&
                    chosen_count < ROWS_MAX)
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
    struct estate estate;

    estate_open(&estate, ctx, why);
    (void)chosen[row]->play(&estate);
    estate_close(&estate);
}

/* All of one setting side by side, on one loop. */
static void run_setting(struct target *target, enum setting setting, size_t each, const char *only)
{
    struct prb_error err;

    choose(setting, each);
    if (chosen_count == 0)
        return;
    if (target_start_loop(target, &settings[setting], &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = chosen_count,
            .threads = THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = target,
            .only = only,
            .several = true });
    target_stop_loop(target);
}

/* Those that need the server, or the loop, for themselves. */
static struct target *lone_target;
static const struct lone_row *lone_row;

static void play_lone(void)
{
    char why[PRB_TEST_WHY_SIZE] = "";

    lone_row->play(lone_target, &settings[AS_IT_COMES], why);
    TEST_ASSERT_EQUAL_STRING("", why);
}

static void run_lone(struct target *target, const struct lone_row *row, const char *only)
{
    if (!prb_test_table_fits(only, row->name))
        return;
    lone_target = target;
    lone_row = row;
    UnityDefaultTestRun(play_lone, row->name, __LINE__);
}

static void test_no_agent_was_robbed_of_its_rights(void)
{
    TEST_ASSERT_EQUAL(0, agents_robbed(lone_target->agents));
}

static int run_on_hub(const char *only)
{
    struct target target;
    struct prb_error err;

    if (target_open(&target, NULL, &err) < 0 || target_define_monitored(&target, &err) < 0 ||
            target_watch(&target, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    UNITY_BEGIN();
    run_setting(&target, AS_IT_COMES, 1, only);
    run_setting(&target, ALL_WORKS, 1, only);
    lone_target = &target;
    RUN_TEST(test_no_agent_was_robbed_of_its_rights);
    prb_test_table_expect(only);
    target_close(&target);
    return UNITY_END();
}

static void run_rows(struct target *target, const char *crds, const char *only)
{
    size_t each = is_sanitized() ? SANITIZED_EACH : 1;
    struct prb_error err;

    target->crds = crds;
    run_lone(target, &lone_without_definition, only);
    if (target_define(target, ADDON, &err) < 0 || target_define(target, WORK, &err) < 0 ||
            target_define(target, CLUSTER, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
    run_setting(target, AS_IT_COMES, each, only);
    run_setting(target, ALL_WORKS, each, only);
    if (each == 1) {
        run_lone(target, &lone_unreadable, only);
        run_lone(target, &lone_never_listed, only);
        run_lone(target, &lone_killed, only);
    }
    lone_target = target;
    RUN_TEST(test_no_agent_was_robbed_of_its_rights);
    prb_test_table_expect(only);
}

static int run_on_cluster(const char *dir, const char *crds, const char *only)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct target target = { .hub = NULL };
    struct prb_error err;

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(dir, "down", &err);
    UNITY_BEGIN();
    if (prb_test_cluster_do(dir, "up", &err) < 0 ||
            prb_test_cluster_config_in(dir, &config, &err) < 0 ||
            target_open(&target, config, &err) < 0 || target_define_monitored(&target, &err) < 0 ||
            target_watch(&target, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    target.dir = dir;
    run_rows(&target, crds, only);
    target_close(&target);
    (void)prb_test_cluster_do(dir, "down", &err);
    return UNITY_END();
}

int main(int argc, char **argv)
{
    const char *dir = getenv("PROBATE_TEST_CLUSTERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    if (argc > 1 && prb_streq(argv[1], "hub"))
        return run_on_hub(argc > 2 ? argv[2] : NULL);
    if (argc > 2 && dir && prb_streq(argv[1], "cluster"))
        return run_on_cluster(dir, argv[2], argc > 3 ? argv[3] : NULL);
    (void)fprintf(stderr,
            "usage: %s hub [PART-OF-A-ROW'S-NAME]\n"
            "       PROBATE_TEST_CLUSTERS_DIR=FOLDER %s cluster FOLDER-OF-CRDS "
            "[PART-OF-A-ROW'S-NAME]\n",
            argv[0], argv[0]);
    return 2;
}

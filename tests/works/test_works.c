/*
 * Do works bring to the managed cluster what they should, and take away no more than that, the same
 * on hubs in memory and on real API servers, apart and together?
 *
 *     test_works hub FOLDER-OF-CRDS [PART-OF-A-ROW'S-NAME]
 *     test_works cluster FOLDER-OF-CRDS [PART-OF-A-ROW'S-NAME]
 *
 * The servers are the shared ones, $PROBATE_TEST_KUBECONFIG and $PROBATE_TEST_SPOKE_KUBECONFIG;
 * together means that the managed cluster is its own hub. With a sanitizer ($PROBATE_TEST_LANE) a
 * tenth of the rows run there.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "rows.h"
#include "support/api_objects.h"

/* Rows mostly wait. */
#define THREADS 16

/* In the lane with a sanitizer the first of all rows and every tenth after it run on servers. */
#define SANITIZED_EACH 10

#define ROWS_MAX 128

static const struct row_list *const lists[] = { &rows_design, &rows_samples, &rows_delete_option,
    &rows_work, &rows_strategy, &rows_manifests, &rows_owners, &rows_drift, &rows_sudden,
    &rows_frozen, &rows_restart, &rows_quiet, &rows_evict, &rows_large, &rows_faults, &rows_away };

static const struct row *chosen[ROWS_MAX];
static size_t chosen_count;

/* What all rows of one form share. */
struct common {
    struct ends ends;
    struct loop loop;
};

static struct common *common;

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

static bool is_meant(const struct row_list *list, enum form form, bool alone)
{
    return list->alone == alone && (!list->real_only || form_is_real(form)) &&
           (!list->once || form != REAL_TOGETHER);
}

/* Of those that run alone, or of the others. */
static void choose(enum form form, bool alone)
{
    size_t each = form_is_real(form) && is_sanitized() ? SANITIZED_EACH : 1, number = 0;

    chosen_count = 0;
    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        if (!is_meant(lists[i], form, alone))
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
    struct common *all = ctx;
    struct scene scene;

    if (scene_open(&scene, &all->ends, &all->loop, why) == 0) {
        scene.with = chosen[row]->with;
        (void)chosen[row]->play(&scene);
    }
    scene_close(&scene);
}

static void test_the_history_has_missed_nothing(void)
{
    char why[256] = "";

    (void)history_is_blind(common->ends.history, why, sizeof(why));
    TEST_ASSERT_EQUAL_STRING("", why);
}

static void run(enum form form, bool alone, const char *only)
{
    choose(form, alone);
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = chosen_count,
            .threads = alone ? 1 : THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = common,
            .only = only,
            .several = true });
}

/* The agent that most rows share, in a namespace of its own on the hub. */
static int start(struct common *all, enum form form, const char *crds, struct prb_error *err)
{
    char cluster[PRB_TEST_NAME_SIZE];

    prb_test_unique_name("cluster", cluster);
    loop_init(&all->loop, cluster, "https://hub.example.org", cluster);
    if (ends_open(&all->ends, form, crds, err) < 0 ||
            prb_test_namespace_create(all->ends.hub->direct, cluster, err) < 0)
        return err->code;
    return loop_start(&all->loop, &all->ends, err);
}

static bool run_form(enum form form, const char *crds, const char *only)
{
    struct common all = { .ends = { .form = FORMS } };
    struct prb_error err;
    bool up = start(&all, form, crds, &err) == 0;

    printf("== %s\n", form_name(form));
    if (up) {
        common = &all;
        run(form, false, only);
        run(form, true, only);
        RUN_TEST(test_the_history_has_missed_nothing);
        prb_test_namespace_delete(all.ends.hub->direct, all.loop.settings.cluster_name);
    } else {
        (void)fprintf(stderr, "%s\n", err.msg);
    }
    loop_stop(&all.loop);
    ends_close(&all.ends);
    return up;
}

int main(int argc, char **argv)
{
    bool real = argc > 1 && prb_streq(argv[1], "cluster");
    const char *only = argc > 3 ? argv[3] : NULL;

    if (argc < 3 || (!real && !prb_streq(argv[1], "hub"))) {
        (void)fprintf(
                stderr, "usage: %s hub|cluster FOLDER-OF-CRDS [PART-OF-A-ROW'S-NAME]\n", argv[0]);
        return 2;
    }
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    UNITY_BEGIN();
    if (!run_form(real ? REAL_APART : HUBS_APART, argv[2], only) ||
            !run_form(real ? REAL_TOGETHER : HUBS_TOGETHER, argv[2], only))
        return 1;
    prb_test_table_expect(only);
    return UNITY_END();
}

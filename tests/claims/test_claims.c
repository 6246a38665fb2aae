/*
 * Do claims go as they should, the same on the hub and on a real API server with the real garbage
 * collector?
 *
 *     test_claims hub [PART-OF-A-ROW'S-NAME]
 *     test_claims cluster FOLDER-OF-CRDS PROGRAM KILLS [PART-OF-A-ROW'S-NAME]
 *     test_claims kills FOLDER-OF-CRDS PROGRAM KILLS
 *
 * The control plane is its own, in the folder $PROBATE_TEST_CLAIMS_DIR; there the real program is
 * killed, too, as often as is said, under an account with just the rights of the chart's. With a
 * sanitizer ($PROBATE_TEST_LANE) a tenth of both. The moments of the kills are chosen by a seed
 * that is printed; $PROBATE_TEST_SEED chooses the same again.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "account.h"
#include "former.h"
#include "kills.h"
#include "rows.h"
#include "support/cluster.h"

/* Rows mostly wait. */
#define THREADS 16

/* In the lane with a sanitizer the first of all rows and every tenth after it run on the server. */
#define SANITIZED_EACH 10

#define ROWS_MAX 64

static const struct row_list *const lists[] = { &rows_after, &rows_deputies, &rows_turns,
    &rows_orders, &rows_trouble };

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

static void choose(const struct row_list *const *from, size_t count, size_t each)
{
    size_t number = 0;

    chosen_count = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < from[i]->count; j++, number++) {
            if (number % each == 0 && chosen_count < ROWS_MAX)
                chosen[chosen_count++] = &from[i]->rows[j];
        }
    }
}

static const char *name_at(size_t row)
{
    return chosen[row]->name;
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    struct family family;

    family_open(&family, ctx, why);
    (void)chosen[row]->play(&family);
    family_close(&family);
}

/* Those that were chosen, side by side. */
static void run_chosen(struct stage *stage, const char *only)
{
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = chosen_count,
            .threads = THREADS,
            .name = name_at,
            .check = check_row,
            .ctx = stage,
            .only = only,
            .several = true });
}

/* A claim that was deleted while nobody looked, with references that do not block. */
static struct family early;
static char early_why[PRB_TEST_WHY_SIZE];

static int begin_early(struct stage *stage)
{
    family_open(&early, stage, early_why);
    DO(family_make(&early, "Foreground", 3, DEEP));
    DO(family_patch(&early, CLAIM, "", "{'metadata':{'finalizers':['" PRB_CLAIM_FINALIZER "']}}"));
    return family_delete(&early, CLAIM, "", PRB_PROPAGATE_BACKGROUND);
}

static int end_early(void)
{
    DO(family_await_end(&early));
    return family_expect_bottom_up(&early);
}

static void test_what_was_deleted_while_nobody_looked_goes_in_order(void)
{
    if (!early_why[0])
        (void)end_early();
    TEST_ASSERT_EQUAL_STRING("", early_why);
}

/* Likewise, and its definition went, too; and one that loses it while somebody looks. */
static char parcel_why[PRB_TEST_WHY_SIZE], plot_why[PRB_TEST_WHY_SIZE];
static struct former parcel = { .noun = "parcel", .kind = "Parcel", .why = parcel_why };
static struct former plot = { .noun = "plot", .kind = "Plot", .why = plot_why };

static int begin_former(struct stage *stage)
{
    parcel.stage = plot.stage = stage;
    DO(former_begin(&parcel));
    return former_resume(&parcel);
}

static void test_a_claim_that_lost_its_definition_while_nobody_looked_goes(void)
{
    if (!parcel_why[0])
        (void)former_await_end(&parcel);
    TEST_ASSERT_EQUAL_STRING("", parcel_why);
}

static int play_plot(void)
{
    DO(former_begin(&plot));
    DO(former_await_known(&plot));
    DO(former_resume(&plot));
    return former_await_end(&plot);
}

static void test_a_claim_that_loses_its_definition_goes(void)
{
    (void)play_plot();
    TEST_ASSERT_EQUAL_STRING("", plot_why);
}

static void run_rows(struct stage *stage, size_t each, const char *only)
{
    static const struct row_list *const before[] = { &rows_before };
    struct prb_error err;

    choose(before, 1, each);
    run_chosen(stage, only);
    (void)begin_early(stage);
    if (!stage->hub)
        (void)begin_former(stage);
    if (stage_start_loop(stage, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        abort();
    }
    choose(lists, sizeof(lists) / sizeof(lists[0]), each);
    run_chosen(stage, only);
    RUN_TEST(test_what_was_deleted_while_nobody_looked_goes_in_order);
    if (!stage->hub) { /* which loses the kinds of a definition with it */
        RUN_TEST(test_a_claim_that_lost_its_definition_while_nobody_looked_goes);
        RUN_TEST(test_a_claim_that_loses_its_definition_goes);
    }
    prb_test_table_expect(only);
    stage_stop_loop(stage);
}

static int run_on_hub(const char *only)
{
    struct stage stage;
    struct prb_error err;

    if (stage_open(&stage, NULL, NULL, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    UNITY_BEGIN();
    run_rows(&stage, 1, only);
    stage_close(&stage);
    return UNITY_END();
}

static struct stage *kill_stage;
static int64_t kill_count, seed;

static void test_a_probate_that_is_killed_carries_on_with_the_rights_of_the_chart(void)
{
    struct kills kills = {
        .stage = kill_stage, .count = (size_t)kill_count, .dice = (uint64_t)seed * 2654435761U + 1
    };
    struct account account;
    char why[PRB_TEST_WHY_SIZE] = "";
    int64_t ms;
    struct prb_error err = { .msg = "" };
    int exit = -1;
    bool confined = false;

    printf("PROBATE_TEST_SEED=%lld chooses the same moments again\n", (long long)seed);
    if (account_make(&account, kill_stage->kubectl, why)) {
        kills.kubeconfig = account.kubeconfig;
        kills_play(&kills, why);

        /* Who has only just been started would not know the signal yet. */
        (void)program_is_ready(&kills.program);
        confined = prb_test_account_confines(&account.chart, kills.program.pid, &err);
        exit = program_end(&kills.program, SIGTERM, &ms);
        program_done(&kills.program);
    }
    account_done(&account);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, exit);
    TEST_ASSERT_TRUE_MESSAGE(confined, err.msg);
}

static int run_on_cluster(const char *dir, const char *crds, const char *only, bool only_kills)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct stage stage = { .hub = NULL };
    struct kubectl kubectl;
    struct prb_error err;

    /* What a run left over that was itself killed. */
    (void)prb_test_cluster_do(dir, "down", &err);
    UNITY_BEGIN();
    if (prb_test_cluster_do(dir, "up", &err) < 0 ||
            prb_test_cluster_config_in(dir, &config, &err) < 0 ||
            stage_open(&stage, config, crds, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    kubectl_init(&kubectl);
    (void)snprintf(kubectl.kubeconfig, sizeof(kubectl.kubeconfig), "%s/hub/kubeconfig", dir);
    stage.kubectl = &kubectl;
    kill_stage = &stage;
    if (!only_kills)
        run_rows(&stage, is_sanitized() ? SANITIZED_EACH : 1, only);
    if (!only)
        RUN_TEST(test_a_probate_that_is_killed_carries_on_with_the_rights_of_the_chart);
    kubectl_done(&kubectl);
    stage_close(&stage);
    (void)prb_test_cluster_do(dir, "down", &err);
    return UNITY_END();
}

static bool read_kills(const char *program, const char *count)
{
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */

    if (!prb_parse_int(count, 1, 10000, &kill_count))
        return false;
    if (is_sanitized())
        kill_count = (kill_count + 9) / 10;
    program_path = program;
    seed = (int64_t)prb_random_below(UINT32_MAX);
    if (given && !prb_parse_int(given, 0, UINT32_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    return true;
}

int main(int argc, char **argv)
{
    const char *dir = getenv("PROBATE_TEST_CLAIMS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    bool only_kills = argc > 1 && prb_streq(argv[1], "kills");

    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    if (argc > 1 && prb_streq(argv[1], "hub"))
        return run_on_hub(argc > 2 ? argv[2] : NULL);
    if (argc > 4 && dir && (only_kills || prb_streq(argv[1], "cluster")) &&
            read_kills(argv[3], argv[4]))
        return run_on_cluster(dir, argv[2], argc > 5 ? argv[5] : NULL, only_kills);
    (void)fprintf(stderr,
            "usage: %s hub [PART-OF-A-ROW'S-NAME]\n"
            "       PROBATE_TEST_CLAIMS_DIR=FOLDER %s cluster|kills FOLDER-OF-CRDS PROGRAM KILLS "
            "[PART-OF-A-ROW'S-NAME]\n",
            argv[0], argv[0]);
    return 2;
}

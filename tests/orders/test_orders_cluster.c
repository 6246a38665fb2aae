/*
 * Do the five deletes of design 002 resolve themselves in every order, on a real API server that
 * asks a real `probate serve`?
 *
 *     test_orders_cluster PROGRAM FOLDER-OF-CRDS some|all [PART-OF-A-ROW'S-NAME]
 *
 * "some" are 24 of the 120 orders, or 3 with a sanitizer ($PROBATE_TEST_LANE), chosen by a seed
 * that is printed; $PROBATE_TEST_SEED chooses the same again. The control plane is its own, in the
 * folder $PROBATE_TEST_ORDERS_DIR. Before Probate is registered there, one order is played without
 * it, by the same means: it must get stuck.
 */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "../e2e/bench.h"
#include "evidence.h"
#include "play.h"
#include "support/cluster.h"
#include "support/json_text.h"
#include "support/wait.h"

#define SOME 24
#define SOME_SANITIZED 3

/* Worlds at a time. They mostly wait: the API server looks every 5 s whether the last instance of a
 * CRD is gone, for five CRDs at a time, and a namespace takes as long. */
#define THREADS 24

/* For each thing that is waited for: with 24 worlds in the way of each other the last one is gone
 * after some 40 s. */
#define PATIENCE_MS PRB_TEST_STORM_MS

/* Of a criterion that the verb is given: "coolresources.w000.my.crd.group,". */
#define CRITERIA_MAX ((size_t)ORDERS * 64)

static struct bench bench;
static struct prb_kube_config *config;
static size_t chosen[ORDERS];
static size_t count;
static int64_t seed;
static bool failed[ORDERS]; /* by row */
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
}

/* "w017"; the control is "c000". */
static void write_id(char id[WORLD_ID_SIZE], char sort, size_t number)
{
    (void)snprintf(id, WORLD_ID_SIZE, "%c%03zu", sort, number);
}

/* The kinds that the criteria of all worlds name: Probate may read these, and no others. */
static char *name_criteria(void)
{
    prb_auto(prb_str_done) struct prb_str out;
    struct world world;
    char id[WORLD_ID_SIZE];

    prb_str_init(&out, CRITERIA_MAX);
    prb_str_add(&out, "customresourcedefinitions.apiextensions.k8s.io");
    for (size_t i = 0; i < count; i++) {
        write_id(id, 'w', i);
        world_init(&world, NULL, id);
        prb_str_addf(&out, ",coolresources.%s", world.group);
    }
    return prb_str_take(&out);
}

static bool open_bench(void)
{
    struct prb_error err;

    if (!bench_open(&bench) || !bench_ship(&bench) ||
            !bench_kubectl(
                    &bench, "wait --for=condition=Established --timeout=60s crd --all", NULL))
        return false;
    if (prb_test_cluster_config_in(bench.cluster, &config, &err) == 0)
        return true;
    (void)snprintf(bench.why, sizeof(bench.why), "%.1000s", err.msg);
    return false;
}

static void test_a_control_plane_comes_up(void)
{
    is_up = open_bench();
    TEST_ASSERT_TRUE_MESSAGE(is_up, bench.why);
}

/* With connections of its own, so that no world waits for another one here. */
static void play_on_cluster(struct play_options options, struct play *ret)
{
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    struct prb_error err;

    if (prb_kube_open(config, NULL, &api, &err) < 0) {
        *ret = (struct play){ .stuck = false };
        (void)snprintf(ret->why, sizeof(ret->why), "%.1000s", err.msg);
        return;
    }
    options.api = api;
    options.patience_ms = PATIENCE_MS;
    play(&options, ret);
}

static size_t find_order(const char *name)
{
    size_t index = 0;

    while (index + 1 < ORDERS && !prb_streq(order_name(index), name))
        index++;
    return index;
}

static void test_without_probate_the_cr_and_its_crd_are_stuck(void)
{
    size_t order = find_order("Deployment, CR, CRD, Namespace, CriticalService");
    struct play end;

    play_on_cluster((struct play_options){ .id = "c000", .order = order, .pace = FREE }, &end);
    TEST_ASSERT_EQUAL_STRING("", end.why);
    TEST_ASSERT_TRUE(end.stuck);
}

/* Does the API server refuse, on Probate's word, a CriticalService that waits for its own provider?
 */
static bool is_asked(void *ctx)
{
    prb_auto(prb_json_free) struct json_object *body = prb_test_json(
            "{'apiVersion':'probate.dev/v1alpha1','kind':'CriticalService','metadata':{"
            "'name':'probe'},'spec':{'provider':{'group':'apps','resource':'deployments',"
            "'namespace':'a','name':'b'},'criteria':[{'type':'SpecificResource',"
            "'specificResource':{'group':'apps','resource':'deployments','namespace':'a',"
            "'name':'b'}}]}}");
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &prb_critical_services, NULL, "probe");
    err.msg[0] = '\0';
    return (prb_api_create(ctx, &ref, body, &(struct prb_write_options){ .dry_run = true }, NULL,
                    &err) == PRB_E_INVALID &&
                   strstr(err.msg, "critical-service.probate.dev")) ||
           prb_test_saw("it is not refused as invalid: %s", err.msg);
}

static bool register_probate(void)
{
    prb_auto(prb_api_close) struct prb_api *api = NULL;
    struct prb_error err;

    if (!bench_start(&bench, DENYING) || !bench_register(&bench, DENYING, NULL))
        return false;
    if (prb_kube_open(config, NULL, &api, &err) < 0)
        (void)snprintf(bench.why, sizeof(bench.why), "%.1000s", err.msg);
    else if (!prb_test_await("the API server asks Probate", is_asked, api, PRB_TEST_SOON_MS))
        (void)snprintf(bench.why, sizeof(bench.why), "%s", prb_test_awaited());
    else
        return true;
    return false;
}

static void test_probate_is_registered(void)
{
    is_up = register_probate();
    TEST_ASSERT_TRUE_MESSAGE(is_up, bench.why);
}

static const char *name_at(size_t row)
{
    return order_name(chosen[row]);
}

/* Every other controller is slow, so that each order meets Probate's refusals for certain. */
static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    struct play_options options = {
        .order = chosen[row], .pace = row % 2 ? SLOW : FREE, .guarded = true
    };
    char id[WORLD_ID_SIZE];
    struct play end;

    (void)ctx;
    write_id(id, 'w', row);
    options.id = id;
    play_on_cluster(options, &end);
    if (end.why[0])
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "%s", end.why);
    else if (end.stuck)
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "stuck: the Deployment is gone, the CR is not");
    else
        steps_check(&end.steps, why, PRB_TEST_WHY_SIZE);
    failed[row] = why[0] != '\0';
}

/* Before the logs are gone. */
static void show_evidence(void)
{
    prb_autofree char *said = program_log(&bench.programs[DENYING]);
    prb_autofree char *path = prb_asprintf("%s/hub/log/kube-apiserver.log", bench.cluster);
    bool any = false;

    for (size_t row = 0; row < count; row++) {
        char id[WORLD_ID_SIZE];

        if (!failed[row])
            continue;
        any = true;
        write_id(id, 'w', row);
        evidence_print("Probate", said, id);
        evidence_print_file("the API server", path, id);
    }
    if (any)
        evidence_print_file("the API server", path, "alling webhook");
}

static void test_probate_ends_in_good_order(void)
{
    TEST_ASSERT_TRUE_MESSAGE(bench_stop(&bench), bench.why);
}

static void choose(bool all)
{
    const char *lane = getenv("PROBATE_TEST_LANE");  /* NOLINT(concurrency-mt-unsafe) */
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */

    seed = (int64_t)prb_random_below(UINT32_MAX);
    if (given && !prb_parse_int(given, 0, INT64_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    count = all ? ORDERS : lane && !prb_streq(lane, "normal") ? SOME_SANITIZED : SOME;
    order_choose((uint64_t)seed, chosen, count);
}

/* At the beginning for who watches, and at the end because logs are read from there. */
static void tell_seed(void)
{
    printf("%zu of %d orders; PROBATE_TEST_SEED=%lld chooses them again\n", count, ORDERS,
            (long long)seed);
}

static void run(const char *only)
{
    RUN_TEST(test_a_control_plane_comes_up);
    if (!is_up)
        return;
    RUN_TEST(test_without_probate_the_cr_and_its_crd_are_stuck);
    RUN_TEST(test_probate_is_registered);
    if (!is_up)
        return;
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = count,
            .threads = THREADS,
            .name = name_at,
            .check = check_row,
            .only = only });
    show_evidence();
    RUN_TEST(test_probate_ends_in_good_order);
}

int main(int argc, char **argv)
{
    prb_autofree char *criteria = NULL;

    bench.cluster = getenv("PROBATE_TEST_ORDERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    if (argc < 4 || !bench.cluster) {
        (void)fprintf(stderr,
                "usage: PROBATE_TEST_ORDERS_DIR=FOLDER %s PROGRAM FOLDER-OF-CRDS some|all "
                "[PART-OF-A-ROW'S-NAME]\n",
                argv[0]);
        return 2;
    }
    prb_log_configure(PRB_LOG_WARN, PRB_LOG_TEXT, STDERR_FILENO);
    program_path = argv[1];
    bench.crds = argv[2];
    choose(prb_streq(argv[3], "all"));
    criteria = name_criteria();
    bench.criteria = criteria;
    UNITY_BEGIN();
    tell_seed();
    run(argc > 4 ? argv[4] : NULL);
    tell_seed();
    bench_close(&bench);
    prb_kube_config_free(config);
    return UNITY_END();
}

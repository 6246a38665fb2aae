/*
 * Does the example of design 002 go in good order when the ManifestWorks that brought it, three or
 * one, are deleted at once through an agent that knows nothing of any order?
 *
 *     test_works_orders hub PROGRAM
 *     test_works_orders cluster PROGRAM FOLDER-OF-CRDS FOLDER-OF-OCM'S-CRDS
 *
 * The managed cluster is its own hub. The control plane is the test's own, in the folder
 * $PROBATE_TEST_ORDERS_DIR, with the real webhook registered; in memory the hub asks the same
 * engine. With a sanitizer ($PROBATE_TEST_LANE) half of the worlds run
 * there.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"
#include "probate/model/critical_service.h"

#include "../e2e/bench.h"
#include "../orders/hub_guard.h"
#include "../orders/world.h"
#include "bulk.h"
#include "support/api_objects.h"
#include "support/cluster.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Side by side, half of them of one work. On a server they mostly wait for its CRDs. */
#define WORLDS 8
#define WORLDS_REAL 4
#define WORLDS_SANITIZED 2
#define CLUSTER "cluster1"

/* The API server looks every 5 s whether the last instance of a CRD is gone, and a namespace takes
 * as long. */
#define PATIENCE_MS PRB_TEST_STORM_MS

/* Of a criterion that the verb is given: "coolresources.w000.my.crd.group,". */
#define CRITERIA_MAX ((size_t)WORLDS * 64 + 128)

static struct bench bench;
static struct prb_api *api;
static struct ends ends;
static struct loop loop;
static size_t count;
static const char *ocm_crds;
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
}

static void write_id(char id[WORLD_ID_SIZE], size_t number)
{
    (void)snprintf(id, WORLD_ID_SIZE, "w%03zu", number);
}

/* Every other world is of one work. */
static const char *name_at(size_t row)
{
    static const char *const names[] = { "three works are deleted at once",
        "one work with all of it is deleted" };

    return names[row % 2];
}

static void check_row(void *ctx, size_t row, char why[PRB_TEST_WHY_SIZE])
{
    char id[WORLD_ID_SIZE];

    (void)ctx;
    write_id(id, row);
    bulk_play(&(struct bulk_options){ .ends = &ends,
                      .loop = &loop,
                      .id = id,
                      .is_one = row % 2,
                      .patience_ms = PATIENCE_MS },
            why);
}

static void run_worlds(void)
{
    prb_test_table_run(&(struct prb_test_table){ .file = __FILE__,
            .count = count,
            .threads = WORLDS,
            .name = name_at,
            .check = check_row });
}

/* The agent, where both ends are one. */
static int start_agent(struct prb_error *err)
{
    ends.spoke = ends.hub = &ends.places[1];
    ends.form = ends.spoke->hub ? HUBS_TOGETHER : REAL_TOGETHER;
    ends.spoke->api = ends.spoke->direct = api;
    loop_init(&loop, CLUSTER, "https://hub.example.org", CLUSTER);
    if (prb_test_namespace_create(api, CLUSTER, err) < 0)
        return err->code;
    return loop_start(&loop, &ends, err);
}

/* Works may be made only for a cluster that there is. */
static const char managed_cluster[] = "apiVersion: cluster.open-cluster-management.io/v1\n"
                                      "kind: ManagedCluster\n"
                                      "metadata: {name: " CLUSTER "}\n";

/* That it is registered is what Probate wants to see before it says that it protects. */
static int register_in_memory(struct prb_hub *hub, struct prb_error *err)
{
    static const char *const arguments[] = { "manifest", "webhook", "--rules", "critical-service",
        NULL };
    prb_autofree char *manifest = NULL;

    if (program_run(arguments, NULL, &manifest) != 0)
        return prb_fail(err, PRB_E_INVALID, "manifest webhook: %s", manifest);
    return prb_hub_load_text(hub, manifest, strlen(manifest), err);
}

static int run_on_hub(void)
{
    prb_auto(prb_hub_free) struct prb_hub *hub = prb_hub_new(NULL);
    struct hub_guard *guard = NULL;
    struct prb_error err = { .msg = "" };

    UNITY_BEGIN();
    api = prb_hub_api(hub);
    ends.places[1].hub = hub;
    if (register_in_memory(hub, &err) < 0 ||
            prb_hub_load_text(hub, managed_cluster, strlen(managed_cluster), &err) < 0 ||
            start_agent(&err) < 0 || hub_guard_start(hub, &guard, &err) < 0) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return 1;
    }
    run_worlds();
    loop_stop(&loop);
    hub_guard_stop(guard);
    return UNITY_END();
}

static bool open_bench(void)
{
    prb_autofree char *ocm = prb_asprintf("apply --validate=false -f %s/manifestworks.yaml -f "
                                          "%s/appliedmanifestworks.yaml",
            ocm_crds, ocm_crds);
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    struct prb_error err;

    if (!bench_open(&bench) || !bench_ship(&bench) || !bench_kubectl(&bench, ocm, NULL) ||
            !bench_kubectl(
                    &bench, "wait --for=condition=Established --timeout=60s crd --all", NULL))
        return false;
    if (prb_test_cluster_config_in(bench.cluster, &config, &err) == 0 &&
            prb_kube_open(config, NULL, &api, &err) == 0)
        return true;
    (void)snprintf(bench.why, sizeof(bench.why), "%.1000s", err.msg);
    return false;
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

static void test_a_control_plane_comes_up(void)
{
    struct prb_error err = { .msg = "" };

    is_up = open_bench() && bench_start(&bench, DENYING) &&
            bench_register(&bench, DENYING, "critical-service");
    TEST_ASSERT_TRUE_MESSAGE(is_up, bench.why);
    is_up = prb_test_await("the API server asks Probate", is_asked, api, PRB_TEST_SOON_MS);
    TEST_ASSERT_TRUE_MESSAGE(is_up, prb_test_awaited());
    is_up = start_agent(&err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
}

static void test_probate_ends_in_good_order(void)
{
    TEST_ASSERT_TRUE_MESSAGE(bench_stop(&bench), bench.why);
}

/* The kinds that the criteria of all worlds name: Probate may read these, and no others. */
static char *name_criteria(void)
{
    prb_auto(prb_str_done) struct prb_str out;

    prb_str_init(&out, CRITERIA_MAX);
    prb_str_add(&out, "customresourcedefinitions.apiextensions.k8s.io");
    for (size_t i = 0; i < count; i++) {
        struct world world;
        char id[WORLD_ID_SIZE];

        write_id(id, i);
        world_init(&world, NULL, id);
        prb_str_addf(&out, ",coolresources.%s", world.group);
    }
    return prb_str_take(&out);
}

static int run_on_cluster(void)
{
    prb_autofree char *criteria = name_criteria();

    bench.criteria = criteria;
    UNITY_BEGIN();
    RUN_TEST(test_a_control_plane_comes_up);
    if (is_up) {
        run_worlds();
        loop_stop(&loop);
        RUN_TEST(test_probate_ends_in_good_order);
    }
    prb_api_close(api);
    bench_close(&bench);
    return UNITY_END();
}

int main(int argc, char **argv)
{
    const char *lane = getenv("PROBATE_TEST_LANE"); /* NOLINT(concurrency-mt-unsafe) */

    bench.cluster = getenv("PROBATE_TEST_ORDERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    count = argc > 1 && prb_streq(argv[1], "hub") ? WORLDS
            : lane && !prb_streq(lane, "normal")  ? WORLDS_SANITIZED
                                                  : WORLDS_REAL;
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    if (argc > 2)
        program_path = argv[2];
    if (argc > 2 && prb_streq(argv[1], "hub"))
        return run_on_hub();
    if (argc < 5 || !prb_streq(argv[1], "cluster") || !bench.cluster) {
        (void)fprintf(stderr,
                "usage: %s hub PROGRAM\n"
                "       PROBATE_TEST_ORDERS_DIR=FOLDER %s cluster PROGRAM FOLDER-OF-CRDS "
                "FOLDER-OF-OCM'S-CRDS\n",
                argv[0], argv[0]);
        return 2;
    }
    bench.crds = argv[3];
    ocm_crds = argv[4];
    return run_on_cluster();
}

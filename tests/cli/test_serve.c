/* `probate serve` on manifests in memory: from start to end, as a process. */

#include <signal.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/json.h"
#include "probate/base/mem.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/temp_dir.h"

/* A clean end takes milliseconds; this is far above, and far below any timeout of a call. */
#define SOON_MS prb_test_patience_ms(PRB_TEST_PROMPT_MS)

static const char *examples; /* examples/hub of the source tree */
static char *dir;
static struct program program;

void setUp(void)
{
    dir = prb_test_temp_dir();
    program = (struct program){ 0 };
}

void tearDown(void)
{
    program_done(&program);
    prb_test_temp_dir_remove(dir);
}

/* A cluster that is being deleted, and a work that is left in its namespace. */
static const char manifests[] = "apiVersion: cluster.open-cluster-management.io/v1\n"
                                "kind: ManagedCluster\n"
                                "metadata:\n"
                                "  name: west\n"
                                "  deletionTimestamp: 2026-01-02T03:04:05Z\n"
                                "  finalizers: [example.dev/hold]\n"
                                "---\n"
                                "apiVersion: work.open-cluster-management.io/v1\n"
                                "kind: ManifestWork\n"
                                "metadata: {name: web, namespace: west}\n";

static bool write_manifests(const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/world.yaml", dir);
    struct prb_error err;

    return prb_file_write(path, text, strlen(text), 0600, &err) == 0;
}

#define START(...)                                                           \
    do {                                                                     \
        program_start(&program, (const char *const[]){ __VA_ARGS__, NULL }); \
        ASSERT_READY(&program);                                              \
    } while (0)

static void test_the_example_hub_becomes_ready_and_says_what_waits(void)
{
    prb_autofree char *ready = NULL, *waiting = NULL, *metrics = NULL, *log = NULL;
    int64_t ms;

    START("--embedded", examples);
    ready = program_get(&program, "/readyz?verbose");
    ASSERT_STATUS(ready, 200);
    ASSERT_HAS(ready, "[+] managedclusters.cluster.open-cluster-management.io: ");
    ASSERT_HAS(ready, "[i] leader: no election, this one acts");
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose",
            "[i] critical-service wants certificates.cert-manager.io: 2 objects\n"));
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "managedclusters "));
    waiting = program_get(&program, "/waiting");
    ASSERT_HAS(waiting, " waits for: ");
    TEST_ASSERT_CAME(program_shows(
            &program, "/metrics", "probate_reconciles_total{controller=\"deletion-watch\""));
    metrics = program_get(&program, "/metrics");
    ASSERT_HAS(metrics, "probate_build_info{version=\"" PRB_VERSION "\"} 1\n");
    ASSERT_HAS(metrics, "workqueue_adds_total{name=\"deletion-watch\"}");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
    log = program_log(&program);
    ASSERT_HAS(log, "embedded hub loaded");
    ASSERT_HAS(log, "controller name=deletion-watch");
    ASSERT_HAS(log, "waiting controller=deletion-watch key=managedclusters.");
    ASSERT_HAS(log, "stopping; a second signal ends it at once signal=SIGTERM");
    ASSERT_HAS(log, "stopped");
}

static void test_a_deletion_is_shown_with_what_it_waits_for(void)
{
    prb_auto(prb_json_free) struct json_object *list = NULL;
    prb_autofree char *answer = NULL;
    struct json_object *first;
    struct prb_error err;

    TEST_ASSERT_TRUE(write_manifests(manifests));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "1 work left in namespace west: web"));
    answer = program_get(&program, "/waiting?output=json");
    TEST_ASSERT_EQUAL(
            0, prb_json_parse(body_of(answer), strlen(body_of(answer)), NULL, &list, &err));
    TEST_ASSERT_EQUAL(1, prb_json_len(list));
    first = prb_json_elem(list, 0);
    TEST_ASSERT_EQUAL_STRING("deletion-watch", prb_json_str(first, "controller"));
    TEST_ASSERT_EQUAL_STRING("managedclusters", prb_json_str(first, "resource"));
    TEST_ASSERT_EQUAL_STRING("west", prb_json_str(first, "name"));
    ASSERT_HAS(prb_json_str(first, "waitsFor"), "finalizer example.dev/hold");
    ASSERT_HAS(prb_json_str(first, "waitsFor"), "1 work left in namespace west: web");
}

/* A work that is stuck in a cluster that stays, and one that is left in a cluster that goes. */
static const char stuck[] =
        "---\n"
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: east}\n"
        "---\n"
        "apiVersion: work.open-cluster-management.io/v1\n"
        "kind: ManifestWork\n"
        "metadata: {name: db, namespace: east, finalizers: [example.dev/hold],\n"
        "  deletionTimestamp: 2026-01-02T03:04:05Z}\n";

static int explain(const char *namespace, char **ret_output)
{
    return program_run(
            (const char *const[]){ "explain", "--embedded", dir, "--namespace", namespace, NULL },
            NULL, ret_output);
}

/* One of these in a URL would ask for something else. */
static void expect_refused_names(void)
{
    static const char *const names[] = { "East", "east ", "east?x=y", "a/b", "../kube-system", "-a",
        "a-", "a.b", "*" };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        prb_autofree char *said = NULL;

        TEST_ASSERT_EQUAL_MESSAGE(2, explain(names[i], &said), names[i]);
        ASSERT_HAS(said, "no namespace can have this name");
    }
}

static void test_works_are_shown_where_a_cluster_goes_and_elsewhere_on_demand(void)
{
    prb_autofree char *world = prb_asprintf("%s%s", manifests, stuck);
    prb_autofree char *waiting = NULL, *east = NULL, *west = NULL, *none = NULL;

    TEST_ASSERT_TRUE(write_manifests(world));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "1 work left in namespace west: web"));
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose",
            "[i] manifestworks.work.open-cluster-management.io: read where a cluster or namespace is "
            "deleted: 1 objects, 1 watches, 0 not read yet\n"));
    waiting = program_get(&program, "/waiting");
    TEST_ASSERT_NULL_MESSAGE(strstr(waiting, "east"), waiting);

    TEST_ASSERT_EQUAL(0, explain("east", &east));
    ASSERT_HAS(east, "manifestworks east/db waits for: finalizer example.dev/hold (deleting for ");
    TEST_ASSERT_EQUAL(0, explain("west", &west));
    ASSERT_HAS(west, "managedclusters west waits for: finalizer example.dev/hold; 1 work left in "
                     "namespace west: web (deleting for ");
    TEST_ASSERT_EQUAL(0, explain("elsewhere", &none));
    TEST_ASSERT_EQUAL_STRING("nothing is being deleted in namespace elsewhere", none);
    expect_refused_names();
}

/* Its provider is gone, as the status knows, and an object needs it. */
static const char dead_provider[] =
        "apiVersion: probate.dev/v1alpha1\n"
        "kind: CriticalService\n"
        "metadata: {name: guard}\n"
        "spec:\n"
        "  provider: {group: apps, resource: deployments, namespace: ops, name: op}\n"
        "  criteria:\n"
        "  - {type: Finalizer, finalizer: {group: '', resource: configmaps, finalizerName: x.dev/f}}\n"
        "status: {providerUID: before}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: ConfigMap\n"
        "metadata: {name: held, namespace: default, finalizers: [x.dev/f]}\n";

static void test_objects_without_a_controller_are_counted_and_named(void)
{
    static const char name[] = "probate_critical_services_without_provider";
    prb_autofree char *one = prb_asprintf("\n%s 1\n", name), *none = prb_asprintf("\n%s 0\n", name);

    TEST_ASSERT_TRUE(write_manifests(dead_provider));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_shows(&program, "/metrics", one));
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose", "[i] provider of guard: "));
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose", "configmaps default/held"));
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "configmaps default/held"));
    program_done(&program);

    program = (struct program){ 0 };
    START("--embedded", examples);
    TEST_ASSERT_CAME(program_shows(&program, "/metrics", none));
}

static void test_an_empty_folder_is_an_empty_hub(void)
{
    prb_autofree char *waiting = NULL;
    int64_t ms;

    START("--embedded", dir);
    waiting = program_get(&program, "/waiting");
    TEST_ASSERT_EQUAL_STRING("nothing waits\n", body_of(waiting));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGINT, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
}

static void test_a_kind_nobody_defined_is_served_with_a_note(void)
{
    TEST_ASSERT_TRUE(write_manifests("apiVersion: shop.example.dev/v1\n"
                                     "kind: Basket\n"
                                     "metadata: {name: one, namespace: shop}\n"));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_says(&program, "warn  about the manifests note="));
    TEST_ASSERT_CAME(program_says(&program, "Basket"));
}

static void test_a_criterion_cannot_forge_a_check(void)
{
    prb_autofree char *ready = NULL;

    TEST_ASSERT_TRUE(write_manifests("apiVersion: probate.dev/v1alpha1\n"
                                     "kind: CriticalService\n"
                                     "metadata: {name: one}\n"
                                     "spec:\n"
                                     "  provider: {group: apps, resource: deployments, "
                                     "namespace: a, name: b}\n"
                                     "  criteria:\n"
                                     "  - type: Finalizer\n"
                                     "    finalizer: {group: x.io, resource: \"a\\n[+] b\", "
                                     "finalizerName: x.io/y}\n"));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_shows(
            &program, "/readyz?verbose", "[i] critical-service wants a?[+] b.x.io: "));
    ready = program_get(&program, "/readyz?verbose");
    TEST_ASSERT_FALSE_MESSAGE(has_text(ready, "\n[+] b"), ready);
}

static void test_while_it_drains_it_is_unready_and_still_answers(void)
{
    prb_autofree char *health = NULL, *ready = NULL;
    int64_t ms;

    START("--embedded", dir, "--shutdown-delay=4m");
    (void)kill(program.pid, SIGTERM);
    TEST_ASSERT_CAME(program_shows(&program, "/readyz", "[-] shutdown: stopping\n"));
    ready = program_get(&program, "/readyz");
    ASSERT_STATUS(ready, 503);
    health = program_get(&program, "/healthz");
    ASSERT_STATUS(health, 200);

    TEST_ASSERT_EQUAL_MESSAGE(128 + SIGTERM, program_end(&program, SIGTERM, &ms),
            "the second signal ends it at once");
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
}

static void test_the_log_can_be_json(void)
{
    prb_autofree char *log = NULL;
    int64_t ms;
    char *line, *rest;

    program_start(
            &program, (const char *const[]){ "--embedded", dir, "--log-format", "json", NULL });
    TEST_ASSERT_CAME(program_says(&program, "\"msg\":\"ready\""));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    log = program_log(&program);
    rest = log;
    while ((line = strsep(&rest, "\n")) && *line) {
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_MESSAGE(0, prb_json_parse(line, strlen(line), NULL, &tree, &err), line);
        TEST_ASSERT_NOT_NULL_MESSAGE(prb_json_str(tree, "msg"), line);
    }
}

static void test_leader_election_works_on_the_embedded_hub_too(void)
{
    int64_t ms;

    TEST_ASSERT_TRUE(write_manifests(manifests));
    START("--embedded", dir, "--leader-elect", "--lease-namespace", "west");
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose", "[i] leader: this one leads"));
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "managedclusters west waits for: "));
    TEST_ASSERT_CAME(program_shows(
            &program, "/metrics", "leader_election_master_status{name=\"probate\"} 1"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_CAME(program_says(&program, "no longer leading"));
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    program_path = argv[1];
    examples = argv[2];
    UNITY_BEGIN();
    RUN_TEST(test_the_example_hub_becomes_ready_and_says_what_waits);
    RUN_TEST(test_a_deletion_is_shown_with_what_it_waits_for);
    RUN_TEST(test_works_are_shown_where_a_cluster_goes_and_elsewhere_on_demand);
    RUN_TEST(test_objects_without_a_controller_are_counted_and_named);
    RUN_TEST(test_an_empty_folder_is_an_empty_hub);
    RUN_TEST(test_a_kind_nobody_defined_is_served_with_a_note);
    RUN_TEST(test_a_criterion_cannot_forge_a_check);
    RUN_TEST(test_while_it_drains_it_is_unready_and_still_answers);
    RUN_TEST(test_the_log_can_be_json);
    RUN_TEST(test_leader_election_works_on_the_embedded_hub_too);
    return UNITY_END();
}

/* `probate serve` with the gate of cluster deletion on and off, as a process. */

#include <signal.h>
#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/temp_dir.h"

#define ON "--feature-gates=ClusterLifeCycle=true"
#define HALF_AN_HOUR_MS ((int64_t)30 * 60 * 1000)
#define FINALIZER "cluster.open-cluster-management.io/api-resource-cleanup"

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

/* A cluster that is being deleted, with an addon that somebody holds and a pod; and one that lives,
 * on which Probate once put its finalizer. */
static const char world[] =
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata:\n"
        "  name: west\n"
        "  deletionTimestamp: 2026-01-02T03:04:05Z\n"
        "  finalizers: [" FINALIZER "]\n"
        "---\n"
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata:\n"
        "  name: east\n"
        "  finalizers: [" FINALIZER "]\n"
        "  managedFields:\n"
        "  - {manager: probate, operation: Update, fieldsType: FieldsV1, fieldsV1: "
        "{'f:metadata': {'f:finalizers': {'v:\"" FINALIZER "\"': {}}}}}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Namespace\n"
        "metadata: {name: west}\n"
        "---\n"
        "apiVersion: addon.open-cluster-management.io/v1alpha1\n"
        "kind: ManagedClusterAddOn\n"
        "metadata: {name: search, namespace: west, finalizers: [example.dev/hold]}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Pod\n"
        "metadata: {name: installer, namespace: west}\n";

static const char ocm[] = "apiVersion: apps/v1\n"
                          "kind: Deployment\n"
                          "metadata:\n"
                          "  name: cluster-manager-registration-controller\n"
                          "  namespace: open-cluster-management-hub\n";

/* A cluster that is being deleted, whose namespace holds a provider that something depends on. */
static const char provider[] =
        "apiVersion: cluster.open-cluster-management.io/v1\n"
        "kind: ManagedCluster\n"
        "metadata: {name: west, deletionTimestamp: 2026-01-02T03:04:05Z, finalizers: [" FINALIZER
        "]}\n"
        "spec: {hubAcceptsClient: true}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: Namespace\n"
        "metadata: {name: west, labels: {open-cluster-management.io/cluster-name: west}}\n"
        "---\n"
        "apiVersion: apps/v1\n"
        "kind: Deployment\n"
        "metadata: {name: provider, namespace: west}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: ConfigMap\n"
        "metadata: {name: claim, namespace: default}\n"
        "---\n"
        "apiVersion: probate.dev/v1alpha1\n"
        "kind: CriticalService\n"
        "metadata: {name: guard}\n"
        "spec:\n"
        "  provider: {group: apps, resource: deployments, namespace: west, name: provider}\n"
        "  criteria:\n"
        "  - type: SpecificResource\n"
        "    specificResource: {group: '', resource: configmaps, namespace: default, name: claim}\n";

static bool write_manifest(const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;

    return prb_file_write(path, text, strlen(text), 0600, &err) == 0;
}

#define START(...)                                                           \
    do {                                                                     \
        program_start(&program, (const char *const[]){ __VA_ARGS__, NULL }); \
        ASSERT_READY(&program);                                              \
    } while (0)

static void test_with_the_gate_off_it_neither_runs_nor_watches(void)
{
    prb_autofree char *ready = NULL, *log = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    TEST_ASSERT_TRUE(write_manifest("ocm.yaml", ocm));
    START("--embedded", dir, "--controllers=*");
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", "managedclusters west waits for: "));
    ready = program_get(&program, "/readyz?verbose");
    TEST_ASSERT_FALSE_MESSAGE(has_text(ready, "rolebindings"), ready);
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    log = program_log(&program);
    ASSERT_HAS(log, "controller name=deletion-watch");
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "name=cluster-deletion"), log);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "controller=cluster-deletion"), log);
}

static void test_with_the_gate_off_finalizers_of_probate_are_taken_off(void)
{
    prb_autofree char *log = NULL;

    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    START("--embedded", dir);
    TEST_ASSERT_CAME(program_says(&program,
            "a finalizer that no controller sees to any more is taken off cluster=east "
            "finalizer=" FINALIZER));
    log = program_log(&program);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "is taken off cluster=west"), log);
}

static void test_with_the_gate_on_it_works_by_its_settings(void)
{
    TEST_ASSERT_TRUE(write_manifest("world.yaml", world));
    START("--embedded", dir, ON, "--delete-works=none", "--cluster-finalizer=example.com/mine",
            "--resources-to-monitor-for-deletion=pods.v1");
    TEST_ASSERT_CAME(program_says(&program,
            "deletion of clusters finalizer=example.com/mine delete_works=none monitored=pods.v1."));
    TEST_ASSERT_CAME(program_says(&program, "controller name=cluster-deletion"));
    TEST_ASSERT_TRUE(
            program_shows(&program, "/waiting", "1 pods left in namespace west: installer"));
    TEST_ASSERT_CAME(program_shows(
            &program, "/readyz?verbose", "[i] cluster-deletion wants pods: 1 objects\n"));
    TEST_ASSERT_CAME(program_says(&program, "is taken off cluster=east finalizer=" FINALIZER));
}

static void test_the_namespace_of_a_protected_provider_is_not_deleted(void)
{
    prb_autofree char *log = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_manifest("provider.yaml", provider));
    START("--embedded", dir, ON);
    TEST_ASSERT_CAME(program_shows(&program, "/waiting",
            "managedclusters west waits for: delete namespaces west: Namespace west cannot be "
            "deleted yet: CriticalService guard"));
    TEST_ASSERT_CAME(program_says(&program,
            "denied rule=critical-service code=403 operation=DELETE group=\"\" resource=namespaces "
            "subresource=\"\" namespace=\"\" name=west "
            "user=system:serviceaccount:probate-system:probate"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    log = program_log(&program);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "verb=delete object=\"namespaces west\""), log);
}

/* The annotation is in order, and there is nobody who could say that somebody may override. */
static void test_on_the_embedded_server_nobody_may_go_past(void)
{
    static const char before[] = "metadata: {name: west, labels: {";
    prb_autofree char *text = NULL;
    const char *at = strstr(provider, before);
    char until[PRB_TIME_SIZE];

    prb_time_format(prb_clock_system()->wall_ms(prb_clock_system()) + HALF_AN_HOUR_MS, until);
    TEST_ASSERT_NOT_NULL(at);
    text = prb_asprintf("%.*smetadata: {name: west, annotations: {probate.dev/allow-delete: "
                        "'until=%s a test'}, labels: {%s",
            (int)(at - provider), provider, until, at + strlen(before));
    TEST_ASSERT_TRUE(write_manifest("provider.yaml", text));
    START("--embedded", dir, ON);
    TEST_ASSERT_CAME(program_shows(&program, "/waiting",
            "The annotation probate.dev/allow-delete does not count: it could not be checked "
            "whether system:serviceaccount:probate-system:probate may \"override\""));
    TEST_ASSERT_CAME(program_says(&program, "denied rule=critical-service code="));
}

static void test_a_rule_that_does_not_deny_does_not_hold_the_embedded_server_either(void)
{
    TEST_ASSERT_TRUE(write_manifest("provider.yaml", provider));
    START("--embedded", dir, ON, "--rule-mode=critical-service=warn");
    TEST_ASSERT_CAME(program_says(&program, "verb=delete object=\"namespaces west\""));
    TEST_ASSERT_CAME(program_says(&program, "would be denied rule=critical-service"));
}

static void test_a_rule_that_is_left_out_is_not_asked(void)
{
    TEST_ASSERT_TRUE(write_manifest("provider.yaml", provider));
    START("--embedded", dir, ON, "--rules=-critical-service");
    TEST_ASSERT_CAME(program_says(&program, "verb=delete object=\"namespaces west\""));
}

/* Run to the end, with these flags after the folder. */
#define EXPECT(code, text, ...)                                                         \
    do {                                                                                \
        prb_autofree char *said_ = NULL;                                                \
        int exit_code_ = program_run(                                                   \
                (const char *const[]){ "serve", "--ops-listen=127.0.0.1:0",             \
                        "--listen=127.0.0.1:0", "--embedded", dir, __VA_ARGS__, NULL }, \
                NULL, &said_);                                                          \
                                                                                        \
        TEST_ASSERT_EQUAL_MESSAGE((code), exit_code_, said_);                           \
        ASSERT_HAS(said_, (text));                                                      \
    } while (0)

static void test_beside_ocm_its_finalizer_is_refused(void)
{
    TEST_ASSERT_TRUE(write_manifest("ocm.yaml", ocm));
    EXPECT(2,
            "probate serve: --cluster-finalizer: Open Cluster Management's registration controller "
            "runs on this hub (Deployment "
            "open-cluster-management-hub/cluster-manager-registration-controller)",
            ON);
    EXPECT(2, "Give Probate its own: --cluster-finalizer=probate.dev/cluster-cleanup", ON,
            "--cluster-finalizer=" FINALIZER);
}

static void test_beside_ocm_a_finalizer_of_its_own_is_fine(void)
{
    int64_t ms;

    TEST_ASSERT_TRUE(write_manifest("ocm.yaml", ocm));
    START("--embedded", dir, ON, "--cluster-finalizer=probate.dev/cluster-cleanup");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
}

static void test_beside_ocm_nobody_asks_for_a_controller_that_does_not_run(void)
{
    int64_t ms;

    TEST_ASSERT_TRUE(write_manifest("ocm.yaml", ocm));
    START("--embedded", dir, ON, "--controllers=-cluster-deletion");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
}

static void test_wrong_flags_stop_the_start(void)
{
    EXPECT(2, "--feature-gates: there is no feature gate \"ClusterLifecycle\"; did you mean",
            "--feature-gates=ClusterLifecycle=true");
    EXPECT(2,
            "--controllers: cluster-deletion is off; it needs "
            "--feature-gates=ClusterLifeCycle=true",
            "--controllers=cluster-deletion");
    EXPECT(2, "\"pods\" is not of the form RESOURCE.VERSION.GROUP", ON,
            "--resources-to-monitor-for-deletion=pods.v1,pods");
    EXPECT(2, "--cluster-finalizer: \"orphan\" is no name of a finalizer", ON,
            "--cluster-finalizer=orphan");
    EXPECT(2, "--delete-works: \"some\" is none of none, addon, all", ON, "--delete-works=some");
}

static void test_flags_of_a_closed_gate_stop_the_start(void)
{
    EXPECT(2,
            "--delete-works has no effect: the controller cluster-deletion is off. Add " ON
            ", or leave the flag out",
            "--delete-works=all");
    EXPECT(2, "--resources-to-monitor-for-deletion has no effect: the controller",
            "--resources-to-monitor-for-deletion=pods.v1");
    EXPECT(2, "--delete-works has no effect: the controller", "--delete-works=none",
            "--controllers=critical-service");
    EXPECT(2, "--delete-works has no effect: the controller", "--delete-works=addon");
    EXPECT(2, "--cluster-finalizer has no effect: the controller",
            "--cluster-finalizer=" FINALIZER);
}

/* The gate alone lets nobody wait for anything. */
static void test_flags_of_a_controller_that_is_left_out_stop_the_start(void)
{
    EXPECT(2,
            "--delete-works has no effect: the controller cluster-deletion is off. Do not leave it "
            "out with --controllers, or leave the flag out",
            ON, "--controllers=*,-cluster-deletion", "--delete-works=addon");
    EXPECT(2, "--cluster-finalizer has no effect: the controller", ON,
            "--controllers=critical-service", "--cluster-finalizer=example.com/mine");
}

/* A variable is as much of a flag, and an empty one is none. */
static void test_variables_of_a_closed_gate_stop_the_start_too(void)
{
    static const char *const serve[] = { "serve", "--ops-listen=127.0.0.1:0",
        "--listen=127.0.0.1:0", "--embedded", NULL, "--rules=none", NULL };
    static const char *const set[] = { "PROBATE_DELETE_WORKS", "addon", NULL };
    static const char *const empty[] = { "PROBATE_DELETE_WORKS", "", NULL };
    const char *arguments[sizeof(serve) / sizeof(serve[0])];
    prb_autofree char *refused = NULL, *passed = NULL;

    memcpy(arguments, serve, sizeof(serve));
    arguments[4] = dir;
    TEST_ASSERT_EQUAL(2, program_run(arguments, set, &refused));
    ASSERT_HAS(refused, "--delete-works has no effect: the controller");
    ASSERT_HAS(refused, "or leave the flag out, and PROBATE_DELETE_WORKS");
    TEST_ASSERT_EQUAL(2, program_run(arguments, empty, &passed));
    TEST_ASSERT_FALSE_MESSAGE(has_text(passed, "has no effect"), passed);
    ASSERT_HAS(passed, "--rules");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_with_the_gate_off_it_neither_runs_nor_watches);
    RUN_TEST(test_with_the_gate_off_finalizers_of_probate_are_taken_off);
    RUN_TEST(test_with_the_gate_on_it_works_by_its_settings);
    RUN_TEST(test_the_namespace_of_a_protected_provider_is_not_deleted);
    RUN_TEST(test_on_the_embedded_server_nobody_may_go_past);
    RUN_TEST(test_a_rule_that_does_not_deny_does_not_hold_the_embedded_server_either);
    RUN_TEST(test_a_rule_that_is_left_out_is_not_asked);
    RUN_TEST(test_beside_ocm_its_finalizer_is_refused);
    RUN_TEST(test_beside_ocm_a_finalizer_of_its_own_is_fine);
    RUN_TEST(test_beside_ocm_nobody_asks_for_a_controller_that_does_not_run);
    RUN_TEST(test_wrong_flags_stop_the_start);
    RUN_TEST(test_flags_of_a_closed_gate_stop_the_start);
    RUN_TEST(test_flags_of_a_controller_that_is_left_out_stop_the_start);
    RUN_TEST(test_variables_of_a_closed_gate_stop_the_start_too);
    return UNITY_END();
}

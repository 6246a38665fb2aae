/* `probate agent` on manifests in memory, and `probate serve` with works: as a process. */

#include <signal.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/temp_dir.h"

/* A clean end takes milliseconds; this is far above, and far below any timeout of a call. */
#define SOON_MS prb_test_patience_ms(PRB_TEST_PROMPT_MS)

static char *hub_dir, *own_dir;
static struct program program;

void setUp(void)
{
    hub_dir = prb_test_temp_dir();
    own_dir = prb_test_temp_dir();
    program = (struct program){ 0 };
}

void tearDown(void)
{
    program_done(&program);
    prb_test_temp_dir_remove(hub_dir);
    prb_test_temp_dir_remove(own_dir);
}

/* A work of this cluster, and one of another. */
static const char works[] =
        "apiVersion: work.open-cluster-management.io/v1\n"
        "kind: ManifestWork\n"
        "metadata: {name: web, namespace: c1}\n"
        "spec:\n"
        "  workload:\n"
        "    manifests:\n"
        "    - {apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: default}}\n"
        "---\n"
        "apiVersion: work.open-cluster-management.io/v1\n"
        "kind: ManifestWork\n"
        "metadata: {name: other, namespace: c2}\n"
        "spec:\n"
        "  workload:\n"
        "    manifests:\n"
        "    - {apiVersion: v1, kind: ConfigMap, metadata: {name: other, namespace: default}}\n";

static const char namespace[] = "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n";

static bool write_to(const char *dir, const char *name, const char *text)
{
    prb_autofree char *path = prb_asprintf("%s/%s", dir, name);
    struct prb_error err;

    return prb_file_write(path, text, strlen(text), 0600, &err) == 0;
}

#define START(...)                                                                 \
    do {                                                                           \
        program_start_agent(&program, (const char *const[]){ __VA_ARGS__, NULL }); \
        ASSERT_READY(&program);                                                    \
    } while (0)

/* The log of what reads and writes never shows how the two servers are told apart. */
#define ASSERT_PLAIN(text) TEST_ASSERT_FALSE_MESSAGE(has_text((text), "hub.probate.dev"), (text))

static void test_works_of_the_hub_come_to_the_cluster(void)
{
    prb_autofree char *ready = NULL, *metrics = NULL, *log = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(hub_dir, "works.yaml", works));
    TEST_ASSERT_TRUE(write_to(own_dir, "default.yaml", namespace));
    START("--hub-embedded", hub_dir, "--embedded", own_dir, "--cluster-name", "c1");
    ready = program_get(&program, "/readyz?verbose");
    ASSERT_STATUS(ready, 200);
    ASSERT_HAS(ready, "[+] manifestworks.work.open-cluster-management.io on the hub: 1 objects");
    ASSERT_HAS(ready, "[+] appliedmanifestworks.work.open-cluster-management.io: ");
    ASSERT_PLAIN(ready);
    TEST_ASSERT_CAME(program_says(&program, "object=\"configmaps default/web\""));
    TEST_ASSERT_CAME(program_shows(/* counted at the end of the pass that said so */
            &program, "/metrics", "probate_reconciles_total{controller=\"work\""));
    metrics = program_get(&program, "/metrics");
    ASSERT_HAS(metrics, "workqueue_adds_total{name=\"hub-informers\"}");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
    log = program_log(&program);
    ASSERT_HAS(log, "works cluster=c1 hub_hash=");
    ASSERT_HAS(log, "watches=\"manifestworks on the hub, appliedmanifestworks\"");
    ASSERT_HAS(log, "stopped");
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "default/other"), log);
}

static void test_a_cluster_in_memory_may_be_its_own_hub(void)
{
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(own_dir, "works.yaml", works));
    TEST_ASSERT_TRUE(write_to(own_dir, "default.yaml", namespace));
    START("--embedded", own_dir, "--cluster-name", "c1");
    TEST_ASSERT_CAME(program_says(&program, "object=\"configmaps default/web\""));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGINT, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
}

static void test_a_server_may_carry_out_works_too(void)
{
    prb_autofree char *ready = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(own_dir, "works.yaml", works));
    TEST_ASSERT_TRUE(write_to(own_dir, "default.yaml", namespace));
    program_start(&program, (const char *const[]){ "--embedded", own_dir, "--controllers",
                                    "critical-service,work", "--cluster-name", "c1", NULL });
    ASSERT_READY(&program);
    TEST_ASSERT_CAME(program_says(&program, "object=\"configmaps default/web\""));
    ready = program_get(&program, "/readyz?verbose");
    ASSERT_HAS(ready, "[+] manifestworks.work.open-cluster-management.io on the hub: 1 objects");
    ASSERT_HAS(ready, "[+] criticalservices.probate.dev: ");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
}

/* A policy that must not have the provider that a CriticalService protects. */
static const char guarded[] =
        "apiVersion: v1\n"
        "kind: Namespace\n"
        "metadata: {name: west, labels: {probate.dev/protected: 'true'}}\n"
        "---\n"
        "apiVersion: apps/v1\n"
        "kind: Deployment\n"
        "metadata: {name: provider, namespace: west}\n"
        "---\n"
        "apiVersion: v1\n"
        "kind: ConfigMap\n"
        "metadata: {name: claim, namespace: west}\n"
        "---\n"
        "apiVersion: probate.dev/v1alpha1\n"
        "kind: CriticalService\n"
        "metadata: {name: guard}\n"
        "spec:\n"
        "  provider: {group: apps, resource: deployments, namespace: west, name: provider}\n"
        "  criteria:\n"
        "  - type: SpecificResource\n"
        "    specificResource: {group: '', resource: configmaps, namespace: west, name: claim}\n"
        "---\n"
        "apiVersion: policy.open-cluster-management.io/v1\n"
        "kind: ConfigurationPolicy\n"
        "metadata: {name: p, namespace: c1}\n"
        "spec:\n"
        "  remediationAction: enforce\n"
        "  object-templates:\n"
        "  - complianceType: mustnothave\n"
        "    objectDefinition: {apiVersion: apps/v1, kind: Deployment, metadata: {name: provider, "
        "namespace: west}}\n";

/* Whoever has no server has no rules: what would be refused is done. */
static void test_nobody_judges_what_an_agent_does(void)
{
    TEST_ASSERT_TRUE(write_to(own_dir, "guarded.yaml", guarded));
    START("--embedded", own_dir, "--controllers=policy", "--cluster-name", "c1");
    TEST_ASSERT_CAME(program_says(&program, "verb=delete object=\"deployments west/provider\""));
}

/* The same world, and a server: it is refused. */
static void test_a_server_is_judged_that_does_what_an_agent_does(void)
{
    prb_autofree char *log = NULL;

    TEST_ASSERT_TRUE(write_to(own_dir, "guarded.yaml", guarded));
    program_start(&program, (const char *const[]){ "--embedded", own_dir, "--controllers",
                                    "critical-service,policy", "--cluster-name", "c1", NULL });
    ASSERT_READY(&program);
    TEST_ASSERT_CAME(program_says(&program,
            "denied rule=critical-service code=403 operation=DELETE group=apps resource=deployments "
            "subresource=\"\" namespace=west name=provider "
            "user=system:serviceaccount:probate-system:probate"));
    log = program_log(&program);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "verb=delete object=\"deployments"), log);
}

/* A policy in another namespace, with the finalizer of a Probate that carried it out. */
static const char stray[] =
        "apiVersion: policy.open-cluster-management.io/v1\n"
        "kind: ConfigurationPolicy\n"
        "metadata:\n"
        "  name: p\n"
        "  namespace: tenant\n"
        "  finalizers: [policy.open-cluster-management.io/delete-related-objects]\n"
        "  managedFields:\n"
        "  - manager: probate\n"
        "    operation: Update\n"
        "    fieldsType: FieldsV1\n"
        "    fieldsV1: {'f:metadata': {'f:finalizers': "
        "{'v:\"policy.open-cluster-management.io/delete-related-objects\"': {}}}}\n"
        "spec:\n"
        "  remediationAction: enforce\n"
        "  object-templates:\n"
        "  - complianceType: musthave\n"
        "    objectDefinition: {apiVersion: v1, kind: ConfigMap, metadata: {name: web, namespace: "
        "default}}\n";

static void test_an_agent_lets_go_of_policies_elsewhere(void)
{
    prb_autofree char *log = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(own_dir, "stray.yaml", stray));
    TEST_ASSERT_TRUE(write_to(own_dir, "default.yaml", namespace));
    START("--embedded", own_dir, "--controllers=policy", "--cluster-name", "c1");
    TEST_ASSERT_CAME(program_says(&program,
            "a finalizer of Probate is taken off a policy that is not carried out "
            "namespace=tenant policy=p"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    log = program_log(&program);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "configmaps default/web"), log);
}

static void test_a_dry_run_brings_nothing(void)
{
    prb_autofree char *log = NULL;
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(hub_dir, "works.yaml", works));
    START("--hub-embedded", hub_dir, "--embedded", own_dir, "--cluster-name", "c1", "--dry-run");
    TEST_ASSERT_CAME(program_says(&program, "change tried"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    log = program_log(&program);
    TEST_ASSERT_FALSE_MESSAGE(has_text(log, "change made"), log);
}

static void test_the_lease_is_on_the_cluster_and_is_its_own(void)
{
    int64_t ms;

    TEST_ASSERT_TRUE(write_to(own_dir, "default.yaml", namespace));
    START("--hub-embedded", hub_dir, "--embedded", own_dir, "--cluster-name", "c1",
            "--leader-elect", "--lease-namespace", "default");
    TEST_ASSERT_CAME(program_shows(&program, "/readyz?verbose", "[i] leader: this one leads"));
    TEST_ASSERT_CAME(program_says(&program, "lease=probate-agent"));
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64(SOON_MS, ms);
}

static void test_while_it_stops_it_is_unready_and_the_second_signal_ends_it(void)
{
    int64_t ms;

    START("--hub-embedded", hub_dir, "--embedded", own_dir, "--cluster-name", "c1");
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
    TEST_ASSERT_CAME(program_says(&program, "a second signal ends it at once"));
}

static void test_wrong_usage_is_exit_2_and_says_what_is_right(void)
{
    static const struct {
        const char *argv[9];
        const char *text;
    } cases[] = {
        { { "agent", "--cluster-name=c1" },
                "probate agent: --hub-kubeconfig is missing: the API server that has the works of "
                "this cluster" },
        { { "agent", "--hub-kubeconfig=/none" },
                "probate agent: --cluster-name is missing: the controller work needs" },
        { { "agent", "--hub-kubeconfig=/none", "--cluster-name=Not_One" },
                "--cluster-name: \"Not_One\" is no name of a cluster" },
        { { "agent", "--hub-kubeconfig=/none", "--cluster-name=c1", "--controllers=claims" },
                "there is no controller \"claims\"; there is policy, work" },
        { { "agent", "--hub-kubeconfig=/none", "--cluster-name=c1",
                  "--eviction-grace-period=soon" },
                "--eviction-grace-period" },
        { { "agent", "--hub-kubeconfig=/none", "--embedded=/nowhere-at-all", "--cluster-name=c1",
                  "--ops-listen=127.0.0.1:0" },
                "--embedded: " },
        { { "agent", "--listen=:9443" }, "--listen" },
        { { "agent", "extra" }, "unexpected argument \"extra\"" },
        { { "serve", "--embedded=.", "--controllers=work" },
                "probate serve: --cluster-name is missing: the controller work needs" },
        { { "agent", "--embedded=.", "--controllers=policy" },
                "probate agent: --policy-namespace is missing: the controller policy carries out "
                "the policies of one namespace, which is --cluster-name unless you say another" },
        { { "serve", "--embedded=.", "--controllers=*,policy" },
                "probate serve: --policy-namespace is missing: the controller policy carries out" },
        { { "agent", "--embedded=.", "--controllers=policy", "--policy-namespace=a.b" },
                "--policy-namespace: \"a.b\" is no name of a namespace" },
        { { "serve", "--embedded=.", "--controllers=work", "--cluster-name=a.b" },
                "--cluster-name: \"a.b\" is no name of a cluster" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *output = NULL;

        TEST_ASSERT_EQUAL_MESSAGE(2, program_run(cases[i].argv, NULL, &output), output);
        ASSERT_HAS(output, cases[i].text);
    }
}

static void test_a_hub_that_cannot_be_opened_is_named(void)
{
    const char *const argv[] = { "agent", "--hub-kubeconfig=/none", "--embedded", own_dir,
        "--cluster-name=c1", "--ops-listen=127.0.0.1:0", NULL };
    prb_autofree char *output = NULL;

    TEST_ASSERT_EQUAL(2, program_run(argv, NULL, &output));
    ASSERT_HAS(output, "probate agent: the hub: ");
    ASSERT_HAS(output, "/none");
}

static void test_two_places_for_one_hub_are_refused(void)
{
    prb_autofree char *output = NULL;
    const char *const argv[] = { "agent", "--hub-kubeconfig=/none", "--hub-embedded", hub_dir,
        "--embedded", own_dir, "--cluster-name=c1", "--ops-listen=127.0.0.1:0", NULL };

    TEST_ASSERT_EQUAL(2, program_run(argv, NULL, &output));
    ASSERT_HAS(output, "--hub-embedded and --hub-kubeconfig exclude each other");
}

static void test_flags_may_come_from_the_environment(void)
{
    static const char *const env[] = { "PROBATE_CLUSTER_NAME", "Not_One", "PROBATE_HUB_KUBECONFIG",
        "/none", NULL };
    prb_autofree char *output = NULL;

    TEST_ASSERT_EQUAL(2, program_run((const char *const[]){ "agent", NULL }, env, &output));
    ASSERT_HAS(output, "\"Not_One\" is no name of a cluster");
}

/* A port that nobody listens on: the first answer is a refusal, and so are all. */
static void test_a_hub_that_is_away_at_the_start_is_exit_3(void)
{
    static const char kubeconfig[] = "apiVersion: v1\n"
                                     "kind: Config\n"
                                     "current-context: hub\n"
                                     "contexts:\n"
                                     "- {name: hub, context: {cluster: hub, user: me}}\n"
                                     "clusters:\n"
                                     "- {name: hub, cluster: {server: \"https://127.0.0.1:1\"}}\n"
                                     "users:\n"
                                     "- {name: me, user: {}}\n";
    prb_autofree char *output = NULL, *path = prb_asprintf("%s/kubeconfig", hub_dir);
    const char *const argv[] = { "agent", "--hub-kubeconfig", path, "--embedded", own_dir,
        "--cluster-name=c1", "--ops-listen=127.0.0.1:0", NULL };

    TEST_ASSERT_TRUE(write_to(hub_dir, "kubeconfig", kubeconfig));
    TEST_ASSERT_EQUAL_MESSAGE(3, program_run(argv, NULL, &output), output);
    ASSERT_HAS(output, "probate agent: the hub: https://127.0.0.1:1 could not be reached within");
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    program_path = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_works_of_the_hub_come_to_the_cluster);
    RUN_TEST(test_a_cluster_in_memory_may_be_its_own_hub);
    RUN_TEST(test_a_server_may_carry_out_works_too);
    RUN_TEST(test_nobody_judges_what_an_agent_does);
    RUN_TEST(test_a_server_is_judged_that_does_what_an_agent_does);
    RUN_TEST(test_an_agent_lets_go_of_policies_elsewhere);
    RUN_TEST(test_a_dry_run_brings_nothing);
    RUN_TEST(test_the_lease_is_on_the_cluster_and_is_its_own);
    RUN_TEST(test_while_it_stops_it_is_unready_and_the_second_signal_ends_it);
    RUN_TEST(test_wrong_usage_is_exit_2_and_says_what_is_right);
    RUN_TEST(test_a_hub_that_cannot_be_opened_is_named);
    RUN_TEST(test_two_places_for_one_hub_are_refused);
    RUN_TEST(test_flags_may_come_from_the_environment);
    RUN_TEST(test_a_hub_that_is_away_at_the_start_is_exit_3);
    return UNITY_END();
}

/* `probate serve` on a real API server: connecting, leading, handing over. */

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/yaml.h"
#include "probate/kube/kube.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/cluster.h"
#include "support/fault_proxy.h"
#include "support/json_text.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* Longer than a test waits: who takes over before has been handed the lease. Others look at it
 * every 12 to 26 s then. */
#define LONG_LEASE "90s"

static const struct prb_gvr crds = { "apiextensions.k8s.io", "v1", "customresourcedefinitions" };
static const struct prb_gvr leases = { "coordination.k8s.io", "v1", "leases" };
static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };

/* What deletion-watch reads, beside namespaces. */
static const struct prb_gvr kinds[] = {
    { "cluster.open-cluster-management.io", "v1", "managedclusters" },
    { "work.open-cluster-management.io", "v1", "manifestworks" },
    { "addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons" },
};

/* A definition is some 40 KiB. */
#define CRD_FILE_MAX (1024 * 1024)

static const char *folder; /* of definitions */
static struct prb_api *api;
static char kubeconfig[PATH_MAX];
static struct prb_error err;
static char lease_name[PRB_TEST_NAME_SIZE];
static struct program first, second;

void setUp(void)
{
    err = (struct prb_error){ 0 };
    first = second = (struct program){ 0 };
    prb_test_unique_name("probate", lease_name);
}

void tearDown(void)
{
    struct prb_ref ref;
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;

    program_done(&first);
    program_done(&second);
    if (prb_ref_init(&ref, &leases, "default", lease_name) &&
            prb_api_get(api, &ref, NULL, &lease, &err) == 0)
        (void)prb_api_delete(
                api, &ref, &(struct prb_delete_options){ .uid = prb_object_uid(lease) }, &err);
}

/* The file that scripts/test names, else the one of the cluster that is up. */
static bool find_kubeconfig(void)
{
    const char *path = getenv("PROBATE_TEST_KUBECONFIG"); /* NOLINT(concurrency-mt-unsafe) */
    const char *script = getenv("PROBATE_TEST_CLUSTER");  /* NOLINT(concurrency-mt-unsafe) */
    const char *argv[] = { script, "kubeconfig", NULL };

    if (path && *path)
        return prb_copy(kubeconfig, sizeof(kubeconfig), path);
    return script && prb_test_run(&(struct prb_test_command){ .argv = argv }, kubeconfig,
                             sizeof(kubeconfig)) == 0;
}

static int create_crd(void *ctx, struct json_object *taken, size_t line, struct prb_error *why)
{
    prb_auto(prb_json_free) struct json_object *crd = taken;
    const char *name = prb_json_str(prb_json_obj(crd, "metadata"), "name");
    struct prb_ref ref;
    int r;

    (void)ctx;
    (void)line;
    if (!name || !prb_ref_init(&ref, &crds, NULL, name))
        return prb_fail(why, PRB_E_INVALID, "a definition without a name");
    r = prb_api_create(api, &ref, crd, NULL, NULL, why);
    return r == PRB_E_EXISTS ? 0 : r;
}

static int define(const char *resource)
{
    prb_autofree char *path = prb_asprintf("%s/%s.yaml", folder, resource);
    prb_autofree char *text = NULL;
    size_t len = 0;
    int r = prb_file_read(path, CRD_FILE_MAX, &text, &len, &err);

    return r < 0 ? r : prb_yaml_read(text, len, create_crd, NULL, &err);
}

static bool is_served(void *ctx)
{
    prb_auto(prb_page_done) struct prb_page page;
    const struct prb_gvr *gvr = ctx;

    prb_page_init(&page);
    return prb_api_list(api, gvr, NULL, &page, &err) == 0 || prb_test_saw("%s", err.msg);
}

/* Other tests may have made them too, from the same files; they are left there. */
static bool make_kinds(void)
{
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct prb_gvr gvr = kinds[i];

        if (define(gvr.resource) < 0 ||
                !prb_test_await("the kind is served", is_served, &gvr, PRB_TEST_SOON_MS))
            return false;
    }
    return true;
}

static bool open_cluster(void)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    return find_kubeconfig() && prb_kube_config_load(kubeconfig, NULL, &config, &err) == 0 &&
           prb_kube_open(config, NULL, &api, &err) == 0 && make_kinds();
}

static void start_with(struct program *program, const char *config, const char *lease_namespace)
{
    program_start(program, (const char *const[]){ "--kubeconfig", config, "--lease-namespace",
                                   lease_namespace, "--lease-name", lease_name, "--lease-duration",
                                   LONG_LEASE, "--shutdown-delay", "0s", NULL });
}

static void start(struct program *program, const char *lease_namespace)
{
    start_with(program, kubeconfig, lease_namespace);
}

/* Who holds the lease; "" when nobody does. The caller frees. */
static char *holder(void)
{
    prb_auto(prb_object_unref) struct prb_object *lease = NULL;
    struct prb_ref ref;
    const char *identity;

    (void)prb_ref_init(&ref, &leases, "default", lease_name);
    if (prb_api_get(api, &ref, NULL, &lease, &err) < 0)
        return prb_strdup("(no lease)");
    identity = prb_json_str(prb_object_spec(lease), "holderIdentity");
    return prb_strdup(identity ? identity : "");
}

static void test_it_connects_leads_and_gives_the_lease_back(void)
{
    prb_autofree char *log = NULL, *leading = NULL, *after = NULL;
    int64_t ms;

    start(&first, "default");
    ASSERT_READY(&first);
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "[i] leader: this one leads"));
    leading = holder();
    TEST_ASSERT_NOT_NULL_MESSAGE(strchr(leading, '_'), leading);
    TEST_ASSERT_EQUAL(0, program_end(&first, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64(PROGRAM_PATIENCE_MS, ms);
    after = holder();
    TEST_ASSERT_EQUAL_STRING("", after);
    log = program_log(&first);
    ASSERT_HAS(log, " connected server=https://127.0.0.1:");
    ASSERT_HAS(log, " version=v1.");
}

static void test_a_second_one_stands_by_and_takes_over_when_the_first_stops(void)
{
    prb_autofree char *ready = NULL;
    int64_t ms;

    start(&first, "default");
    ASSERT_READY(&first);
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "[i] leader: this one leads"));
    start(&second, "default");
    ASSERT_READY(&second);
    ready = program_get(&second, "/readyz?verbose");
    ASSERT_STATUS(ready, 200);
    ASSERT_HAS(ready, "[i] leader: on standby");

    TEST_ASSERT_EQUAL(0, program_end(&first, SIGTERM, &ms));
    TEST_ASSERT_CAME(program_shows(&second, "/readyz?verbose", "[i] leader: this one leads"));
}

static void test_a_deletion_on_the_server_is_shown_until_it_is_over(void)
{
    char name[PRB_TEST_NAME_SIZE];
    prb_autofree char *line = NULL;
    prb_auto(prb_json_free) struct json_object *body = NULL, *release = NULL;
    prb_auto(prb_object_unref) struct prb_object *cluster = NULL;
    struct prb_ref ref;

    prb_test_unique_name("west", name);
    body = prb_test_json("{'apiVersion':'cluster.open-cluster-management.io/v1',"
                         "'kind':'ManagedCluster','metadata':{'name':'%s',"
                         "'finalizers':['example.dev/hold']}}",
            name);
    line = prb_asprintf("managedclusters %s waits for: finalizer example.dev/hold", name);
    (void)prb_ref_init(&ref, &clusters, NULL, name);
    start(&first, "default");
    ASSERT_READY(&first);
    if (prb_api_create(api, &ref, body, NULL, &cluster, &err) < 0) {
        TEST_FAIL_MESSAGE(err.msg);
        return;
    }
    TEST_ASSERT_EQUAL_MESSAGE(0,
            prb_api_delete(api, &ref,
                    &(struct prb_delete_options){ .uid = prb_object_uid(cluster) }, &err),
            err.msg);
    TEST_ASSERT_CAME(program_shows(&first, "/waiting", line));

    release = prb_test_json("{'metadata':{'finalizers':null}}");
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_patch(api, &ref, PRB_PATCH_MERGE, release, NULL, NULL, &err), err.msg);
    TEST_ASSERT_CAME(program_says(&first, "no longer waiting controller=deletion-watch"));
}

static bool create(const struct prb_gvr *gvr, const char *namespace, const char *name,
        struct json_object *body_taken, struct prb_object **ret)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_ref ref;

    return prb_ref_init(&ref, gvr, namespace, name) &&
           prb_api_create(api, &ref, body, NULL, ret, &err) == 0;
}

/* A work that is being deleted, in a namespace of its own; false: it could not be made. */
static bool make_stuck_work(const char *namespace, struct prb_ref *ret)
{
    static const struct prb_gvr namespaces = { "", "v1", "namespaces" };
    prb_auto(prb_object_unref) struct prb_object *work = NULL;
    struct prb_delete_options deletion = { .uid = NULL };

    if (!create(&namespaces, NULL, namespace,
                prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}",
                        namespace),
                NULL) ||
            !create(&kinds[1], namespace, "web",
                    prb_test_json("{'apiVersion':'work.open-cluster-management.io/v1',"
                                  "'kind':'ManifestWork','metadata':{'name':'web','namespace':'%s',"
                                  "'finalizers':['example.dev/hold']},'spec':{'workload':{}}}",
                            namespace),
                    &work) ||
            !prb_ref_init(ret, &kinds[1], namespace, "web"))
        return false;
    deletion.uid = prb_object_uid(work);
    return prb_api_delete(api, ret, &deletion, &err) == 0;
}

static void test_a_stuck_work_of_a_cluster_that_stays_is_shown_on_demand(void)
{
    char name[PRB_TEST_NAME_SIZE];
    prb_autofree char *line = NULL, *shown = NULL, *waiting = NULL, *ready = NULL;
    prb_auto(prb_json_free) struct json_object *release =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_ref work;

    prb_test_unique_name("stuck", name);
    line = prb_asprintf("manifestworks %s/web waits for: finalizer example.dev/hold", name);
    if (!make_stuck_work(name, &work)) {
        TEST_FAIL_MESSAGE(err.msg);
        return;
    }
    start(&first, "default");
    ASSERT_READY(&first);
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "[i] leader: this one leads"));
    ready = program_get(&first, "/readyz?verbose");
    ASSERT_HAS(ready, "[i] manifestworks.work.open-cluster-management.io: read where a cluster or "
                      "namespace is deleted: ");
    waiting = program_get(&first, "/waiting");
    TEST_ASSERT_NULL_MESSAGE(strstr(waiting, name), waiting);
    TEST_ASSERT_EQUAL(0, program_run((const char *const[]){ "explain", "--kubeconfig", kubeconfig,
                                             "--namespace", name, NULL },
                                 NULL, &shown));
    ASSERT_HAS(shown, line);
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_patch(api, &work, PRB_PATCH_MERGE, release, NULL, NULL, &err), err.msg);
}

/* They are defined and not served: whether one is left cannot be told. */
static void test_works_that_are_not_served_are_not_called_none(void)
{
    prb_auto(prb_fault_proxy_stop) struct prb_fault_proxy *proxy = NULL;
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_autofree char *said = NULL;

    if (prb_kube_config_load(kubeconfig, NULL, &config, &err) < 0 ||
            prb_fault_proxy_start(config, &proxy, &err) < 0) {
        TEST_FAIL_MESSAGE(err.msg);
        return;
    }
    (void)prb_fault_proxy_add(
            proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                           .verb = "list",
                           .resource = "manifestworks.work.open-cluster-management.io",
                           .status = 404 });
    TEST_ASSERT_EQUAL(3,
            program_run((const char *const[]){ "explain", "--kubeconfig",
                                prb_fault_proxy_kubeconfig(proxy), "--namespace", "default", NULL },
                    NULL, &said));
    ASSERT_HAS(said, "manifestworks could not be read: ");
}

static void test_without_the_namespace_of_the_lease_it_is_ready_and_says_why_it_does_not_lead(void)
{
    start(&first, "no-such-namespace");
    ASSERT_READY(&first);
    TEST_ASSERT_CAME(program_says(&first, "lease not obtained namespace=no-such-namespace"));
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "[i] leader: on standby"));
}

/* A proxy before the server, and the program behind it, leading. */
static bool start_behind_proxy(struct prb_fault_proxy **ret)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    if (prb_kube_config_load(kubeconfig, NULL, &config, &err) < 0 ||
            prb_fault_proxy_start(config, ret, &err) < 0)
        return false;
    start_with(&first, prb_fault_proxy_kubeconfig(*ret), "default");
    return program_is_ready(&first) &&
           program_shows(&first, "/readyz?verbose", "[i] leader: this one leads");
}

/* Clusters, addons and namespaces. Works are watched only where something is deleted. */
static bool watches_all(void *ctx)
{
    int now = prb_fault_proxy_watches(ctx, NULL);

    return now >= 3 || prb_test_saw("%d watches", now);
}

static void test_a_collection_that_no_rule_looks_up_does_not_decide_readiness(void)
{
    prb_auto(prb_fault_proxy_stop) struct prb_fault_proxy *proxy = NULL;
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    prb_autofree char *ready = NULL;

    if (prb_kube_config_load(kubeconfig, NULL, &config, &err) < 0 ||
            prb_fault_proxy_start(config, &proxy, &err) < 0) {
        TEST_FAIL_MESSAGE(err.msg);
        return;
    }
    (void)prb_fault_proxy_add(
            proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                           .verb = "list",
                           .resource = "managedclusteraddons.addon.open-cluster-management.io",
                           .status = 500 });
    start_with(&first, prb_fault_proxy_kubeconfig(proxy), "default");
    TEST_ASSERT_CAME(program_says(&first, "these collections could not be read yet"));
    ASSERT_READY(&first);
    ready = program_get(&first, "/readyz");
    ASSERT_STATUS(ready, 200);
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose",
            "[i] managedclusteraddons.addon.open-cluster-management.io: not read yet"));
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "[i] leader: this one leads"));
}

static bool make_going_cluster(const char *name, struct prb_ref *ret)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = NULL;
    struct prb_delete_options deletion = { .uid = NULL };

    if (!create(&clusters, NULL, name,
                prb_test_json("{'apiVersion':'cluster.open-cluster-management.io/v1',"
                              "'kind':'ManagedCluster','metadata':{'name':'%s',"
                              "'finalizers':['example.dev/hold']}}",
                        name),
                &cluster) ||
            !prb_ref_init(ret, &clusters, NULL, name))
        return false;
    deletion.uid = prb_object_uid(cluster);
    return prb_api_delete(api, ret, &deletion, &err) == 0;
}

/* Others may delete clusters and namespaces beside this. */
static bool lacks_all_works(void *ctx)
{
    static const char line[] = "read where a cluster or namespace is deleted: 0 objects, ";
    prb_autofree char *ready = program_get(ctx, "/readyz?verbose");
    const char *at = strstr(ready, line);
    long watches = at ? strtol(at + strlen(line), NULL, 10) : 0;
    prb_autofree char *wanted = prb_asprintf("%ld watches, %ld not read yet: ", watches, watches);

    return (watches > 0 && prb_starts_with(at + strlen(line), wanted)) || prb_test_saw("%s", ready);
}

static void test_works_that_cannot_be_read_do_not_decide_readiness(void)
{
    prb_auto(prb_fault_proxy_stop) struct prb_fault_proxy *proxy = NULL;
    prb_auto(prb_json_free) struct json_object *release =
            prb_test_json("{'metadata':{'finalizers':null}}");
    prb_autofree char *ready = NULL;
    char name[PRB_TEST_NAME_SIZE];
    struct prb_ref cluster;

    if (!start_behind_proxy(&proxy)) {
        TEST_FAIL_MESSAGE("not ready and leading behind the proxy");
        return;
    }
    (void)prb_fault_proxy_add(
            proxy, &(struct prb_fault_rule){ .fault = PRB_FAULT_ANSWER,
                           .verb = "list",
                           .resource = "manifestworks.work.open-cluster-management.io",
                           .status = 500 });
    prb_test_unique_name("east", name);
    if (!make_going_cluster(name, &cluster)) {
        TEST_FAIL_MESSAGE(err.msg);
        return;
    }
    TEST_ASSERT_AWAIT("no works are read", lacks_all_works, &first);
    ready = program_get(&first, "/readyz");
    ASSERT_STATUS(ready, 200);
    TEST_ASSERT_EQUAL_MESSAGE(
            0, prb_api_patch(api, &cluster, PRB_PATCH_MERGE, release, NULL, NULL, &err), err.msg);
}

static void test_a_server_that_goes_away_is_waited_for(void)
{
    prb_auto(prb_fault_proxy_stop) struct prb_fault_proxy *proxy = NULL;
    prb_autofree char *ready = NULL;
    int64_t ms;

    if (!start_behind_proxy(&proxy)) {
        TEST_FAIL_MESSAGE("not ready and leading behind the proxy");
        return;
    }
    prb_fault_proxy_set_upstream(proxy, false);
    TEST_ASSERT_CAME(program_shows(&first, "/readyz?verbose", "last state; not watched now"));
    ready = program_get(&first, "/readyz");
    ASSERT_STATUS(ready, 200);
    prb_fault_proxy_set_upstream(proxy, true);
    TEST_ASSERT_AWAIT("all kinds are watched again", watches_all, proxy);
    TEST_ASSERT_EQUAL(0, program_end(&first, SIGTERM, &ms));
}

static void test_a_server_that_no_longer_answers_does_not_hold_up_the_end(void)
{
    prb_auto(prb_fault_proxy_stop) struct prb_fault_proxy *proxy = NULL;
    struct prb_fault_rule silence = { .fault = PRB_FAULT_BLACKHOLE };
    int64_t ms;

    if (!start_behind_proxy(&proxy)) {
        TEST_FAIL_MESSAGE("not ready and leading behind the proxy");
        return;
    }
    (void)prb_fault_proxy_add(proxy, &silence);
    TEST_ASSERT_EQUAL(0, program_end(&first, SIGTERM, &ms));
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(
            prb_test_patience_ms(25000), ms, "calls in progress are interrupted after 15 s");
    TEST_ASSERT_CAME(program_says(&first, "stopped"));
}

int main(int argc, char **argv)
{
    int failures;

    if (argc < 3)
        return 2;
    program_path = argv[1];
    folder = argv[2];
    if (!open_cluster()) {
        (void)fprintf(stderr, "no control plane to test on: %s\n", err.msg);
        return 1;
    }
    UNITY_BEGIN();
    RUN_TEST(test_it_connects_leads_and_gives_the_lease_back);
    RUN_TEST(test_a_second_one_stands_by_and_takes_over_when_the_first_stops);
    RUN_TEST(test_a_deletion_on_the_server_is_shown_until_it_is_over);
    RUN_TEST(test_a_stuck_work_of_a_cluster_that_stays_is_shown_on_demand);
    RUN_TEST(test_works_that_are_not_served_are_not_called_none);
    RUN_TEST(test_without_the_namespace_of_the_lease_it_is_ready_and_says_why_it_does_not_lead);
    RUN_TEST(test_a_collection_that_no_rule_looks_up_does_not_decide_readiness);
    RUN_TEST(test_works_that_cannot_be_read_do_not_decide_readiness);
    RUN_TEST(test_a_server_that_goes_away_is_waited_for);
    RUN_TEST(test_a_server_that_no_longer_answers_does_not_hold_up_the_end);
    failures = UNITY_END();
    prb_api_close(api);
    return failures;
}

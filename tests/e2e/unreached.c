/*
 * What is told while the API server does not answer Probate? kubectl repeats by itself what was
 * answered 503, ten times: what the first answer was is seen by a client that does not.
 */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/kube/kube.h"

#include "manifests.h"
#include "phases.h"
#include "support/json_text.h"
#include "support/wait.h"

/* Shorter than what the answers ask to wait (2 s): so nothing is repeated. */
#define ONE_TRY_MS 1900

/* The API server waits 5 s for Probate; then it answers itself, with LATE. */
#define PATIENCE_MS 5000
#define LATE "failed calling webhook"

static const struct prb_gvr works = { "work.open-cluster-management.io", "v1", "manifestworks" };

static struct bench *unreached;
static struct prb_api *api;
static struct prb_error err;

static bool open_api(void)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    return prb_kube_config_load(unreached->kubectl.kubeconfig, NULL, &config, &err) == 0 &&
           prb_kube_open(config, NULL, &api, &err) == 0;
}

static int fault(enum prb_fault kind, const char *resource, const char *name, int times)
{
    return prb_fault_proxy_add(unreached->proxy, &(struct prb_fault_rule){ .fault = kind,
                                                         .verb = "get",
                                                         .resource = resource,
                                                         .name = name,
                                                         .times = times,
                                                         .status = 503 });
}

/* No answer of Probate came in time. */
static bool is_late(int r)
{
    return r == PRB_E_IO || (r < 0 && strstr(err.msg, LATE));
}

/* The answer to a work, as a dry run; a busy machine may need several tries to get one in time. */
static int create_work(const char *namespace, const char *labels, int timeout_ms)
{
    prb_auto(prb_json_free) struct json_object *work = prb_test_json(
            "{'apiVersion':'work.open-cluster-management.io/v1','kind':'ManifestWork',"
            "'metadata':{'name':'w','namespace':'%s','labels':{%s}},'spec':{}}",
            namespace, labels);
    struct prb_write_options options = { .dry_run = true, .timeout_ms = timeout_ms };
    struct prb_test_wait wait = prb_test_wait_for(PRB_TEST_SOON_MS, "an answer to a work");
    struct prb_ref ref;
    int r;

    (void)prb_ref_init(&ref, &works, namespace, "w");
    do {
        r = prb_api_create(api, &ref, work, &options, NULL, &err);
        (void)prb_test_saw("%s", r < 0 ? err.msg : "");
    } while (is_late(r) && prb_test_wait_in_time(&wait));
    return r;
}

/* What is wrong with the answer; NULL: it is a 503 that says this, and calls nothing missing. */
static const char *find_fault(const char *text)
{
    if (err.status != 503 || !prb_streq(err.reason, "ServiceUnavailable"))
        return "no 503 ServiceUnavailable";
    if (err.retry_after_ms != 2000)
        return "does not say when to try again";
    if (!strstr(err.msg, text))
        return "says something else";
    return strstr(err.msg, "does not exist") || strstr(err.msg, "there is no ManagedCluster")
                   ? "calls missing what it could not look up"
                   : NULL;
}

#define ASSERT_UNVERIFIED(text)                                        \
    TEST_ASSERT_EQUAL_STRING_MESSAGE(NULL, find_fault(text), err.msg); \
    printf("        %s\n", err.msg)

static void test_a_cluster_that_cannot_be_looked_up_is_not_called_missing(void)
{
    (void)fault(PRB_FAULT_ANSWER, "managedclusters", NULL, 0);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, create_work(NOWHERE, "", ONE_TRY_MS));
    ASSERT_UNVERIFIED("ManifestWork nowhere/w cannot be created now: ManagedCluster nowhere could "
                      "not be looked up");
}

/* A cluster "leaving" that is being deleted, as far as Probate knows too. */
static bool begin_to_leave(char why[PRB_TEST_WHY_SIZE])
{
    const struct step steps[] = { { .run = "create", .input = A_CLUSTER }, THE_CLUSTER_IS_DELETED };

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        if (!step_run(&steps[i], &unreached->kubectl, "leaving", NULL, why))
            return false;
    }
    return true;
}

static void test_an_addon_that_cannot_be_looked_up_is_not_called_missing(void)
{
    char why[PRB_TEST_WHY_SIZE] = "";

    TEST_ASSERT_TRUE_MESSAGE(begin_to_leave(why), why);
    (void)fault(PRB_FAULT_ANSWER, "managedclusteraddons", NULL, 0);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE,
            create_work("leaving", "'open-cluster-management.io/addon-name':'backup'", ONE_TRY_MS));
    ASSERT_UNVERIFIED("ManagedClusterAddOn leaving/backup could not be looked up");
}

static void test_a_silent_api_server_gets_an_answer_before_it_loses_patience(void)
{
    (void)fault(PRB_FAULT_BLACKHOLE, "managedclusters", NULL, 0);
    (void)create_work(NOWHERE, "", PATIENCE_MS);
    ASSERT_UNVERIFIED("could not be looked up");
}

static void test_kubectl_repeats_what_could_not_be_verified(void)
{
    struct step step = { .run = "create --dry-run=server",
        .input = WORK("w"),
        .code = 403,
        .says = { "there is no ManagedCluster nowhere" } };
    char why[PRB_TEST_WHY_SIZE] = "";
    int rule;

    rule = fault(PRB_FAULT_ANSWER, "managedclusters", NOWHERE, 1);
    TEST_ASSERT_TRUE_MESSAGE(step_run(&step, &unreached->kubectl, NOWHERE, NULL, why), why);
    TEST_ASSERT_EQUAL(1, prb_fault_proxy_hits(unreached->proxy, rule));
}

/* A cluster, and a work of it in the same command. */
#define PAIR(n)            \
    NAMESPACE_OF("late" n) \
    CLUSTER_OF("late" n) WORK_IN("late" n, "'name':'first'", MANIFESTS)

static void test_a_cluster_that_the_cache_has_not_seen_yet_is_not_called_missing(void)
{
    const struct step step = { .run = "create", .input = PAIR("1") PAIR("2") PAIR("3") };
    char why[PRB_TEST_WHY_SIZE] = "";
    int rule = prb_fault_proxy_add(unreached->proxy,
            &(struct prb_fault_rule){
                    .fault = PRB_FAULT_BLACKHOLE, .verb = "watch", .resource = "managedclusters" });

    TEST_ASSERT_TRUE_MESSAGE(step_run(&step, &unreached->kubectl, NOWHERE, NULL, why), why);
    TEST_ASSERT_GREATER_THAN_MESSAGE(
            0, prb_fault_proxy_hits(unreached->proxy, rule), "the cache was not held up");
}

static void clear(void (*test)(void), const char *name, int line)
{
    UnityDefaultTestRun(test, name, line);
    prb_fault_proxy_clear(unreached->proxy, 0);
}

#define RUN(test) clear(test, #test, __LINE__)

void run_unreached_tests(struct bench *bench)
{
    unreached = bench;
    prb_fault_proxy_clear(unreached->proxy, 0);
    UnitySetTestFile(__FILE__);
    if (!open_api()) {
        (void)fprintf(stderr, "%s\n", err.msg);
        return;
    }
    RUN(test_a_cluster_that_cannot_be_looked_up_is_not_called_missing);
    RUN(test_an_addon_that_cannot_be_looked_up_is_not_called_missing);
    RUN(test_a_silent_api_server_gets_an_answer_before_it_loses_patience);
    RUN(test_kubectl_repeats_what_could_not_be_verified);
    RUN(test_a_cluster_that_the_cache_has_not_seen_yet_is_not_called_missing);
    prb_api_close(api);
}

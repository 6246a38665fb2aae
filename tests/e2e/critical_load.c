/*
 * What does a deletion cost when there are 5,000 objects of the guarded resource in 500 namespaces?
 *
 * Probate talks to the API server through the proxy, which counts; the clients do not. Figures are
 * printed, and no time is asserted: an answer that came too late would not be Probate's.
 */

#include <limits.h>
#include <stdio.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"

#include "critical.h"
#include "critical_crowd.h"
#include "support/wait.h"

#define IN_LOAD "load"

/* A CriticalService "load-NAME", whose provider waits for the finalizer "example.dev/NAME". */
#define LOAD_SERVICE(name)                             \
    DEPLOYMENT_IN(IN_LOAD, "'name':'" name "'", "0")   \
    CRITICAL_OF("load-" name, PROVIDER(IN_LOAD, name), \
            FINALIZER_OF("my.crd.group", "coolresources", "example.dev/" name))

/* Where no provider is: in a labelled Namespace every deletion is asked about live. */
#define IN_FREE "load-free"
#define FREE(number) DEPLOYMENT_IN(IN_FREE, "'name':'free-" number "'", "0")

static const char given[] = NAMESPACE_OF(IN_FREE) NAMESPACE_OF(IN_LOAD) LOAD_SERVICE("every")
        LOAD_SERVICE("last") LOAD_SERVICE("none");

static struct bench *loaded;
static struct prb_api *api;
static struct prb_error error;

static unsigned long count_calls(void)
{
    return prb_fault_proxy_count(loaded->proxy, NULL, NULL);
}

/* One step of kubectl; what it took Probate, and the time, are printed. */
static bool see(const struct step *step, char why[PRB_TEST_WHY_SIZE])
{
    unsigned long lists =
            prb_fault_proxy_count(loaded->proxy, "list", "coolresources.my.crd.group");
    int64_t began = prb_test_now_ms();
    bool right = step_run(step, &loaded->kubectl, IN_LOAD, NULL, why);

    printf("    kubectl %s: %d ms, %lu pages of a list\n", step->run,
            (int)(prb_test_now_ms() - began),
            prb_fault_proxy_count(loaded->proxy, "list", "coolresources.my.crd.group") - lists);
    return right;
}

#define ASSERT_STEP(...)                                   \
    do {                                                   \
        char why_[PRB_TEST_WHY_SIZE] = "";                 \
        const struct step step_ = __VA_ARGS__;             \
                                                           \
        TEST_ASSERT_TRUE_MESSAGE(see(&step_, why_), why_); \
    } while (0)

static void test_a_crowd_is_made(void)
{
    int64_t began = prb_test_now_ms();

    TEST_ASSERT_TRUE_MESSAGE(crowd_make(api, &error), error.msg);
    printf("    %d namespaces and %d objects in %d ms\n", CROWD_NAMESPACES,
            CROWD_NAMESPACES * CROWD_IN_EACH, (int)(prb_test_now_ms() - began));
    TEST_ASSERT_TRUE_MESSAGE(bench_kubectl(loaded, "create", given), loaded->why);
    TEST_ASSERT_TRUE_MESSAGE(
            bench_kubectl(loaded,
                    "wait --for=condition=Protected --timeout=60s criticalservice/load-every "
                    "criticalservice/load-last criticalservice/load-none",
                    NULL),
            loaded->why);
}

/* On a machine that is too busy for whole answers within the deadline, a deletion is tried again:
 * what could not be looked at in time is told as such. */
static void test_a_provider_that_all_of_them_need_is_refused_with_names(void)
{
    ASSERT_STEP(UNTIL_REFUSED(403, "delete deployment every", "CriticalService load-every",
            "crowd-000/cool-0", "and more"));
    ASSERT_STEP(UNTIL_REFUSED(403, "delete namespace " IN_LOAD CLUSTER_WIDE, "crowd-000/cool-0",
            CROWD_LAST_NAMESPACE "/" CROWD_LAST));
}

static void test_a_provider_that_only_the_last_of_the_list_needs_is_refused(void)
{
    ASSERT_STEP(UNTIL_REFUSED(403, "delete deployment last", "CriticalService load-last",
            CROWD_LAST_NAMESPACE "/" CROWD_LAST));
}

static void test_a_provider_that_none_of_them_needs_is_deleted(void)
{
    ASSERT_STEP(UNTIL("delete deployment none", "'none' deleted"));
}

static void test_once_the_last_has_let_go_its_provider_is_deleted(void)
{
    ASSERT_STEP(DO("patch coolresource " CROWD_LAST " --namespace=" CROWD_LAST_NAMESPACE
                   " --type=merge -p {'metadata':{'finalizers':['example.dev/every']}}"));
    ASSERT_STEP(UNTIL("delete deployment last", "'last' deleted"));
}

/* Reviews of deletions that Probate has allowed so far. */
static int64_t count_allowed(void)
{
    static const char line[] =
            "probate_admission_reviews_total{operation=\"DELETE\",decision=\"allow\"";
    prb_autofree char *metrics = program_get(&loaded->programs[CUT_OFF], "/metrics");
    int64_t total = 0, count;

    for (char *at = metrics; (at = strstr(at, line)) != NULL; at++) {
        char *value = at + strcspn(at, " \n"), *end = value + strcspn(value, "\n");

        *end = '\0';
        if (prb_parse_int(value + strspn(value, " "), 0, INT64_MAX, &count))
            total += count;
        *end = '\n';
    }
    return total;
}

/* A call that a deletion costs is there in every round; one that happens to come is not. */
#define ROUNDS 5
#define IN_A_ROUND 5

/* Delete some that nobody guards: how many calls has Probate made meanwhile? */
static bool play_round(unsigned long *ret_calls, char why[PRB_TEST_WHY_SIZE])
{
    static const struct step create =
            SEND("create", FREE("1") FREE("2") FREE("3") FREE("4") FREE("5"));
    static const struct step remove = SHOWS("delete deployment free-1 free-2 free-3 free-4 free-5",
            "'free-1' deleted", "'free-5' deleted");
    unsigned long before;

    if (!step_run(&create, &loaded->kubectl, IN_FREE, NULL, why))
        return false;
    before = count_calls();
    if (!step_run(&remove, &loaded->kubectl, IN_FREE, NULL, why))
        return false;
    *ret_calls = count_calls() - before;
    return true;
}

static void test_what_nobody_guards_is_deleted_without_a_call(void)
{
    char why[PRB_TEST_WHY_SIZE] = "";
    unsigned long fewest = ULONG_MAX, calls = 0;
    int64_t allowed = count_allowed();

    for (int i = 0; i < ROUNDS; i++) {
        TEST_ASSERT_TRUE_MESSAGE(play_round(&calls, why), why);
        fewest = calls < fewest ? calls : fewest;
        printf("    %d deletions of what nobody guards: %lu calls\n", IN_A_ROUND, calls);
    }
    TEST_ASSERT_EQUAL_MESSAGE(0, fewest, "calls in the round with the fewest");
    TEST_ASSERT_GREATER_OR_EQUAL_MESSAGE(
            allowed + (int64_t)ROUNDS * IN_A_ROUND, count_allowed(), "Probate was not asked");
}

void run_critical_load_tests(struct bench *bench)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;

    loaded = bench;
    UnitySetTestFile(__FILE__);
    if (prb_kube_config_load(loaded->kubectl.kubeconfig, NULL, &config, &error) < 0 ||
            prb_kube_open(config, NULL, &api, &error) < 0) {
        (void)fprintf(stderr, "%s\n", error.msg);
        return;
    }
    RUN_TEST(test_a_crowd_is_made);
    RUN_TEST(test_a_provider_that_all_of_them_need_is_refused_with_names);
    RUN_TEST(test_a_provider_that_only_the_last_of_the_list_needs_is_refused);
    RUN_TEST(test_a_provider_that_none_of_them_needs_is_deleted);
    RUN_TEST(test_once_the_last_has_let_go_its_provider_is_deleted);
    RUN_TEST(test_what_nobody_guards_is_deleted_without_a_call);
    prb_api_close(prb_take(api));
}

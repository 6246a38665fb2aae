/*
 * Does the real `probate serve` bring deletions of clusters to their end, many at once and killed
 * again and again?
 *
 *     test_clusters_process PROGRAM FOLDER-OF-CRDS both|storm|kills CLUSTERS KILLS
 *
 * With a sanitizer ($PROBATE_TEST_LANE) a tenth of both. The moments of the kills are chosen by a
 * seed that is printed; $PROBATE_TEST_SEED chooses the same again. The control plane is its own, in
 * the folder $PROBATE_TEST_CLUSTERS_DIR.
 */

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/mem.h"
#include "probate/base/random.h"
#include "probate/base/str.h"

#include "../cli/program.h"
#include "crowd.h"
#include "rows.h"
#include "support/cluster.h"
#include "support/wait.h"

/* What a storm may cost: for each object a look and a write, and twelve for the steps. */
#define CALLS_GOAL (2 * CROWD_OBJECTS + 12)

/* Deletions for each kill: 20 for 8. */
#define DELETIONS(kills) (((kills)*20 + 7) / 8)

/* A life ends after at most so many changes to what belongs to clusters, or after this time. A
 * cluster takes some 40 changes to go. */
#define CHANGES_MAX 120
#define LIFE_MS 4000

/* The namespaces of 500 clusters take the namespace controller minutes. */
#define PATIENCE_MS 120000
#define PATIENCE_EACH_MS 2500

static struct target target;
static struct prb_kube_config *config;
static struct program program;
static const char *dir, *crds, *lane;
static const char *lease_duration = "2s";
static char lease_name[PRB_TEST_NAME_SIZE];
static int64_t clusters, kills;
static uint64_t dice;
static int64_t hit; /* kills in the middle of a deletion */
static bool is_up;

void setUp(void)
{
}

void tearDown(void)
{
    program_done(&program);
}

/* The same on every machine: xorshift64. */
static uint64_t roll(uint64_t limit)
{
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return dice % limit;
}

static void start(void)
{
    program_start(&program,
            (const char *const[]){ "--kubeconfig", prb_fault_proxy_kubeconfig(target.real.proxy),
                    "--feature-gates", "ClusterLifeCycle=true", "--controllers", "cluster-deletion",
                    "--resources-to-monitor-for-deletion",
                    MONITORED_RESOURCE ".v1." MONITORED_GROUP, "--lease-namespace", "default",
                    "--lease-name", lease_name, "--lease-duration", lease_duration,
                    "--shutdown-delay", "0s", NULL });
}

static int open_target(struct prb_error *err)
{
    (void)prb_test_cluster_do(dir, "down", err); /* of a run that was itself killed */
    if (prb_test_cluster_do(dir, "up", err) < 0 ||
            prb_test_cluster_config_in(dir, &config, err) < 0 ||
            target_open(&target, config, err) < 0)
        return -1;
    target.crds = crds;
    return target_define_monitored(&target, err) < 0 || target_define(&target, ADDON, err) < 0 ||
                           target_define(&target, WORK, err) < 0 ||
                           target_define(&target, CLUSTER, err) < 0 ||
                           target_watch(&target, err) < 0
                   ? -1
                   : 0;
}

static void test_a_control_plane_comes_up(void)
{
    struct prb_error err = { .msg = "" };

    is_up = open_target(&err) == 0;
    TEST_ASSERT_TRUE_MESSAGE(is_up, err.msg);
}

/* Calls so far, but for the lease: that is renewed by the clock, whatever there is to do. */
static unsigned long calls(void)
{
    return prb_fault_proxy_count(target.real.proxy, NULL, NULL) -
           prb_fault_proxy_count(target.real.proxy, NULL, "leases.coordination.k8s.io");
}

static void print_calls(const char *verb, const char *resource, unsigned long before)
{
    unsigned long count = prb_fault_proxy_count(target.real.proxy, verb, resource) - before;

    printf("    %8lu %s %s\n", count, verb, resource);
}

static const struct {
    const char *verb, *resource;
} costs[] = {
    { "get", "managedclusters.cluster.open-cluster-management.io" },
    { "patch", "managedclusters.cluster.open-cluster-management.io" },
    { "patch", "managedclusters.cluster.open-cluster-management.io/status" },
    { "get", "namespaces" },
    { "patch", "namespaces" },
    { "delete", "namespaces" },
    { "list", MONITORED_RESOURCE "." MONITORED_GROUP },
    { "list", "managedclusteraddons.addon.open-cluster-management.io" },
    { "delete", "managedclusteraddons.addon.open-cluster-management.io" },
    { "list", "manifestworks.work.open-cluster-management.io" },
    { "delete", "manifestworks.work.open-cluster-management.io" },
    { "delete", "rolebindings.rbac.authorization.k8s.io" },
    { "patch", "rolebindings.rbac.authorization.k8s.io" },
    { "delete", "clusterroles.rbac.authorization.k8s.io" },
    { "delete", "clusterrolebindings.rbac.authorization.k8s.io" },
    { "create", "events" },
    { "patch", "events" },
};

#define COSTS (sizeof(costs) / sizeof(costs[0]))

static void play_storm(struct crowd *crowd, char *why)
{
    unsigned long before[COSTS], first, total;
    int64_t began;

    if (!crowd_make(crowd, why))
        return;
    for (size_t i = 0; i < COSTS; i++)
        before[i] = prb_fault_proxy_count(target.real.proxy, costs[i].verb, costs[i].resource);
    first = calls();
    began = prb_test_now_ms();
    if (!crowd_delete(crowd, 0, crowd->count, why) ||
            !crowd_await_end(crowd, PATIENCE_MS + PATIENCE_EACH_MS * (int)crowd->count, why))
        return;
    total = calls() - first;
    printf("    %zu clusters of %d objects: %lu calls, %.1f for each; the goal is %d; in %.1f s\n",
            crowd->count, CROWD_OBJECTS, total, (double)total / (double)crowd->count, CALLS_GOAL,
            (double)(prb_test_now_ms() - began) / 1000);
    for (size_t i = 0; i < COSTS; i++)
        print_calls(costs[i].verb, costs[i].resource, before[i]);
    if (total > (unsigned long)CALLS_GOAL * crowd->count)
        (void)snprintf(why, PRB_TEST_WHY_SIZE, "%lu calls for %zu clusters, more than %d each",
                total, crowd->count, CALLS_GOAL);
}

static void test_many_clusters_are_deleted_at_once(void)
{
    prb_auto(crowd_done) struct crowd crowd;
    char why[PRB_TEST_WHY_SIZE] = "";

    crowd_init(&crowd, &target, (size_t)clusters);
    start();
    ASSERT_READY(&program);
    play_storm(&crowd, why);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, agents_robbed(target.agents));
}

/* Those whom nothing of it concerns: a live cluster, and a namespace without a cluster. */
struct bystanders {
    struct estate live, lonely;
};

static int make_bystanders(struct bystanders *all)
{
    DO(estate_found(&all->live));
    DO(estate_make(&all->live, ADDON, "search", ""));
    DO(estate_make_addon_work(&all->live, "deploy", "search"));
    DO(estate_make_addon_work(&all->live, "orphaned", "long-gone"));
    DO(make_customised(&all->live, "mine"));
    DO(estate_make(&all->lonely, NAMESPACE, NULL, ""));
    DO(estate_make(&all->lonely, ADDON, "search", ""));
    return make_customised(&all->lonely, "mine");
}

static void check_untouched(void *ctx, const struct trace *trace)
{
    struct estate *estate = ctx;

    /* Kubernetes writes to a new namespace, and Probate puts a finalizer on a new cluster. */
    if (trace->begun.by > 0 ||
            (trace->changes > 0 && trace->sort != NAMESPACE && trace->sort != CLUSTER))
        (void)estate_fail(estate, "%s %.200s was touched", sort_name(trace->sort), trace->ref.name);
}

static void check_bystanders(struct bystanders *all)
{
    prb_auto(prb_object_unref) struct prb_object *namespace =
            estate_get(&all->live, NAMESPACE, NULL);

    recording_each(target.recording, all->live.id, check_untouched, &all->live);
    recording_each(target.recording, all->lonely.id, check_untouched, &all->lonely);
    if (!namespace || prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID))
        (void)estate_fail(&all->live, "the namespace of a live cluster is marked");
}

static void add_changes(void *ctx, const struct trace *trace)
{
    uint64_t *sum = ctx;

    *sum += 1 + trace->changes + (trace->gone.by > 0);
}

static uint64_t changes(void)
{
    uint64_t sum = 0;

    recording_each(target.recording, NULL, add_changes, &sum);
    return sum;
}

/* Is the life of this one over? */
struct life {
    uint64_t until; /* changes */
    int64_t deadline_ms;
};

static bool is_over(void *ctx)
{
    const struct life *life = ctx;

    return changes() >= life->until || prb_test_now_ms() >= life->deadline_ms;
}

/* Clusters whose deletion has begun, and is not over. */
static void count_underway(void *ctx, const struct trace *trace)
{
    size_t *count = ctx;

    *count += trace->sort == CLUSTER && trace->begun.by > 0 && trace->gone.by == 0;
}

/* A process that leads, is given a few deletions, and is killed in the middle of what it does. */
static bool live_and_die(struct crowd *crowd, size_t number, char *why)
{
    size_t from = number * crowd->count / (size_t)kills;
    size_t to = (number + 1) * crowd->count / (size_t)kills;
    struct life life = { .until = changes() + roll(CHANGES_MAX) };
    size_t underway = 0;
    int64_t ms;

    if (!crowd_delete(crowd, from, to - from, why))
        return false;
    life.deadline_ms = prb_test_now_ms() + LIFE_MS;
    (void)prb_test_wait(is_over, &life, 2 * LIFE_MS);
    recording_each(target.recording, NULL, count_underway, &underway);
    printf("    kill %zu: %zu clusters on their way\n", number + 1, underway);
    hit += underway > 0;
    (void)program_end(&program, SIGKILL, &ms);
    program_done(&program);
    start();
    if (program_is_ready(&program))
        return true;
    (void)snprintf(why, PRB_TEST_WHY_SIZE, "not ready after kill %zu", number + 1);
    return false;
}

static void play_kills(struct crowd *crowd, char *why)
{
    struct bystanders all;

    estate_open(&all.live, &target, why);
    estate_open(&all.lonely, &target, why);
    if (!crowd_make(crowd, why) || make_bystanders(&all) < 0)
        return;
    for (size_t i = 0; i < (size_t)kills; i++) {
        if (!live_and_die(crowd, i, why))
            return;
    }
    if (crowd_await_end(crowd, PATIENCE_MS + PATIENCE_EACH_MS * (int)crowd->count, why))
        check_bystanders(&all);
}

static void test_a_probate_that_is_killed_carries_on(void)
{
    prb_auto(crowd_done) struct crowd crowd;
    char why[PRB_TEST_WHY_SIZE] = "";
    int64_t ms;

    crowd_init(&crowd, &target, (size_t)DELETIONS(kills));
    start();
    ASSERT_READY(&program);
    play_kills(&crowd, why);
    TEST_ASSERT_EQUAL_STRING("", why);
    TEST_ASSERT_EQUAL(0, agents_robbed(target.agents));
    TEST_ASSERT_GREATER_THAN_INT64(kills / 2, hit);
    TEST_ASSERT_EQUAL(0, program_end(&program, SIGTERM, &ms));
}

static bool read_arguments(int argc, char **argv)
{
    const char *given = getenv("PROBATE_TEST_SEED"); /* NOLINT(concurrency-mt-unsafe) */
    int64_t seed = (int64_t)prb_random_below(UINT32_MAX);

    dir = getenv("PROBATE_TEST_CLUSTERS_DIR"); /* NOLINT(concurrency-mt-unsafe) */
    lane = getenv("PROBATE_TEST_LANE");        /* NOLINT(concurrency-mt-unsafe) */
    if (argc < 6 || !dir || !prb_parse_int(argv[4], 1, 10000, &clusters) ||
            !prb_parse_int(argv[5], 1, 10000, &kills))
        return false;
    if (given && !prb_parse_int(given, 0, INT64_MAX, &seed))
        (void)fprintf(stderr, "PROBATE_TEST_SEED is no number; another one is taken\n");
    printf("PROBATE_TEST_SEED=%lld chooses the same moments again\n", (long long)seed);
    dice = (uint64_t)seed * 2654435761U + 1;
    if (lane && !prb_streq(lane, "normal")) {
        clusters = (clusters + 9) / 10;
        kills = (kills + 9) / 10;
    }
    program_path = argv[1];
    crds = argv[2];
    return true;
}

int main(int argc, char **argv)
{
    struct prb_error err;

    if (!read_arguments(argc, argv)) {
        (void)fprintf(stderr,
                "usage: PROBATE_TEST_CLUSTERS_DIR=FOLDER %s PROGRAM FOLDER-OF-CRDS "
                "both|storm|kills CLUSTERS KILLS\n",
                argv[0]);
        return 2;
    }
    prb_log_configure(PRB_LOG_ERROR, PRB_LOG_TEXT, STDERR_FILENO);
    prb_test_unique_name("probate", lease_name);
    UNITY_BEGIN();
    RUN_TEST(test_a_control_plane_comes_up);
    if (is_up && !prb_streq(argv[3], "kills"))
        RUN_TEST(test_many_clusters_are_deleted_at_once);
    if (is_up && !prb_streq(argv[3], "storm"))
        RUN_TEST(test_a_probate_that_is_killed_carries_on);
    if (is_up)
        target_close(&target);
    prb_kube_config_free(config);
    (void)prb_test_cluster_do(dir, "down", &err);
    return UNITY_END();
}

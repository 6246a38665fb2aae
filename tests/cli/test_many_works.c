/*
 * `probate serve` on a hub with many works, as a process on a real API server: ready and small
 * while no cluster goes, and while more clusters go than have a watch each.
 *
 * Arguments: PROGRAM FOLDER-OF-DEFINITIONS CLUSTERS WORKS-OF-EACH
 */

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/file.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/kube/kube.h"

#include "../admission/http_client.h"
#include "program.h"
#include "support/cluster.h"
#include "support/definitions.h"
#include "support/json_text.h"
#include "support/temp_dir.h"
#include "support/wait.h"

/* The chart's default memory limit. */
#define LIMIT_KIB (512L * 1024)

/* More than have a watch each: see PRB_NAMESPACED_WATCHES_MAX. */
enum { GOING = 130, MAKERS = 8, NOTE_SIZE = 1024 };

static const struct prb_gvr namespaces = { "", "v1", "namespaces" };
static const struct prb_gvr clusters = { "cluster.open-cluster-management.io", "v1",
    "managedclusters" };
static const struct prb_gvr works = { "work.open-cluster-management.io", "v1", "manifestworks" };
static const struct prb_gvr addons = { "addon.open-cluster-management.io", "v1alpha1",
    "managedclusteraddons" };

static struct prb_api *api;
static const char *kubeconfig;
static int64_t cluster_count, works_of_each;
static char prefix[PRB_TEST_NAME_SIZE];
static struct program program;
static atomic_int next, failed;

void setUp(void)
{
}

void tearDown(void)
{
    program_done(&program);
}

static int create(const struct prb_gvr *gvr, const char *namespace, const char *name,
        struct json_object *body_taken, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *body = body_taken;
    struct prb_ref ref;

    if (!prb_ref_init(&ref, gvr, namespace, name))
        return prb_fail(err, PRB_E_INVALID, "%s is no name", name);
    return prb_api_create(api, &ref, body, NULL, NULL, err);
}

/* As an agent would have applied it: what was applied last is the bulk of the metadata. */
static int make_work(const char *cluster, int64_t number, struct prb_error *err)
{
    char name[32], note[NOTE_SIZE + 1];

    (void)snprintf(name, sizeof(name), "work-%d", (int)number);
    memset(note, 'x', NOTE_SIZE);
    note[NOTE_SIZE] = '\0';
    return create(&works, cluster, name,
            prb_test_json("{'apiVersion':'work.open-cluster-management.io/v1',"
                          "'kind':'ManifestWork','metadata':{'name':'%s','namespace':'%s',"
                          "'annotations':{'example.com/last-applied':'%s'},'labels':{'app':'%s'}},"
                          "'spec':{'workload':{'manifests':[]}}}",
                    name, cluster, note, name),
            err);
}

static int make_cluster(const char *name, struct prb_error *err)
{
    int r = create(&namespaces, NULL, name,
            prb_test_json("{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'%s'}}", name),
            err);

    if (r == 0)
        r = create(&clusters, NULL, name,
                prb_test_json("{'apiVersion':'cluster.open-cluster-management.io/v1',"
                              "'kind':'ManagedCluster','metadata':{'name':'%s',"
                              "'finalizers':['example.dev/hold']}}",
                        name),
                err);
    for (int64_t i = 0; r == 0 && i < works_of_each; i++)
        r = make_work(name, i, err);
    return r;
}

static void name_of(int number, char name[PRB_TEST_NAME_SIZE + 16])
{
    (void)snprintf(name, PRB_TEST_NAME_SIZE + 16, "%s-%d", prefix, number);
}

static int let_go(const char *name, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *release =
            prb_test_json("{'metadata':{'finalizers':null}}");
    struct prb_ref ref;

    (void)prb_ref_init(&ref, &clusters, NULL, name);
    return prb_api_patch(api, &ref, PRB_PATCH_MERGE, release, NULL, NULL, err);
}

static int delete_object(const struct prb_gvr *gvr, const char *name, struct prb_error *err)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref ref;
    int r;

    (void)prb_ref_init(&ref, gvr, NULL, name);
    r = prb_api_get(api, &ref, NULL, &object, err);
    if (r == 0)
        r = prb_api_delete(
                api, &ref, &(struct prb_delete_options){ .uid = prb_object_uid(object) }, err);
    return r;
}

static int delete_cluster(const char *name, struct prb_error *err)
{
    return delete_object(&clusters, name, err);
}

static int delete_namespace(const char *name, struct prb_error *err)
{
    return delete_object(&namespaces, name, err);
}

/* Something that is done to each of the first clusters, by several threads. */
struct task {
    int (*act)(const char *name, struct prb_error *err);
    int count;
};

static void *do_some(void *arg)
{
    const struct task *task = arg;

    for (int i = atomic_fetch_add(&next, 1); i < task->count; i = atomic_fetch_add(&next, 1)) {
        char name[PRB_TEST_NAME_SIZE + 16];
        struct prb_error err;

        name_of(i, name);
        if (task->act(name, &err) == 0)
            continue;
        if (atomic_fetch_add(&failed, 1) == 0)
            (void)fprintf(stderr, "%s: %s\n", name, err.msg);
    }
    return NULL;
}

static bool do_all(int (*act)(const char *name, struct prb_error *err), int count)
{
    struct task task = { .act = act, .count = count };
    pthread_t threads[MAKERS];

    atomic_store(&next, 0);
    atomic_store(&failed, 0);
    for (int i = 0; i < MAKERS; i++) {
        if (pthread_create(&threads[i], NULL, do_some, &task) != 0)
            abort();
    }
    for (int i = 0; i < MAKERS; i++)
        (void)pthread_join(threads[i], NULL);
    return atomic_load(&failed) == 0;
}

/* The most that the process has had in memory so far; 0: not to be had. */
static long peak_kib(void)
{
    prb_autofree char *path = prb_asprintf("/proc/%d/status", (int)program.pid), *text = NULL;
    size_t len = 0;
    struct prb_error err;
    const char *line;

    if (prb_file_read(path, (size_t)64 * 1024, &text, &len, &err) < 0)
        return 0;
    line = strstr(text, "VmHWM:");
    return line ? strtol(line + strlen("VmHWM:"), NULL, 10) : 0;
}

static void check_memory(const char *when)
{
    long peak = peak_kib();

    (void)printf("%s, %lld works: peak %ld MiB\n", when, (long long)(cluster_count * works_of_each),
            peak / 1024);
    TEST_ASSERT_GREATER_THAN_INT64(0, peak);
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(LIMIT_KIB, peak, "the chart's default limit");
}

/* "...: 650 objects, 1 watches, 0 not read yet" of works; false: there is no such line. */
static bool read_counts(long *ret_objects, long *ret_watches)
{
    prb_autofree char *ready = program_get(&program, "/readyz?verbose");
    const char *line = strstr(ready, "read where a cluster or namespace is deleted: ");
    char *end = NULL;

    if (!line || !strstr(ready, "200"))
        return prb_test_saw("%s", ready);
    *ret_objects =
            strtol(line + strlen("read where a cluster or namespace is deleted: "), &end, 10);
    *ret_watches = strtol(end + strlen(" objects, "), NULL, 10);
    return true;
}

static bool has_read_those_that_go(void *ctx)
{
    long objects, watches;

    (void)ctx;
    return read_counts(&objects, &watches) &&
           ((objects >= GOING * (long)works_of_each && watches <= 41) ||
                   prb_test_saw("%ld objects by %ld watches", objects, watches));
}

static bool has_dropped_them(void *ctx)
{
    long objects, watches;

    (void)ctx;
    return read_counts(&objects, &watches) &&
           (objects < (long)works_of_each || prb_test_saw("%ld objects are kept", objects));
}

static void test_a_hub_with_many_works_is_ready_within_the_default_limit(void)
{
    prb_autofree char *line = NULL;
    long objects = 0, watches = 0;
    char last[PRB_TEST_NAME_SIZE + 16];

    name_of(GOING - 1, last);
    line = prb_asprintf("managedclusters %s waits for: finalizer example.dev/hold; %lld works left "
                        "in namespace %s: work-",
            last, (long long)works_of_each, last);
    TEST_ASSERT_TRUE(do_all(make_cluster, (int)cluster_count));
    program_start(&program, (const char *const[]){ "--kubeconfig", kubeconfig,
                                    "--leader-elect=false", "--shutdown-delay", "0s", NULL });
    ASSERT_READY(&program);
    TEST_ASSERT_TRUE(read_counts(&objects, &watches));
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(works_of_each, objects, "no work of ours is read");
    check_memory("ready, no cluster goes");

    TEST_ASSERT_TRUE(do_all(delete_cluster, GOING));
    TEST_ASSERT_AWAIT_WITHIN("the works of all clusters that go are read", has_read_those_that_go,
            NULL, PRB_TEST_STORM_MS);
    TEST_ASSERT_TRUE(read_counts(&objects, &watches));
    TEST_ASSERT_LESS_THAN_INT64_MESSAGE(
            cluster_count * works_of_each, objects, "those of other clusters are not kept");
    TEST_ASSERT_CAME(program_shows(&program, "/waiting", line));
    check_memory("130 clusters go");

    TEST_ASSERT_TRUE(do_all(let_go, GOING));
    TEST_ASSERT_AWAIT_WITHIN("nothing of them is kept", has_dropped_them, NULL, PRB_TEST_STORM_MS);
}

static int open_cluster(const char *definitions, struct prb_error *err)
{
    prb_auto(prb_kube_config_free) struct prb_kube_config *config = NULL;
    int r = prb_test_cluster_config(&config, err);

    if (r == 0)
        r = prb_kube_open(config, NULL, &api, err);
    if (r == 0)
        r = prb_test_define(api, definitions, "managedclusters", &clusters, err);
    if (r == 0)
        r = prb_test_define(api, definitions, "manifestworks", &works, err);
    return r == 0 ? prb_test_define(api, definitions, "managedclusteraddons", &addons, err) : r;
}

int main(int argc, char **argv)
{
    struct prb_error err;
    int failures;

    kubeconfig = getenv("PROBATE_TEST_KUBECONFIG"); /* NOLINT(concurrency-mt-unsafe) */
    if (argc < 5 || !kubeconfig || !prb_parse_int(argv[3], GOING, INT_MAX, &cluster_count) ||
            !prb_parse_int(argv[4], 1, INT_MAX, &works_of_each)) {
        (void)fprintf(stderr, "usage: test_many_works PROGRAM DEFINITIONS CLUSTERS WORKS, with "
                              "$PROBATE_TEST_KUBECONFIG\n");
        return 2;
    }
    program_path = argv[1];
    if (open_cluster(argv[2], &err) < 0) {
        (void)fprintf(stderr, "no control plane to test on: %s\n", err.msg);
        return 1;
    }
    prb_test_unique_name("many", prefix);
    UNITY_BEGIN();
    RUN_TEST(test_a_hub_with_many_works_is_ready_within_the_default_limit);
    failures = UNITY_END();
    (void)do_all(delete_namespace, (int)cluster_count);
    prb_api_close(api);
    return failures;
}

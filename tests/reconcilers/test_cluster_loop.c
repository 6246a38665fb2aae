/* Does the real loop, with informers and workers, bring deletions to their end? */

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/control/runner.h"

#include "cluster_hub.h"
#include "cluster_world.h"
#include "support/informers.h"
#include "support/wait.h"

#define CLUSTERS_MANY 12

#define RBAC_OF(i) "open-cluster-management:managedcluster:m" i

static struct prb_informers *informers;
static struct prb_runner *runner;
static struct prb_reconciler reconciler;
static _Atomic bool refuse; /* deletions of addons */

static int admit(void *ctx, const struct prb_hub_write *write, struct prb_error *err)
{
    (void)ctx;
    if (atomic_load(&refuse) && strcmp(write->operation, "DELETE") == 0 &&
            strcmp(write->resource->gvr.resource, "managedclusteraddons") == 0)
        return prb_fail(err, PRB_E_FORBIDDEN, "not allowed here");
    return 0;
}

void setUp(void)
{
    struct prb_runner_options options = { .workers = 2 };

    cluster_world_init();
    cluster_hub_init();
    atomic_store(&refuse, false);
    prb_hub_set_admission(cluster_hub.hub, admit, NULL);
    reconciler = prb_reconciler_cluster_deletion;
    reconciler.settings = &cluster_hub.settings;
    informers = prb_informers_new(cluster_hub.api, NULL);
    options.api = cluster_hub.api;
    options.informers = informers;
    runner = prb_runner_new(&reconciler, &options);
}

void tearDown(void)
{
    prb_runner_stop(runner);
    prb_informers_stop(informers);
    prb_runner_free(runner);
    prb_informers_free(informers);
    cluster_hub_done();
    cluster_world_done();
}

static bool start(void)
{
    struct prb_error err;

    return prb_informers_start(informers, &err) == 0 &&
           prb_test_await_synced(informers, PRB_TEST_PROMPT_MS) &&
           prb_runner_start(runner, &err) == 0;
}

__attribute__((format(printf, 1, 2))) static void putf(const char *fmt, ...)
{
    prb_auto(prb_str_done) struct prb_str yaml;
    va_list args;

    prb_str_init(&yaml, 8192);
    va_start(args, fmt);
    prb_str_vaddf(&yaml, fmt, args);
    va_end(args);
    put(prb_str_get(&yaml));
}

/* A cluster with two addons, a work of one of them, one of its own, and rights. */
static void make(int i)
{
    putf(CLUSTER_KIND "metadata: {name: m%d}\n" ACCEPTED NAMESPACE_KIND "metadata: {name: m%d}\n",
            i, i);
    putf(ADDON_KIND "metadata: {namespace: m%d, name: a, finalizers: [hook]}\n" ADDON_KIND
                    "metadata: {namespace: m%d, name: b}\n",
            i, i);
    putf(WORK_KIND "metadata: {namespace: m%d, name: w, labels: {" OF_ADDON(
                 "a") "}, "
                      "finalizers: [" WORK_FINALIZER "]}\n" WORK_KIND
                      "metadata: {namespace: m%d, name: mine}\n",
            i, i);
    putf(RBAC("RoleBinding") "metadata: {namespace: m%d, name: '" RBAC_OF(
                 "%d:work") "', "
                            "finalizers: [" WORK_FINALIZER
                            "]}\n" RBAC("ClusterRole") "metadata: {name: '" RBAC_OF("%d") "'}\n",
            i, i, i);
    putf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {namespace: m%d, name: cd}\n", i);
}

/* One that has failed already does not wait. */
static void await(const char *what, bool (*holds)(void *ctx), void *ctx)
{
    if (!Unity.CurrentTestFailed)
        TEST_ASSERT_CAME(prb_test_await(what, holds, ctx, PRB_TEST_PROMPT_MS));
}

static bool have_finalizers(void *ctx)
{
    for (int i = 0; i < *(const int *)ctx; i++) {
        prb_autofree char *ref = prb_asprintf(CLUSTERS "//m%d", i);
        prb_auto(prb_object_unref) struct prb_object *cluster = live(ref);

        if (!cluster || !prb_object_has_finalizer(cluster, FINALIZER))
            return prb_test_saw("m%d has none", i);
    }
    return true;
}

/* Without it nothing holds a cluster that is deleted. */
static void await_finalizers(int count)
{
    await("every cluster has its finalizer", have_finalizers, &count);
}

/* Release every object of a collection that is being deleted. */
static void release_all(const char *gvr)
{
    for (size_t i = 0; i < count_in(gvr, NULL); i++) {
        prb_autofree char *ref = prb_strdup(nth_in(gvr, NULL, i));

        if (ref[0] && is_going(ref))
            release(ref);
    }
}

static bool is_only_one_left(void *ctx)
{
    (void)ctx;
    release_all(ADDONS);
    release_all(WORKS);
    return count_in(CLUSTERS, NULL) <= 1 ||
           prb_test_saw("%zu clusters, the first is %s", count_in(CLUSTERS, NULL),
                   nth_in(CLUSTERS, NULL, 0));
}

static void test_many_clusters_go_and_the_others_stay(void)
{
    for (int i = 0; i <= CLUSTERS_MANY; i++)
        make(i);
    TEST_ASSERT_TRUE(start());
    await_finalizers(CLUSTERS_MANY);
    for (int i = 0; i < CLUSTERS_MANY; i++) {
        prb_autofree char *cluster = prb_asprintf(CLUSTERS "//m%d", i);
        prb_autofree char *monitored = prb_asprintf(MONITORED "/m%d/cd", i);
        prb_autofree char *mine = prb_asprintf(WORKS "/m%d/mine", i);

        erase(cluster);
        erase(monitored);
        erase(mine);
    }
    await("the clusters are gone that are deleted", is_only_one_left, NULL);
    TEST_ASSERT_EQUAL_size_t(2, count_in(ADDONS, NULL));
    TEST_ASSERT_EQUAL_size_t(2, count_in(WORKS, NULL));
    TEST_ASSERT_EQUAL_size_t(1, count_in(ROLEBINDINGS, NULL));
    TEST_ASSERT_EQUAL_size_t(1, count_in(ROLES, NULL));
    TEST_ASSERT_EQUAL_size_t(1, count_in(MONITORED, NULL));
    TEST_ASSERT_FALSE(is_there(NAMESPACES "//m0"));
    TEST_ASSERT_FALSE(is_going(NAMESPACES "//m12"));
}

/* What the condition of cluster m0 says: "reason: message". Owned. */
static char *said(void)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = live(CLUSTERS "//m0");
    const struct json_object *conditions =
            cluster ? prb_json_arr(prb_object_status(cluster), "conditions") : NULL;
    const struct json_object *ours = prb_json_elem(conditions, 0);

    return prb_asprintf("%s: %s", ours ? prb_json_str(ours, "reason") : "",
            ours ? prb_json_str(ours, "message") : "");
}

static bool is_said(void *ctx)
{
    prb_autofree char *now_said = said();

    return strstr(now_said, ctx) || prb_test_saw("\"%s\"", now_said);
}

static void await_said(const char *text)
{
    prb_autofree char *what = prb_asprintf("the condition of m0 says \"%s\"", text);
    prb_autofree char *copy = prb_strdup(text);

    await(what, is_said, copy);
}

static bool is_gone(void *ctx)
{
    prb_autofree char *text = said();

    (void)ctx;
    release_all(WORKS);
    return !is_there(CLUSTERS "//m0") || prb_test_saw("it says \"%s\"", text);
}

static void test_what_is_refused_is_told_and_holds_what_comes_after(void)
{
    prb_autofree char *text = NULL;

    make(0);
    TEST_ASSERT_TRUE(start());
    await_finalizers(1);
    atomic_store(&refuse, true);
    erase(CLUSTERS "//m0");
    await_said("MonitoredResourcesRemaining: 1 configmaps left in namespace m0: cd.");
    erase(MONITORED "/m0/cd");
    await_said("CleanupFailed: delete managedclusteraddons m0/a: not allowed here; 2 addons left");
    TEST_ASSERT_FALSE(is_going(WORKS "/m0/w"));
    TEST_ASSERT_TRUE(is_there(ROLES "//" RBAC_OF("0")));
    atomic_store(&refuse, false);
    await_said("AddOnsRemaining: 1 addon left");
    text = said();
    TEST_ASSERT_NULL_MESSAGE(strstr(text, "not allowed"), text);
    release(ADDONS "/m0/a");
    erase(WORKS "/m0/mine");
    await("m0 is gone", is_gone, NULL);
    TEST_ASSERT_FALSE(is_there(NAMESPACES "//m0"));
}

static bool has_no_mark(void *ctx)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = live(NAMESPACES "//m0");
    const char *mark = namespace ? prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID) : NULL;

    (void)ctx;
    return !mark || prb_test_saw("the mark is %s", mark);
}

static bool is_idle(void *ctx)
{
    return prb_runner_idle(ctx);
}

static void test_one_that_comes_back_under_its_name_is_spared(void)
{
    make(0);
    TEST_ASSERT_TRUE(start());
    await_finalizers(1);
    erase(CLUSTERS "//m0");
    await_said("MonitoredResourcesRemaining");
    release(CLUSTERS "//m0"); /* stripped */
    put(CLUSTER_KIND "metadata: {name: m0}\n" ACCEPTED);
    erase(MONITORED "/m0/cd");
    await("namespace m0 is not marked for the former cluster", has_no_mark, NULL);
    await("the runner has nothing to do", is_idle, runner);
    TEST_ASSERT_TRUE(is_there(CLUSTERS "//m0"));
    TEST_ASSERT_FALSE(is_going(NAMESPACES "//m0"));
    TEST_ASSERT_FALSE(is_going(ADDONS "/m0/a"));
    TEST_ASSERT_EQUAL_size_t(2, count_in(ADDONS, "m0"));
    TEST_ASSERT_EQUAL_size_t(2, count_in(WORKS, "m0"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_many_clusters_go_and_the_others_stay);
    RUN_TEST(test_what_is_refused_is_told_and_holds_what_comes_after);
    RUN_TEST(test_one_that_comes_back_under_its_name_is_spared);
    return UNITY_END();
}

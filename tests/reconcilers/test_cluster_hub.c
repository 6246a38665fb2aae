/* Does a deletion go through to its end on a hub, and the same when it is cut off anywhere? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "cluster_hub.h"
#include "cluster_world.h"

/* More passes than any deletion here takes. */
#define PASSES_MAX 60

#define CLUSTER_YAML(name)                                            \
    CLUSTER_KIND "metadata: {name: " name ", finalizers: [" FINALIZER \
                 "]}\n" ACCEPTED NAMESPACE_KIND "metadata: {name: " name "}\n"
#define IN(ns, name, more) "metadata: {name: " name ", namespace: " ns more "}\n"
#define RBAC_YAML(ns)                                                                            \
    RBAC("RoleBinding")                                                                          \
    IN(ns, "'open-cluster-management:managedcluster:" ns ":registration'", "")                   \
    RBAC("RoleBinding")                                                                          \
    IN(ns, "'open-cluster-management:managedcluster:" ns ":work'",                               \
            ", finalizers: [" WORK_FINALIZER "]")                                                \
    RBAC("ClusterRole")                                                                          \
    "metadata: {name: 'open-cluster-management:managedcluster:" ns "'}\n" RBAC(                  \
            "ClusterRoleBinding") "metadata: {name: 'open-cluster-management:managedcluster:" ns \
                                  "'}\n"
#define EVERYTHING(ns)                                                  \
    CLUSTER_YAML(ns)                                                    \
    RBAC_YAML(ns)                                                       \
    ADDON_KIND IN(ns, "a", "") ADDON_KIND IN(ns, "b", "") WORK_KIND IN( \
            ns, "w", ", labels: {" OF_ADDON("a") "}, finalizers: [" WORK_FINALIZER "]")

void setUp(void)
{
    cluster_world_init();
    cluster_hub_init();
}

void tearDown(void)
{
    cluster_hub_done();
    cluster_world_done();
}

/* The agent of each work, which needs its rights for that. */
static void serve_works(void)
{
    for (size_t i = 0; i < count_in(WORKS, "c1"); i++) {
        prb_autofree char *work = prb_strdup(nth_in(WORKS, "c1", i));

        if (is_going(work))
            release(work);
    }
}

/* Pass after pass with a fresh cache until nothing is wanted any more; how many wanted something.
 */
static int run_to_rest(void)
{
    int busy = 0;

    for (int i = 0; i < PASSES_MAX; i++) {
        see();
        (void)pass(C1, NULL);
        if (cluster_hub.changes.count == 0 && count_in(WORKS, "c1") == 0)
            return busy;
        busy++;
        serve_works();
    }
    return PASSES_MAX;
}

static void test_all_that_belongs_to_a_cluster_goes_and_nothing_else(void)
{
    put(EVERYTHING("c1") EVERYTHING("c2"));
    erase(C1);
    TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
    TEST_ASSERT_FALSE(is_there(C1));
    TEST_ASSERT_FALSE(is_there(NAMESPACES "//c1"));
    TEST_ASSERT_FALSE(is_there(ROLES "//" RBAC_NAME("")));
    TEST_ASSERT_FALSE(is_there(BINDINGS "//" RBAC_NAME("")));
    TEST_ASSERT_TRUE(is_there(CLUSTERS "//c2"));
    TEST_ASSERT_TRUE(is_there(NAMESPACES "//c2"));
    TEST_ASSERT_EQUAL_size_t(2, count_in(ADDONS, NULL));
    TEST_ASSERT_EQUAL_size_t(1, count_in(WORKS, NULL));
    TEST_ASSERT_EQUAL_size_t(2, count_in(ROLEBINDINGS, NULL));
    TEST_ASSERT_EQUAL_size_t(1, count_in(ROLES, NULL));
}

/* The mark; 2 + 1 + 4 deletions, one with a finalizer; the namespace's; the cluster's finalizer;
 * the condition at each of five steps; six looks whether what must be gone is gone, and one whether
 * the cluster is the one that was seen. One more look at each of four steps for a monitored
 * resource. */
static void test_it_takes_few_calls(void)
{
    for (size_t monitored = 0; monitored < 2; monitored++) {
        cluster_hub_done();
        cluster_hub_init();
        cluster_hub.settings.monitored_count = monitored;
        put(EVERYTHING("c1"));
        erase(C1);
        TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
        TEST_ASSERT_EQUAL_size_t(
                1 + 2 + 1 + 4 + 1 + 1 + 1 + 5 + 7 + 4 * monitored, cluster_hub.writes);
    }
}

static void test_a_namespace_that_is_to_be_kept_has_no_mark_in_the_end(void)
{
    prb_auto(prb_object_unref) struct prb_object *namespace = NULL;

    put(EVERYTHING("c1"));
    set(NAMESPACES "//c1", NULL,
            "{\"metadata\":{\"labels\":{\"cluster.open-cluster-management.io/"
            "keep-upon-cluster-deletion\":\"\"}}}");
    erase(C1);
    TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
    TEST_ASSERT_FALSE(is_there(C1));
    TEST_ASSERT_EQUAL_size_t(0, count_in(ROLEBINDINGS, "c1"));
    namespace = live(NAMESPACES "//c1");
    TEST_ASSERT_NOT_NULL(namespace);
    if (namespace)
        TEST_ASSERT_NULL(prb_object_annotation(namespace, PRB_MARK_CLUSTER_UID));
}

static void test_a_label_that_comes_at_the_last_moment_is_honoured(void)
{
    put(CLUSTER_YAML("c1"));
    erase(C1);
    see();
    (void)pass(C1, NULL);
    see();
    set(NAMESPACES "//c1", NULL,
            "{\"metadata\":{\"labels\":{\"cluster.open-cluster-management.io/"
            "keep-upon-cluster-deletion\":\"yes\"}}}");
    (void)pass(C1, NULL);
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, cluster_hub.result);
    TEST_ASSERT_FALSE(is_going(NAMESPACES "//c1"));
    TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
    TEST_ASSERT_TRUE(is_there(NAMESPACES "//c1"));
    TEST_ASSERT_FALSE(is_there(C1));
}

/* Killed after each single write: whoever comes then has nothing but what is there. */
static void test_killed_anywhere_it_carries_on(void)
{
    bool over = false;

    for (size_t cut = 0; !over; cut++) {
        cluster_hub_done();
        cluster_hub_init();
        put(EVERYTHING("c1"));
        erase(C1);
        cluster_hub.writes_max = cut;
        for (int i = 0; i < PASSES_MAX && cluster_hub.writes < cut; i++) {
            see();
            (void)pass(C1, NULL);
            serve_works();
        }
        over = !is_there(C1);
        cluster_hub.writes_max = SIZE_MAX;
        TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
        TEST_ASSERT_FALSE(is_there(C1));
        TEST_ASSERT_FALSE(is_there(NAMESPACES "//c1"));
        TEST_ASSERT_FALSE(is_there(ROLES "//" RBAC_NAME("")));
    }
}

/* The finalizer is stripped after each number of passes: the mark lets it go on, or nothing is
 * touched. */
static void test_stripped_anywhere_it_goes_on_if_there_is_a_mark(void)
{
    for (int when = 0; when < 8; when++) {
        cluster_hub_done();
        cluster_hub_init();
        put(EVERYTHING("c1"));
        erase(C1);
        for (int i = 0; i < when; i++) {
            see();
            (void)pass(C1, NULL);
            serve_works();
        }
        release(C1);
        TEST_ASSERT_FALSE(is_there(C1));
        for (int i = 0; i < PASSES_MAX; i++) {
            see();
            (void)pass(C1, NULL);
            serve_works();
        }
        TEST_ASSERT_EQUAL_MESSAGE(when == 0, is_there(NAMESPACES "//c1"), "the namespace");
        TEST_ASSERT_EQUAL_size_t(when == 0 ? 2 : 0, count_in(ADDONS, "c1"));
    }
}

static void test_nothing_is_deleted_when_a_cluster_is_there_after_all(void)
{
    put(EVERYTHING("c1"));
    erase(C1);
    see();
    (void)pass(C1, NULL); /* the mark */
    release(C1);
    see();
    put(CLUSTER_KIND "metadata: {name: c1}\n");
    (void)pass(C1, NULL); /* the cache does not know it yet */
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, cluster_hub.result);
    TEST_ASSERT_EQUAL_size_t(2, count_in(ADDONS, "c1"));
    for (int i = 0; i < 5; i++) {
        see();
        (void)pass(C1, NULL);
    }
    TEST_ASSERT_EQUAL_size_t(2, count_in(ADDONS, "c1"));
    TEST_ASSERT_EQUAL_size_t(0, cluster_hub.changes.count);
    TEST_ASSERT_FALSE(is_going(C1));
}

/* The cache still has the old cluster, being deleted, and the addons of the new one. */
static void test_a_new_cluster_is_not_harmed_by_a_cache_that_is_behind(void)
{
    for (int seen = 0; seen < 2; seen++) {
        cluster_hub_done();
        cluster_hub_init();
        put(CLUSTER_YAML("c1"));
        put(ADDON_KIND IN("c1", "old", ", finalizers: [hook]"));
        erase(C1);
        see();
        (void)pass(C1, NULL); /* the mark */
        see();
        (void)pass(C1, NULL); /* the addon */
        see();
        cluster_hub.clock.now_ms += 10000;
        (void)pass(C1, NULL); /* the condition tells of its finalizer */
        see();
        release(C1);
        release(ADDONS "/c1/old");
        put(CLUSTER_KIND "metadata: {name: c1}\n");
        put(ADDON_KIND IN("c1", "old", ", finalizers: [hook]"));
        see_some(seen ? 1U << 2 : ~1U); /* addons; all but clusters */
        (void)pass(C1, NULL);
        TEST_ASSERT_FALSE(is_going(ADDONS "/c1/old"));
        TEST_ASSERT_TRUE(cluster_hub.result != 0);
    }
}

/* The condition said it before the controller was killed, so that it need not be written again. */
static void test_a_new_cluster_is_not_harmed_by_what_was_about_to_be_done(void)
{
    put(CLUSTER_YAML("c1"));
    put(ADDON_KIND IN("c1", "a", ""));
    erase(C1);
    see();
    (void)pass(C1, NULL); /* the mark */
    see();
    cluster_hub.writes_max = 2;
    (void)pass(C1, NULL); /* the condition, and no more */
    cluster_hub.writes_max = SIZE_MAX;
    see();
    release(C1);
    put(CLUSTER_KIND "metadata: {name: c1}\n");
    (void)pass(C1, NULL);
    TEST_ASSERT_TRUE(cluster_hub.result != 0);
    TEST_ASSERT_TRUE(is_there(ADDONS "/c1/a"));
}

static void test_a_namespace_that_the_cache_has_not_seen_is_not_forgotten(void)
{
    put(CLUSTER_KIND "metadata: {name: c1, finalizers: [" FINALIZER "]}\n");
    erase(C1);
    see();
    put(NAMESPACE_KIND "metadata: {name: c1}\n");
    (void)pass(C1, NULL);
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, cluster_hub.result);
    TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
    TEST_ASSERT_FALSE(is_there(NAMESPACES "//c1"));
    TEST_ASSERT_FALSE(is_there(C1));
}

/* The old cluster is gone, and its namespace too; another one of that name is somebody else's. */
static void test_a_namespace_is_not_marked_for_a_cluster_that_only_the_cache_has(void)
{
    put(CLUSTER_YAML("c1"));
    erase(C1);
    see();
    release(C1);
    erase(NAMESPACES "//c1");
    TEST_ASSERT_FALSE(is_there(NAMESPACES "//c1"));
    put(NAMESPACE_KIND "metadata: {name: c1}\n");
    see_some(~1U); /* all but clusters */
    (void)pass(C1, NULL);
    for (int i = 0; i < 5; i++) {
        see();
        (void)pass(C1, NULL);
    }
    TEST_ASSERT_TRUE(is_there(NAMESPACES "//c1"));
    TEST_ASSERT_FALSE(is_going(NAMESPACES "//c1"));
}

/* The cache has the rights alone: the namespace is not gone, it has not been seen. */
static void test_rights_stay_while_works_are_in_a_namespace_that_the_cache_has_not_seen(void)
{
    see();
    put(EVERYTHING("c1"));
    erase(C1);
    see_some(1U | 1U << 5 | 1U << 6); /* clusters, ClusterRoles and their bindings */
    (void)pass(C1, NULL);
    TEST_ASSERT_TRUE(is_there(ROLES "//" RBAC_NAME("")));
    TEST_ASSERT_TRUE(is_there(BINDINGS "//" RBAC_NAME("")));
    TEST_ASSERT_LESS_THAN_INT(PASSES_MAX, run_to_rest());
    TEST_ASSERT_FALSE(is_there(C1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_all_that_belongs_to_a_cluster_goes_and_nothing_else);
    RUN_TEST(test_it_takes_few_calls);
    RUN_TEST(test_a_namespace_that_is_to_be_kept_has_no_mark_in_the_end);
    RUN_TEST(test_a_label_that_comes_at_the_last_moment_is_honoured);
    RUN_TEST(test_killed_anywhere_it_carries_on);
    RUN_TEST(test_stripped_anywhere_it_goes_on_if_there_is_a_mark);
    RUN_TEST(test_nothing_is_deleted_when_a_cluster_is_there_after_all);
    RUN_TEST(test_a_new_cluster_is_not_harmed_by_a_cache_that_is_behind);
    RUN_TEST(test_a_new_cluster_is_not_harmed_by_what_was_about_to_be_done);
    RUN_TEST(test_a_namespace_that_the_cache_has_not_seen_is_not_forgotten);
    RUN_TEST(test_a_namespace_is_not_marked_for_a_cluster_that_only_the_cache_has);
    RUN_TEST(test_rights_stay_while_works_are_in_a_namespace_that_the_cache_has_not_seen);
    return UNITY_END();
}

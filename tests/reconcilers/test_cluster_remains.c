/* What becomes of a namespace whose cluster is gone, or is another one by now? */

#include <string.h>
#include <unity.h>

#include "cluster_world.h"

#define ABSENT "absent managedclusters c1\n"
#define ON_NAMESPACE(reason) "event " reason " on namespaces c1\n"
#define CONTENT ADDON("a", "") WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS
#define LIVE(uid) CLUSTER_KIND "metadata: {name: c1, uid: " uid ", finalizers: [" FINALIZER "]}\n"
#define TAKEN_OFF "unmark namespaces c1 @5\nevent MarkTakenOff on managedclusters c1\n"

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

static void test_clean_up_goes_on_where_the_finalizer_was_stripped(void)
{
    static const struct row rows[] = {
        { "addons first, and the cluster must be gone for certain", MARKED CONTENT,
                ABSENT ON_NAMESPACE("DeletingAddOns") DELETE_ADDON("a") },
        { "what is only waited for asks nobody", MARKED ADDON("a", ", " DELETED) RIGHTS, "" },
        { "works", MARKED WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS,
                ABSENT ON_NAMESPACE("DeletingWorks") NO_ADDONS DELETE_WORK("w") },
        { "customised works", MARKED WORK("w", "") RIGHTS, "" },
        { "rights", MARKED RIGHTS, ABSENT ON_NAMESPACE("DeletingRoleBindings") DELETE_RIGHTS },
        { "the namespace", MARKED, ABSENT ON_NAMESPACE("DeletingNamespace") DELETE_NAMESPACE },
        { "the namespace is going", MARKED_WITH(", " DELETED), "" },
        { "a namespace that stays loses its mark", MARKED_WITH(KEEP),
                ABSENT "unmark namespaces c1 @5\n" ON_NAMESPACE("NamespaceKept") },
        { "the namespace of somebody whose name a registration used",
                NAMESPACE(", annotations: {" PRB_MARK_CLUSTER_UID ": u-c1, " PRB_MARK_NAMESPACE_UID
                          ": u-ns, " PRB_MARK_KEEPS ": 'true'}"),
                ABSENT "unmark namespaces c1 @5\n" ON_NAMESPACE("NamespaceKept") },
        { "nothing is left", "", "" },
        { "without a namespace nothing is anybody's", CLUSTER_ROLE CLUSTER_BINDING, "" },
    };

    CHECK(rows);
}

static void test_it_says_what_it_waits_for_without_a_cluster_too(void)
{
    build(MARKED WORK("w", ""));
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("waiting for 1 customised work: not deleted by Probate: w", waits());
    build("");
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("", waits());
}

static void test_monitored_resources_hold_without_a_cluster_too(void)
{
    build(MARKED CONTENT HIVE_IN("c1", "cd", ""));
    monitor_hive(PRB_RESOURCE_PRESENT, "");
    TEST_ASSERT_EQUAL_STRING("", decide());
    TEST_ASSERT_NOT_NULL(strstr(waits(), "1 clusterdeployments.hive.openshift.io left"));
}

static void test_a_namespace_without_the_mark_is_never_touched(void)
{
    static const struct row rows[] = {
        { "a hub that is being restored: its clusters come later", NAMESPACE("") CONTENT, "" },
        { "one that is going", NAMESPACE(", " DELETED) CONTENT, "" },
        { "one without anything of ours", NAMESPACE(""), "" },
        { "one that is to be kept", NAMESPACE(KEEP), "" },
    };

    CHECK(rows);
    build(rows[0].world);
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("there is no ManagedCluster c1, but namespace c1 has content of one "
                             "(addons: 1, works: 1); it has no mark, so nothing in it is touched",
            waits());
    build(rows[2].world);
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("", waits());
}

static void test_a_mark_that_is_not_for_this_namespace_is_none(void)
{
#define NOT_OURS "warning NamespaceNotOurs on namespaces c1\n"
    static const struct row rows[] = {
        { "a backup brought it back", NAMESPACE(", " MARK("u-c1", "u-old")) CONTENT, NOT_OURS },
        { "half a mark", NAMESPACE(", annotations: {" PRB_MARK_CLUSTER_UID ": u-c1}") CONTENT,
                NOT_OURS },
        { "the other half", NAMESPACE(", annotations: {" PRB_MARK_NAMESPACE_UID ": u-ns}") CONTENT,
                NOT_OURS },
        { "without a cluster", NAMESPACE(", " MARK("''", "u-ns")) CONTENT, NOT_OURS },
        { "empty", NAMESPACE(", " MARK("''", "''")) CONTENT, NOT_OURS },
        { "a namespace without a uid and a mark without one",
                NAMESPACE_KIND "metadata: {name: c1, " MARK("u-c1", "''") "}\n" CONTENT, NOT_OURS },
    };

    CHECK(rows);
    TEST_ASSERT_NOT_NULL(strstr(waits(), "nothing in it is touched"));
}

static void test_another_cluster_of_that_name_is_never_harmed(void)
{
    static const struct row rows[] = {
        { "it came back under the same name", LIVE("u-new") MARKED CONTENT, TAKEN_OFF },
        { "while the old namespace is still going", LIVE("u-new") MARKED_WITH(", " DELETED) CONTENT,
                TAKEN_OFF },
        { "a mark that lies: it is not being deleted", LIVE("u-c1") MARKED CONTENT, TAKEN_OFF },
        { "a mark that a backup brought",
                LIVE("u-c1") NAMESPACE(", " MARK("u-c1", "u-old")) CONTENT, TAKEN_OFF },
        { "half a mark",
                LIVE("u-c1") NAMESPACE(", annotations: {" PRB_MARK_CLUSTER_UID ": u-c1}") CONTENT,
                TAKEN_OFF },
        { "no mark", LIVE("u-new") NAMESPACE("") CONTENT, "" },
        { "its finalizer comes too",
                CLUSTER_KIND "metadata: {name: c1, uid: u-new, resourceVersion: '7'}\n" MARKED,
                TAKEN_OFF "finalizers managedclusters c1 add [\"" FINALIZER "\"]\n" },
    };

    CHECK(rows);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_clean_up_goes_on_where_the_finalizer_was_stripped);
    RUN_TEST(test_it_says_what_it_waits_for_without_a_cluster_too);
    RUN_TEST(test_monitored_resources_hold_without_a_cluster_too);
    RUN_TEST(test_a_namespace_without_the_mark_is_never_touched);
    RUN_TEST(test_a_mark_that_is_not_for_this_namespace_is_none);
    RUN_TEST(test_another_cluster_of_that_name_is_never_harmed);
    return UNITY_END();
}

/* Does a monitored resource hold everything as long as it should, and no longer? */

#include <string.h>
#include <unity.h>

#include "cluster_world.h"

#define WAITING CONDITION("MonitoredResourcesRemaining") EVENT("WaitingForMonitoredResources")
#define WHOSE_MOVE                                                                         \
    ". Probate deletes nothing before they are gone, and does not delete them: their own " \
    "controllers or owners have to"
#define CONTENT ADDON("a", "") WORK("w", ", labels: {" OF_ADDON("gone") "}") RIGHTS
#define NOT_SERVED "warning MonitoredResourceNotServed on managedclusters c1\n"

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

static const char *decide_with(const char *yaml, int state, const char *why)
{
    build(yaml);
    monitor_hive(state, why);
    return decide();
}

static void test_nothing_is_deleted_while_one_is_left(void)
{
    TEST_ASSERT_EQUAL_STRING(WAITING,
            decide_with(DELETING("") MARKED CONTENT HIVE_IN("c1", "cd", ", finalizers: [hive]"),
                    PRB_RESOURCE_PRESENT, ""));
    TEST_ASSERT_EQUAL_STRING("1 clusterdeployments.hive.openshift.io left in namespace c1: cd "
                             "(finalizer hive)" WHOSE_MOVE,
            message());
    TEST_ASSERT_EQUAL_STRING(message(), waits());
}

static void test_one_that_is_going_is_still_left(void)
{
    TEST_ASSERT_EQUAL_STRING(
            WAITING, decide_with(DELETING("") MARKED CONTENT HIVE_IN("c1", "cd", ", " DELETED),
                             PRB_RESOURCE_PRESENT, ""));
    TEST_ASSERT_EQUAL_STRING("1 clusterdeployments.hive.openshift.io left in namespace c1: cd "
                             "(being deleted since " AT ")" WHOSE_MOVE,
            message());
}

static void test_none_left_is_none_left(void)
{
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS "none clusterdeployments c1/\n" DELETE_ADDON("a"),
            decide_with(
                    DELETING("") MARKED CONTENT HIVE_IN("c2", "cd", ""), PRB_RESOURCE_PRESENT, ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS "none clusterdeployments c1/\n" DELETE_ADDON("a"),
            decide_with(DELETING("") MARKED CONTENT, PRB_RESOURCE_PRESENT, ""));
}

static void test_what_could_not_be_asked_holds(void)
{
    static const struct {
        const char *name, *why, *text;
        int state;
    } rows[] = {
        { "not found out yet", "", " is left is not known yet" WHOSE_MOVE, PRB_RESOURCE_UNKNOWN },
        { "discovery failed", "connection refused",
                " is left is not known yet (connection refused)" WHOSE_MOVE, PRB_RESOURCE_UNKNOWN },
        { "served and not read", "may not be listed",
                " is left is not known yet (may not be listed)" WHOSE_MOVE, PRB_RESOURCE_PRESENT },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        TEST_ASSERT_EQUAL_STRING_MESSAGE(WAITING,
                decide_with(DELETING("") MARKED CONTENT, rows[i].state, rows[i].why), rows[i].name);
        TEST_ASSERT_TRUE_MESSAGE(
                prb_starts_with(message(), "whether any clusterdeployments.hive.openshift.io"),
                message());
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(message(), rows[i].text), message());
    }
}

static void test_what_was_read_once_and_cannot_be_read_any_more_holds(void)
{
    build(DELETING("") MARKED CONTENT);
    monitor_hive(PRB_RESOURCE_PRESENT, "may not be listed");
    (void)prb_world_serve(world, HIVE);
    TEST_ASSERT_EQUAL_STRING(WAITING, decide());
}

static void test_what_nobody_has_looked_for_yet_holds(void)
{
    static const struct prb_gvr pods = { "", "v1", "pods" };

    build(DELETING("") MARKED CONTENT);
    monitor_hive(PRB_RESOURCE_PRESENT, "");
    settings.monitored = &pods;
    TEST_ASSERT_EQUAL_STRING(WAITING, decide());
    TEST_ASSERT_EQUAL_STRING("whether any pods is left is not known yet" WHOSE_MOVE, message());
}

static void test_what_is_being_found_out_is_no_news(void)
{
    TEST_ASSERT_EQUAL_STRING_MESSAGE("",
            decide_with(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED CONTENT,
                    PRB_RESOURCE_UNKNOWN, ""),
            "after a start");
    TEST_ASSERT_TRUE(prb_starts_with(waits(), "whether any clusterdeployments"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(WAITING,
            decide_with(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED CONTENT,
                    PRB_RESOURCE_UNKNOWN, "connection refused"),
            "unless it fails");
}

static void test_what_the_server_does_not_serve_counts_as_none_with_a_warning(void)
{
    TEST_ASSERT_EQUAL_STRING(CONDITION("AddOnsRemaining") EVENT("DeletingAddOns")
                                     NOT_SERVED DELETE_ADDON("a"),
            decide_with(DELETING("") MARKED CONTENT, PRB_RESOURCE_ABSENT, ""));
    TEST_ASSERT_EQUAL_STRING("clusterdeployments.hive.openshift.io is to be monitored for "
                             "deletion, but the server does not serve it: it counts as none left",
            changes.items[2].note);
    TEST_ASSERT_EQUAL_STRING_MESSAGE(CONDITION("AddOnsRemaining") EVENT("DeletingAddOns")
                                             NOT_SERVED DELETE_ADDON("a"),
            decide_with(DELETING("") SAYING("False", "MonitoredResourcesRemaining", "x")
                                MARKED CONTENT,
                    PRB_RESOURCE_ABSENT, ""),
            "it was unknown before");
    TEST_ASSERT_NULL_MESSAGE(
            strstr(decide_with(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED CONTENT,
                           PRB_RESOURCE_ABSENT, ""),
                    NOT_SERVED),
            "it was told");
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(decide_with(DELETING(""), PRB_RESOURCE_ABSENT, ""), NOT_SERVED),
            "there is nothing else to do");
}

static void test_one_appearing_in_the_middle_holds_everything_again(void)
{
    static const char *const steps[] = { "AddOnsRemaining", "WorksRemaining",
        "RoleBindingsRemaining", "NamespaceRemaining", "ContentDeleted" };

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        prb_auto(prb_str_done) struct prb_str yaml;

        prb_str_init(&yaml, 8192);
        prb_str_addf(&yaml,
                "%sstatus: {conditions: [{type: ContentDeleteSuccess, status: '%s', "
                "reason: %s, message: x}]}\n%s",
                DELETING(""), i == 4 ? "True" : "False", steps[i],
                MARKED_WITH(KEEP) CONTENT HIVE_IN("c1", "cd", ""));
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                WAITING, decide_with(prb_str_get(&yaml), PRB_RESOURCE_PRESENT, ""), steps[i]);
    }
}

static void test_a_monitored_resource_may_be_one_that_is_read_anyway(void)
{
    static struct prb_gvr addons;

    build(DELETING("") MARKED ADDON("a", ""));
    monitor_hive(PRB_RESOURCE_ABSENT, "");
    TEST_ASSERT_TRUE(prb_gvr_parse(ADDONS, &addons));
    settings.monitored = &addons;
    known_hive()->state = PRB_RESOURCE_PRESENT;
    known_hive()->gvr = addons;
    (void)prb_copy(known_hive()->group, PRB_GROUP_SIZE, addons.group);
    (void)prb_copy(known_hive()->name, PRB_RESOURCE_SIZE, addons.resource);
    TEST_ASSERT_EQUAL_STRING(WAITING, decide());
}

static void test_one_that_is_not_in_namespaces_cannot_be_left_in_one(void)
{
    build(DELETING("") MARKED CONTENT HIVE_IN("c1", "cd", ""));
    monitor_hive(PRB_RESOURCE_PRESENT, "");
    known_hive()->namespaced = false;
    TEST_ASSERT_EQUAL_STRING(CONDITION("AddOnsRemaining") EVENT("DeletingAddOns")
                                     NOT_SERVED DELETE_ADDON("a"),
            decide());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_is_deleted_while_one_is_left);
    RUN_TEST(test_one_that_is_going_is_still_left);
    RUN_TEST(test_none_left_is_none_left);
    RUN_TEST(test_what_could_not_be_asked_holds);
    RUN_TEST(test_what_was_read_once_and_cannot_be_read_any_more_holds);
    RUN_TEST(test_what_nobody_has_looked_for_yet_holds);
    RUN_TEST(test_what_is_being_found_out_is_no_news);
    RUN_TEST(test_what_the_server_does_not_serve_counts_as_none_with_a_warning);
    RUN_TEST(test_one_appearing_in_the_middle_holds_everything_again);
    RUN_TEST(test_a_monitored_resource_may_be_one_that_is_read_anyway);
    RUN_TEST(test_one_that_is_not_in_namespaces_cannot_be_left_in_one);
    return UNITY_END();
}

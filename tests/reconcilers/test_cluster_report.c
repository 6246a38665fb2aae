/* Does the condition say what is waited for, and only when there is something new to say? */

#include <string.h>
#include <unity.h>

#include "cluster_world.h"

#define LATER "2026-01-02T03:20:00Z"

void setUp(void)
{
    cluster_world_init();
}

void tearDown(void)
{
    cluster_world_done();
}

static void test_what_does_not_change_is_written_once(void)
{
    static const char *const worlds[] = {
        DELETING("") MARKED ADDON("a", ", " DELETED ", finalizers: [hook]"),
        DELETING("") MARKED WORK("w", ""),
        DELETING("") MARKED WORK("w", ", finalizers: [" WORK_FINALIZER "], " DELETED),
        DELETING("") MARKED ROLEBINDING(":work", "u-rb2", ", finalizers: [other], " DELETED),
        DELETING("") MARKED_WITH(", " DELETED ", finalizers: [other]"),
    };

    for (size_t i = 0; i < sizeof(worlds) / sizeof(worlds[0]); i++) {
        build(worlds[i]);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(decide(), "condition"), worlds[i]);
        see_condition();
        now = LATER;
        TEST_ASSERT_EQUAL_STRING_MESSAGE("", decide(), worlds[i]);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(0, changes.again_after_ms, worlds[i]);
        TEST_ASSERT_TRUE_MESSAGE(waits()[0] != '\0', "it still says so where it costs nothing");
        now = NOW;
    }
}

static void test_the_conditions_of_others_stay_as_they_are(void)
{
    static const char others[] =
            "{\"type\":\"HubAcceptedManagedCluster\",\"status\":\"True\",\"reason\":\"x\","
            "\"message\":\"m\",\"observedGeneration\":3}";
    prb_autofree char *list = NULL;

    build(CLUSTER_KIND "metadata: {name: c1, uid: u-c1, resourceVersion: '7', " DELETED
                       ", finalizers: [" FINALIZER "]}\nstatus: {conditions: [{type: "
                       "HubAcceptedManagedCluster, status: 'True', reason: x, message: m, "
                       "observedGeneration: 3}, {type: ContentDeleteSuccess, status: 'False', "
                       "reason: AddOnsRemaining, message: old, lastTransitionTime: '" AT
                       "'}, {type: Last, status: Unknown}]}\n" MARKED WORK("w", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_WORKS, decide());
    list = prb_json_text(prb_json_at(changes.items[0].body, "status", "conditions"), false);
    TEST_ASSERT_EQUAL_PTR(list + 1, strstr(list, others));
    TEST_ASSERT_NOT_NULL(strstr(list, ",{\"type\":\"Last\",\"status\":\"Unknown\"}]"));
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(list, "\"lastTransitionTime\":\"" AT "\""), "the status is still False");
    TEST_ASSERT_EQUAL_STRING("status", changes.items[0].subresource);
}

static void test_the_time_of_a_transition_is_that_of_the_view(void)
{
    const struct json_object *list;

    build(DELETING("") SAYING("False", "NamespaceRemaining", "x"));
    (void)decide();
    list = prb_json_at(changes.items[1].body, "status", "conditions");
    TEST_ASSERT_EQUAL_size_t(1, prb_json_len(list));
    TEST_ASSERT_EQUAL_STRING(NOW, prb_json_str(prb_json_elem(list, 0), "lastTransitionTime"));
}

static void test_an_event_tells_of_a_step_at_its_begin_only(void)
{
    build(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED ADDON("a", ", " DELETED));
    TEST_ASSERT_EQUAL_STRING(CONDITION("AddOnsRemaining"), decide());
    build(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED WORK("w", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_WORKS, decide());
    TEST_ASSERT_EQUAL_STRING(message(), changes.items[1].note);
}

static void test_names_end_in_a_count_after_five(void)
{
    build(DELETING("") MARKED WORK("w7", "") WORK("w1", ", finalizers: [b, a], " DELETED)
                    WORK("w5", "") WORK("w4", "") WORK("w6", "") WORK("w2", ", finalizers: [x]")
                            WORK("w3", ", " DELETED));
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("waiting for 7 customised works: not deleted by Probate: w1 (being "
                             "deleted since " AT ", finalizers b, a), w2 (finalizer x), w3 (being "
                             "deleted since " AT "), w4, w5 and 2 more",
            message());
    TEST_ASSERT_EQUAL_STRING(message(), waits());
}

static void test_it_says_whose_move_it_is(void)
{
    static const struct {
        const char *world, *message;
    } rows[] = {
        { DELETING("") MARKED ADDON("b", ", finalizers: [hook], " DELETED) ADDON("a", "")
                        ADDON("z", ", " PRIORITY("5")),
                "3 addons left in namespace c1, deleted by Probate: a, b (being deleted since " AT
                ", finalizer hook); then 1 more, of a cleanup-priority above 0. Each goes "
                "when the addon's own controller has taken its finalizers off" },
        { DELETING("") MARKED WORK("mine", "") ADDON_IN("c2", "search", "")
                        WORK("of-gone", ", labels: {" OF_ADDON("a") "}") WORK("hosted",
                                ", labels: {" OF_ADDON("search") ", " IN_NAMESPACE("c2") "}"),
                "1 work of addons that are gone left in namespace c1, deleted by Probate: of-gone; "
                "waiting for 1 work of addons that are still there: not deleted by Probate before "
                "them: hosted of c2/search; "
                "waiting for 1 customised work: not deleted by Probate: mine" },
        { DELETING("") MARKED WORK("w", ", finalizers: [" WORK_FINALIZER "], " DELETED),
                "waiting for 1 customised work: not deleted by Probate: w (being deleted since " AT
                ", finalizer " WORK_FINALIZER
                "). The work agent of the cluster takes its finalizer "
                "off when it has cleaned up; if the cluster never comes back, annotate the "
                "ManagedCluster with probate.dev/release-works: <reason>" },
        { DELETING("") MARKED REGISTRATION_BINDING CLUSTER_ROLE,
                "rights of the cluster's agents left, deleted by Probate: "
                "RoleBinding " RBAC_NAME(":registration") ", ClusterRole " RBAC_NAME("") },
        { DELETING("") MARKED_WITH(
                  ", finalizers: [example.com/hold], " DELETED) "status: {phase: Terminating, conditions: ["
                                                                "{type: NamespaceFinalizersRemaining, status: 'True', message: 'Some content in "
                                                                "the namespace has finalizers remaining: x in 1 resource instances'}, "
                                                                "{type: NamespaceContentRemaining, status: 'True', message: 'Some resources are "
                                                                "remaining: pods. has 1 resource instances'}, "
                                                                "{type: NamespaceDeletionDiscoveryFailure, status: 'False', message: 'All "
                                                                "resources successfully discovered'}]}\n",
                "namespace left, deleted by Probate: c1 (being deleted since " AT
                ", finalizer example.com/hold); Some resources are remaining: pods. has 1 resource "
                "instances; Some content in the namespace has finalizers remaining: x in 1 "
                "resource instances" },
        { DELETING(""), "what belonged to cluster c1 is gone" },
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        build(rows[i].world);
        (void)decide();
        TEST_ASSERT_EQUAL_STRING(rows[i].message, message());
    }
}

static void test_a_hosted_addon_is_looked_at_again_at_leisure(void)
{
    build(DELETING("") MARKED ADDON_IN("c2", "a", "")
                    WORK("w", ", labels: {" OF_ADDON("a") ", " IN_NAMESPACE("c2") "}"));
    (void)decide();
    TEST_ASSERT_EQUAL_INT64(60000, changes.again_after_ms);
}

/* What is on its way out for some seconds only is no news; where it stays longer, it is. */
static void test_how_many_are_left_is_news_after_a_while_only(void)
{
    static const struct {
        const char *at, *wanted;
        int64_t again_ms;
    } rows[] = {
        { "2026-01-02T03:00:00Z", "", 6000 },
        { "2026-01-02T03:00:02Z", "", 4000 },
        { "2026-01-02T03:00:06Z", CONDITION("AddOnsRemaining"), 0 },
        { "2026-01-02T02:59:58Z", "", 8000 },
        { "2026-01-02T02:00:00Z", CONDITION("AddOnsRemaining"), 0 },
    };

    build(DELETING("") SAYING("False", "AddOnsRemaining", "2 left")
                    MARKED ADDON("a", ", finalizers: [hook], " DELETED));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        now = rows[i].at;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].wanted, decide(), rows[i].at);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(rows[i].again_ms, changes.again_after_ms, rows[i].at);
    }
    now = rows[0].at;
    build(DELETING("") SAYING("False", "AddOnsRemaining", "2 left")
                    MARKED ADDON("a", ", finalizers: [hook], " DELETED) ADDON("b", ""));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(CONDITION("AddOnsRemaining") DELETE_ADDON("b"), decide(),
            "what is done is always told first");
    build(DELETING("") SAYING("False", "AddOnsRemaining", "2 left")
                    MARKED WORK("w", ", finalizers: [x], " DELETED));
    TEST_ASSERT_EQUAL_STRING_MESSAGE(BEGIN_WORKS, decide(), "another step is always told");
}

static void test_nothing_is_deleted_of_a_cluster_that_has_got_the_name_meanwhile(void)
{
    build(DELETING("") MARKED ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS DELETE_ADDON("a"), decide());
    see_condition();
    TEST_ASSERT_EQUAL_STRING_MESSAGE("same managedclusters c1 \"u-c1\"\n" DELETE_ADDON("a"),
            decide(), "the condition says it already: then the uid is asked for by itself");
}

#define REFUSED "delete managedclusteraddons c1/a: may not delete"
#define FAILED "condition False CleanupFailed @7\nwarning CleanupFailed on managedclusters c1\n"

static void test_a_refused_call_is_told_and_tried_again(void)
{
    trouble = REFUSED;
    build(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED ADDON("a", "") RIGHTS);
    TEST_ASSERT_EQUAL_STRING(FAILED DELETE_ADDON("a"), decide());
    TEST_ASSERT_EQUAL_STRING(REFUSED "; 1 addon left in namespace c1, deleted by Probate: a. Each "
                                     "goes when the addon's own controller has taken its "
                                     "finalizers off",
            message());
    TEST_ASSERT_EQUAL_STRING(message(), waits());
    see_condition();
    TEST_ASSERT_EQUAL_STRING_MESSAGE("same managedclusters c1 \"u-c1\"\n" DELETE_ADDON("a"),
            decide(), "the same refusal is no news");
    TEST_ASSERT_EQUAL_INT64_MESSAGE(1000, changes.again_after_ms, "it may succeed this time");
    trouble = NULL;
    TEST_ASSERT_EQUAL_STRING(BEGIN_ADDONS DELETE_ADDON("a"), decide());
}

/* Each would be a change of the cluster, and lead to the next try at once, past any backoff. */
static void test_a_refusal_with_a_number_of_its_own_is_told_once(void)
{
    trouble = REFUSED " after 17 ms";
    build(DELETING("") SAYING("False", "AddOnsRemaining", "x") MARKED ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(FAILED DELETE_ADDON("a"), decide());
    see_condition();
    trouble = REFUSED " after 18 ms";
    TEST_ASSERT_EQUAL_STRING("same managedclusters c1 \"u-c1\"\n" DELETE_ADDON("a"), decide());
}

static void test_a_refused_mark_is_told(void)
{
    trouble = "patch namespaces c1: may not patch";
    build(DELETING("") NAMESPACE("") ADDON("a", ""));
    TEST_ASSERT_EQUAL_STRING(FAILED "mark namespaces c1 u-c1 u-ns @5\n", decide());
    TEST_ASSERT_EQUAL_STRING("patch namespaces c1: may not patch; the namespace has to be marked "
                             "before anything else",
            message());
    see_condition();
    TEST_ASSERT_EQUAL_STRING(PUT_MARK, decide());
}

static void test_a_long_refusal_does_not_hide_what_is_waited_for(void)
{
    static char text[1500];

    memset(text, 'x', sizeof(text) - 1);
    trouble = text;
    build(DELETING("") MARKED WORK("w", ""));
    (void)decide();
    TEST_ASSERT_NOT_NULL(strstr(message(), "xx; waiting for 1 customised work"));
}

static void test_what_is_too_long_ends_in_dots_and_is_said_alike(void)
{
    prb_auto(prb_str_done) struct prb_str yaml;

    prb_str_init(&yaml, 65536);
    prb_str_add(&yaml, DELETING("") MARKED);
    for (int i = 0; i < 5; i++) {
        prb_str_addf(&yaml, WORK_KIND "metadata: {namespace: c1, uid: u%d, name: %d", i, i);
        for (int j = 0; j < 240; j++)
            prb_str_addc(&yaml, 'n');
        prb_str_add(&yaml, ", finalizers: [");
        for (int j = 0; j < 4; j++)
            prb_str_addf(&yaml, "%sexample.com/a-finalizer-with-a-long-name-%d", j ? ", " : "", j);
        prb_str_add(&yaml, "]}\n");
    }
    build(prb_str_get(&yaml));
    (void)decide();
    TEST_ASSERT_EQUAL_STRING("...", message() + strlen(message()) - 3);
    TEST_ASSERT_EQUAL_STRING(message(), waits());
    see_condition();
    TEST_ASSERT_EQUAL_STRING("", decide());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_does_not_change_is_written_once);
    RUN_TEST(test_the_conditions_of_others_stay_as_they_are);
    RUN_TEST(test_the_time_of_a_transition_is_that_of_the_view);
    RUN_TEST(test_an_event_tells_of_a_step_at_its_begin_only);
    RUN_TEST(test_names_end_in_a_count_after_five);
    RUN_TEST(test_it_says_whose_move_it_is);
    RUN_TEST(test_a_hosted_addon_is_looked_at_again_at_leisure);
    RUN_TEST(test_how_many_are_left_is_news_after_a_while_only);
    RUN_TEST(test_nothing_is_deleted_of_a_cluster_that_has_got_the_name_meanwhile);
    RUN_TEST(test_a_refused_call_is_told_and_tried_again);
    RUN_TEST(test_a_refusal_with_a_number_of_its_own_is_told_once);
    RUN_TEST(test_a_refused_mark_is_told);
    RUN_TEST(test_a_long_refusal_does_not_hide_what_is_waited_for);
    RUN_TEST(test_what_is_too_long_ends_in_dots_and_is_said_alike);
    return UNITY_END();
}

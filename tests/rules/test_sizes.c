/* Works of a size that nobody writes by hand. */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "golden_hub.h"
#include "golden_run.h"
#include "review_request.h"
#include "support/json_text.h"

#define RULES 10000

static struct json_object *review, *hub;
static struct prb_outcome outcome;

void setUp(void)
{
    hub = prb_test_json("{'world':[{'apiVersion':'cluster.open-cluster-management.io/v1',"
                        "'kind':'ManagedCluster','metadata':{'name':'c1'}}]}");
    review = prb_test_json("{'request':{'operation':'CREATE','name':'web','namespace':'c1','kind':"
                           "{'kind':'ManifestWork'},'resource':{'group':"
                           "'work.open-cluster-management.io','version':'v1','resource':"
                           "'manifestworks'}}}");
    prb_questions_init(&outcome.questions);
    prb_verdict_init(&outcome.verdict);
}

void tearDown(void)
{
    prb_json_free(review);
    prb_json_free(hub);
    prb_outcome_done(&outcome);
}

/* A failed assertion does not end a test: there may be no text. */
static bool contains(const char *text, const char *fragment)
{
    return text && strstr(text, fragment);
}

/* A work without rules and manifests as `object` or `oldObject` of the review. */
static struct json_object *add_work(const char *key, const char *metadata)
{
    struct json_object *work = prb_test_json(
            "{'metadata':%s,'spec':{'workload':{'manifests':[]},'deleteOption':{"
            "'propagationPolicy':'SelectivelyOrphan','selectivelyOrphans':{'orphaningRules':[]}}}}",
            metadata);

    prb_json_set(prb_json_obj(review, "request"), key, work);
    return work;
}

static void add_rule(struct json_object *work, const char *resource, int number)
{
    prb_json_push(prb_json_at(work, "spec", "deleteOption", "selectivelyOrphans", "orphaningRules"),
            prb_test_json(
                    "{'resource':'%s','namespace':'default','name':'x%d'}", resource, number));
}

static void add_manifest(struct json_object *work, const char *kind, int number)
{
    prb_json_push(prb_json_at(work, "spec", "workload", "manifests"),
            prb_test_json("{'apiVersion':'v1','kind':'%s','metadata':{'name':'x%d','namespace':"
                          "'default'}}",
                    kind, number));
}

static void run(void)
{
    prb_auto(prb_request_free) struct prb_request *request = prb_test_request(review);

    prb_golden_run(hub, request, NULL, &outcome);
}

/* A work that is being deleted, before with rules 0..RULES and now without any. */
static struct json_object *add_deleting_pair(void)
{
    static const char metadata[] =
            "{'name':'web','deletionTimestamp':'2026-01-01T00:00:00Z','finalizers':["
            "'cluster.open-cluster-management.io/manifest-work-cleanup']}";
    struct json_object *old = add_work("oldObject", metadata);

    prb_json_set_str(prb_json_obj(review, "request"), "operation", "UPDATE");
    for (int i = 0; i < RULES; i++)
        add_rule(old, "configmaps", i);
    return add_work("object", metadata);
}

static void test_ten_thousand_rules_in_another_order_are_no_change(void)
{
    struct json_object *now = add_deleting_pair();

    for (int i = RULES; i-- > 0;)
        add_rule(now, "configmaps", i);
    add_rule(now, "configmaps", 17);
    run();
    TEST_ASSERT_TRUE(prb_verdict_allows(&outcome.verdict));
    TEST_ASSERT_EQUAL_size_t(0, outcome.verdict.warning_count);
}

static void test_one_change_among_ten_thousand_rules_is_found(void)
{
    struct json_object *now = add_deleting_pair();

    for (int i = 0; i < RULES; i++)
        add_rule(now, i == 7777 ? "secrets" : "configmaps", i);
    run();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, outcome.verdict.denial);
    TEST_ASSERT_TRUE(contains(outcome.verdict.message,
            "This request adds orphaning rule secrets default/x7777; removes orphaning rule "
            "configmaps default/x7777."));
}

static void test_of_ten_thousand_lost_rules_five_are_named(void)
{
    struct json_object *now = add_deleting_pair();

    add_rule(now, "configmaps", 0);
    run();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, outcome.verdict.denial);
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "default/x5 and 9994 more."));
}

static void test_of_ten_thousand_bad_rules_five_are_named(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");

    for (int i = 0; i < RULES; i++)
        add_rule(work, "", i);

    /* Rules are a set, and these are all different. */
    run();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_INVALID, outcome.verdict.denial);
    TEST_ASSERT_EQUAL_size_t(6, outcome.verdict.cause_count);
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "9995 more rules are not in order"));
}

static void test_a_work_of_two_hundred_manifests_asks_only_what_it_must(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");
    char kind[16];

    for (int i = 0; i < 200; i++) {
        (void)snprintf(kind, sizeof(kind), "Kind%d", i);
        add_manifest(work, kind, i);
    }
    add_rule(work, "kind7s", 7);
    add_rule(work, "kind8s", 8);
    add_rule(work, "kind9s", 1000);
    run();
    TEST_ASSERT_EQUAL_size_t(2, outcome.questions.count);
    TEST_ASSERT_NOT_NULL(prb_answer_resource(&outcome.questions, "", "Kind7"));
    TEST_ASSERT_NOT_NULL(prb_answer_resource(&outcome.questions, "", "Kind8"));
    TEST_ASSERT_EQUAL_size_t(1, outcome.verdict.warning_count);
}

static void test_rules_beyond_the_bound_are_taken_to_match(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");

    for (int i = 0; i < 1000; i++)
        add_manifest(work, "Kind", 1000000 + i);
    for (int i = 0; i < RULES; i++)
        add_rule(work, "configmaps", i);
    run();

    /* 200,000 pairs are 200 rules for 1,000 manifests. */
    TEST_ASSERT_EQUAL_size_t(1, outcome.verdict.warning_count);
    TEST_ASSERT_TRUE(contains(outcome.verdict.warnings[0], "default/x4 and 195 more name"));
}

static void test_many_kinds_do_not_crowd_out_the_cluster(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");
    char kind[16];

    prb_json_del(hub, "world");
    for (int i = 0; i < 100; i++) {
        (void)snprintf(kind, sizeof(kind), "Kind%d", i);
        add_manifest(work, kind, i);
        add_rule(work, "kinds", i);
    }
    run();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, outcome.verdict.denial);
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "there is no ManagedCluster c1"));
    TEST_ASSERT_LESS_OR_EQUAL_size_t(PRB_QUESTIONS_MAX, outcome.questions.count);
}

static void test_names_of_a_megabyte_are_cut(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");
    prb_autofree char *novel = prb_malloc((size_t)1024 * 1024 + 1);
    struct json_object *rule = prb_test_json("{'resource':'configmaps'}");

    memset(novel, 'n', (size_t)1024 * 1024);
    novel[(size_t)1024 * 1024] = '\0';
    prb_json_set_str(rule, "name", novel);
    prb_json_push(prb_json_at(work, "spec", "deleteOption", "selectivelyOrphans", "orphaningRules"),
            rule);
    prb_json_set_str(prb_json_obj(review, "request"), "namespace", novel);
    prb_json_set_str(prb_json_obj(review, "request"), "name", novel);
    run();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, outcome.verdict.denial);
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "(kubectl get managedclusters)"));
    TEST_ASSERT_EQUAL_size_t(1, outcome.verdict.warning_count);
    TEST_ASSERT_TRUE(contains(outcome.verdict.warnings[0], "nnn... names no manifest"));
}

static void test_long_names_leave_room_for_what_to_do(void)
{
    struct json_object *now = add_deleting_pair();
    char name[PRB_NAME_SIZE];

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    for (int i = 0; i < 5; i++)
        prb_json_push(
                prb_json_at(now, "spec", "deleteOption", "selectivelyOrphans", "orphaningRules"),
                prb_test_json("{'resource':'r%d','group':'%s','name':'%s'}", i, name, name));
    run();
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "nnn.... Leave spec.deleteOption as it is"));
    TEST_ASSERT_TRUE(contains(outcome.verdict.message, "when the work is gone"));
}

static void test_long_names_leave_room_for_the_end_of_a_warning(void)
{
    struct json_object *work = add_work("object", "{'name':'web'}");
    char resource[201];

    memset(resource, 'r', sizeof(resource) - 1);
    resource[sizeof(resource) - 1] = '\0';
    for (int i = 0; i < 5; i++)
        add_rule(work, resource, i);
    run();
    TEST_ASSERT_EQUAL_size_t(1, outcome.verdict.warning_count);
    TEST_ASSERT_TRUE(contains(outcome.verdict.warnings[0], "... name no manifest"));
    TEST_ASSERT_TRUE(contains(outcome.verdict.warnings[0], "namespace and name"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_ten_thousand_rules_in_another_order_are_no_change);
    RUN_TEST(test_one_change_among_ten_thousand_rules_is_found);
    RUN_TEST(test_of_ten_thousand_lost_rules_five_are_named);
    RUN_TEST(test_of_ten_thousand_bad_rules_five_are_named);
    RUN_TEST(test_a_work_of_two_hundred_manifests_asks_only_what_it_must);
    RUN_TEST(test_rules_beyond_the_bound_are_taken_to_match);
    RUN_TEST(test_many_kinds_do_not_crowd_out_the_cluster);
    RUN_TEST(test_names_of_a_megabyte_are_cut);
    RUN_TEST(test_long_names_leave_room_for_what_to_do);
    RUN_TEST(test_long_names_leave_room_for_the_end_of_a_warning);
    return UNITY_END();
}

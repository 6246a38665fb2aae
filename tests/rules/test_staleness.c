/*
 * The two laws on staleness, where time passes between question and verdict: what golden cases,
 * with one cache from beginning to end, cannot show.
 */

#include <unity.h>

#include "probate/base/mem.h"
#include "probate/rules/registry.h"

#include "review_request.h"
#include "support/json_text.h"
#include "support/world.h"

#define CLUSTERS "managedclusters.v1.cluster.open-cluster-management.io"

static const char live[] = "apiVersion: cluster.open-cluster-management.io/v1\n"
                           "kind: ManagedCluster\n"
                           "metadata: {name: c1}\n";
static const char deleting[] = "apiVersion: cluster.open-cluster-management.io/v1\n"
                               "kind: ManagedCluster\n"
                               "metadata: {name: c1, deletionTimestamp: '2026-01-01T00:00:00Z'}\n";

static const struct prb_rule *const rule = &prb_rule_cluster_lifecycle;
static const struct prb_rule_settings settings;
static struct prb_world *world;
static struct prb_request *request;
static struct prb_questions questions;
static struct prb_verdict verdict;

void setUp(void)
{
    prb_auto(prb_json_free) struct json_object *review = prb_test_json(
            "{'request':{'operation':'CREATE','name':'web','namespace':'c1','kind':{'kind':"
            "'ManifestWork'},'resource':{'group':'work.open-cluster-management.io','version':'v1',"
            "'resource':'manifestworks'},'object':{'metadata':{'name':'web'}}}}");

    request = prb_test_request(review);
    world = prb_world_new("");
    (void)prb_world_serve(world, CLUSTERS);
    prb_questions_init(&questions);
    prb_verdict_init(&verdict);
}

void tearDown(void)
{
    prb_world_free(world);
    prb_request_free(request);
    prb_questions_done(&questions);
    prb_verdict_done(&verdict);
}

static void ask(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    rule->ask(&settings, request, view, &questions);
}

static void judge(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    rule->judge(&settings, request, view, &questions, &verdict);
}

static struct prb_object *object_of(const char *metadata)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("{'metadata':%s}", metadata), &object, &err);
    return object;
}

/* The one question that must have been asked. */
static void answer(enum prb_answer_state state, const char *metadata)
{
    struct prb_question *question = questions.count == 1 ? &questions.items[0] : NULL;

    TEST_ASSERT_NOT_NULL(question);
    if (!question)
        return;
    question->state = state;
    question->object = metadata ? object_of(metadata) : NULL;
}

static void test_a_cluster_that_goes_between_question_and_verdict_is_not_judged_by_the_cache(void)
{
    prb_world_add(world, live);
    ask();
    TEST_ASSERT_EQUAL_size_t(0, questions.count);
    prb_world_add(world, deleting);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
    TEST_ASSERT_EQUAL_INT(2, verdict.retry_after_s);
}

static void test_a_cluster_that_the_cache_learns_of_in_time_needs_no_answer(void)
{
    ask();
    answer(PRB_UNKNOWN, NULL);
    prb_world_add(world, live);
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
}

static void test_a_live_answer_wins_over_a_cache_that_says_deleting(void)
{
    prb_world_add(world, deleting);
    ask();
    answer(PRB_PRESENT, "{'name':'c1'}");
    judge();
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
}

static void test_a_live_answer_wins_over_a_cache_that_says_live(void)
{
    ask();
    answer(PRB_PRESENT, "{'name':'c1','deletionTimestamp':'2026-01-01T00:00:00Z'}");
    prb_world_add(world, live);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
}

static void test_a_cache_that_was_not_read_whole_is_not_trusted(void)
{
    prb_auto(prb_object_unref) struct prb_object *cluster = object_of("{'name':'c1'}");
    struct prb_store *store;

    prb_world_free(world);
    world = prb_world_new("");
    store = prb_world_store(world, CLUSTERS);
    (void)prb_store_put(store, cluster);
    ask();
    answer(PRB_UNKNOWN, NULL);
    judge();
    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_cluster_that_goes_between_question_and_verdict_is_not_judged_by_the_cache);
    RUN_TEST(test_a_cluster_that_the_cache_learns_of_in_time_needs_no_answer);
    RUN_TEST(test_a_live_answer_wins_over_a_cache_that_says_deleting);
    RUN_TEST(test_a_live_answer_wins_over_a_cache_that_says_live);
    RUN_TEST(test_a_cache_that_was_not_read_whole_is_not_trusted);
    return UNITY_END();
}

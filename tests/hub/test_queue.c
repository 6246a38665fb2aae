/* What do the hub's controllers have to look at, and how often? */

#include <unity.h>

#include "queue.h"

#define MIN_MS 100
#define MAX_MS 500

static struct prb_hub_queue queue;
static struct prb_hub_kind maps = { .resource = { .gvr = { "", "v1", "configmaps" } } };
static struct prb_hub_kind pods = { .resource = { .gvr = { "", "v1", "pods" } } };

void setUp(void)
{
    prb_hub_queue_init(&queue, MIN_MS, MAX_MS);
}

void tearDown(void)
{
    prb_hub_queue_done(&queue);
}

static void test_items_come_in_order_and_each_once(void)
{
    static const struct {
        enum prb_hub_item_type type;
        struct prb_hub_kind *kind;
        const char *key;
    } expected[] = { { PRB_HUB_ITEM_OBJECT, &maps, "ns/a" }, { PRB_HUB_ITEM_OBJECT, &pods, "ns/a" },
        { PRB_HUB_ITEM_NAMESPACE, &maps, "ns/a" }, { PRB_HUB_ITEM_OBJECT, &maps, "ns/b" } };

    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++)
            prb_hub_queue_push(&queue, expected[i].type, expected[i].kind, expected[i].key);
    }
    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        prb_auto(prb_hub_item_free) struct prb_hub_item *item = prb_hub_queue_pop(&queue);

        TEST_ASSERT_NOT_NULL(item);
        TEST_ASSERT_EQUAL_INT(expected[i].type, item->type);
        TEST_ASSERT_EQUAL_PTR(expected[i].kind, item->kind);
        TEST_ASSERT_EQUAL_STRING(expected[i].key, item->key);
    }
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

static void test_an_item_comes_again_when_the_work_on_it_is_over(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *first = NULL, *second = NULL;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    first = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(first);
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_worked(&queue, first);
    second = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(second);
    prb_hub_queue_worked(&queue, second);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

static void test_what_is_set_aside_is_nobody_elses(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *mine = NULL, *left = NULL;
    struct prb_hub_items list;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    list = prb_hub_queue_set_aside(&queue);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/b");
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    prb_hub_queue_take_up(&queue, list);
    mine = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(mine);
    TEST_ASSERT_EQUAL_STRING("ns/a", mine->key);
    left = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(left);
    TEST_ASSERT_EQUAL_STRING("ns/b", left->key);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

/* Two writes lead to the same: who comes second leaves it to the first. */
static void test_what_another_thread_works_on_is_not_looked_at_twice(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *first = NULL, *second = NULL;
    struct prb_hub_items list;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    list = prb_hub_queue_set_aside(&queue);
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    first = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(first);
    prb_hub_queue_take_up(&queue, list);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_worked(&queue, first);
    second = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(second);
}

static struct prb_hub_refusal *refuse(const char *key, int64_t now_ms)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *item = NULL;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, key);
    item = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(item);
    prb_hub_queue_refuse(&queue, item, now_ms);
    prb_hub_queue_worked(&queue, item);
    return prb_hub_queue_first(&queue);
}

static void test_what_was_refused_is_not_queued_until_it_was_looked_at(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *again = NULL;
    struct prb_hub_refusal *refusal = refuse("ns/a", 0);

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_look(refusal);
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_looked(&queue, refusal);
    TEST_ASSERT_NULL(prb_hub_queue_first(&queue));
    again = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(again);
    TEST_ASSERT_EQUAL_STRING("ns/a", again->key);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

static void test_what_is_queued_and_then_refused_waits_too(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *first = NULL;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    first = prb_hub_queue_pop(&queue);
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    prb_hub_queue_refuse(&queue, first, 0);
    prb_hub_queue_worked(&queue, first);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

static void test_each_refusal_doubles_the_pause_up_to_a_limit(void)
{
    static const int64_t pauses[] = { 200, 400, 500, 500 };
    struct prb_hub_refusal *refusal = refuse("ns/a", 1000);

    TEST_ASSERT_EQUAL_INT64(1000 + MIN_MS, refusal->due_ms);
    for (size_t i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
        prb_hub_queue_look(refusal);
        prb_hub_queue_refuse(&queue, refusal->item, 2000);
        prb_hub_queue_refuse(&queue, refusal->item, 2000); /* of the same look */
        prb_hub_queue_looked(&queue, refusal);
        TEST_ASSERT_EQUAL_PTR(refusal, prb_hub_queue_first(&queue));
        TEST_ASSERT_EQUAL_INT64(2000 + pauses[i], refusal->due_ms);
    }
}

static void test_what_is_due_first_comes_first(void)
{
    (void)refuse("ns/late", 50);
    (void)refuse("ns/first", 10);
    TEST_ASSERT_EQUAL_STRING("ns/first", prb_hub_queue_first(&queue)->item->key);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_items_come_in_order_and_each_once);
    RUN_TEST(test_an_item_comes_again_when_the_work_on_it_is_over);
    RUN_TEST(test_what_is_set_aside_is_nobody_elses);
    RUN_TEST(test_what_another_thread_works_on_is_not_looked_at_twice);
    RUN_TEST(test_what_was_refused_is_not_queued_until_it_was_looked_at);
    RUN_TEST(test_what_is_queued_and_then_refused_waits_too);
    RUN_TEST(test_each_refusal_doubles_the_pause_up_to_a_limit);
    RUN_TEST(test_what_is_due_first_comes_first);
    return UNITY_END();
}

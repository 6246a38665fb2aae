/* What do the hub's controllers have to look at, and how often? */

#include <unity.h>

#include "queue.h"

static struct prb_hub_queue queue;
static struct prb_hub_kind maps = { .resource = { .gvr = { "", "v1", "configmaps" } } };
static struct prb_hub_kind pods = { .resource = { .gvr = { "", "v1", "pods" } } };

void setUp(void)
{
    prb_hub_queue_init(&queue);
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

static void test_an_item_can_be_queued_again_while_it_is_worked_on(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *first = NULL, *second = NULL;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    first = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(first);
    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    second = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(second);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

static void test_what_was_refused_comes_again_when_asked_for(void)
{
    prb_auto(prb_hub_item_free) struct prb_hub_item *first = NULL, *again = NULL;

    prb_hub_queue_push(&queue, PRB_HUB_ITEM_OBJECT, &maps, "ns/a");
    first = prb_hub_queue_pop(&queue);
    prb_hub_queue_refuse(&queue, first);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
    prb_hub_queue_retry(&queue);
    again = prb_hub_queue_pop(&queue);
    TEST_ASSERT_NOT_NULL(again);
    TEST_ASSERT_EQUAL_STRING("ns/a", again->key);
    prb_hub_queue_retry(&queue);
    TEST_ASSERT_NULL(prb_hub_queue_pop(&queue));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_items_come_in_order_and_each_once);
    RUN_TEST(test_an_item_can_be_queued_again_while_it_is_worked_on);
    RUN_TEST(test_what_was_refused_comes_again_when_asked_for);
    return UNITY_END();
}

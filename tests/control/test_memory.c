#include <unity.h>

#include "memory.h"

static struct prb_memory *memory;

void setUp(void)
{
    memory = prb_memory_new();
}

void tearDown(void)
{
    prb_memory_free(memory);
}

static void test_what_is_taken_belongs_to_the_taker(void)
{
    struct json_object *tree = json_object_new_object();
    prb_auto(prb_json_free) struct json_object *taken = NULL;

    prb_memory_put(memory, "a", tree);
    prb_memory_put(memory, "b", json_object_new_object());
    taken = prb_memory_take(memory, "a");
    TEST_ASSERT_EQUAL_PTR(tree, taken);
    TEST_ASSERT_NULL(prb_memory_take(memory, "a"));
}

static void test_the_last_one_holds_and_none_is_forgetting(void)
{
    struct json_object *second = json_object_new_object();
    prb_auto(prb_json_free) struct json_object *taken = NULL;

    prb_memory_put(memory, "a", json_object_new_object());
    prb_memory_put(memory, "a", second);
    taken = prb_memory_take(memory, "a");
    TEST_ASSERT_EQUAL_PTR(second, taken);
    prb_memory_put(memory, "a", prb_take(taken));
    prb_memory_put(memory, "a", NULL);
    prb_memory_put(memory, "b", NULL);
    TEST_ASSERT_NULL(prb_memory_take(memory, "a"));
}

static void test_everything_can_be_forgotten(void)
{
    prb_memory_put(memory, "a", json_object_new_object());
    prb_memory_put(memory, "b", json_object_new_object());
    prb_memory_clear(memory);
    TEST_ASSERT_NULL(prb_memory_take(memory, "a"));
    TEST_ASSERT_NULL(prb_memory_take(memory, "b"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_taken_belongs_to_the_taker);
    RUN_TEST(test_the_last_one_holds_and_none_is_forgetting);
    RUN_TEST(test_everything_can_be_forgotten);
    return UNITY_END();
}

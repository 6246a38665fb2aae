#include <stdio.h>
#include <unity.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"

static size_t freed;

void setUp(void)
{
    freed = 0;
}

void tearDown(void)
{
}

static void count_and_free(void *value)
{
    freed++;
    free(value);
}

/* Key number i, written into `key`. */
static const char *key_of(char key[32], size_t i)
{
    (void)snprintf(key, 32, "namespace/name-%zu", i);
    return key;
}

static void test_an_empty_map_finds_nothing(void)
{
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(NULL);
    const char *key;
    void *value;
    size_t at = 0;

    TEST_ASSERT_NULL(prb_map_find(map, "a"));
    TEST_ASSERT_NULL(prb_map_take(map, "a"));
    TEST_ASSERT_FALSE(prb_map_remove(map, "a"));
    TEST_ASSERT_FALSE(prb_map_next(map, &at, &key, &value));
    TEST_ASSERT_EQUAL_size_t(0, prb_map_count(map));
    prb_map_free(NULL);
}

static void test_keys_are_copied(void)
{
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(NULL);
    char key[] = "abc";
    int value;

    prb_map_set(map, key, &value);
    key[0] = 'x';
    TEST_ASSERT_EQUAL_PTR(&value, prb_map_find(map, "abc"));
    TEST_ASSERT_NULL(prb_map_find(map, "xbc"));
}

static void test_thousands_of_keys_keep_their_values(void)
{
    enum { COUNT = 5000 };
    static int values[COUNT];
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(NULL);
    char key[32];

    for (size_t i = 0; i < COUNT; i++)
        prb_map_set(map, key_of(key, i), &values[i]);
    for (size_t i = 0; i < COUNT; i += 2)
        TEST_ASSERT_EQUAL_PTR(&values[i], prb_map_take(map, key_of(key, i)));
    TEST_ASSERT_EQUAL_size_t(COUNT / 2, prb_map_count(map));
    for (size_t i = 0; i < COUNT; i++)
        TEST_ASSERT_EQUAL_PTR(i % 2 ? &values[i] : NULL, prb_map_find(map, key_of(key, i)));
}

static void test_a_replaced_value_is_freed_once(void)
{
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(count_and_free);
    char *same = prb_strdup("2");

    prb_map_set(map, "k", prb_strdup("1"));
    prb_map_set(map, "k", same);
    TEST_ASSERT_EQUAL_size_t(1, freed);
    prb_map_set(map, "k", same);
    TEST_ASSERT_EQUAL_size_t(1, freed);
    TEST_ASSERT_EQUAL_size_t(1, prb_map_count(map));
    TEST_ASSERT_EQUAL_STRING("2", prb_map_find(map, "k"));
}

static void test_removing_frees_and_taking_does_not(void)
{
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(count_and_free);
    prb_autofree char *taken = NULL;

    prb_map_set(map, "a", prb_strdup("1"));
    prb_map_set(map, "b", prb_strdup("2"));
    prb_map_set(map, "c", prb_strdup("3"));
    TEST_ASSERT_TRUE(prb_map_remove(map, "a"));
    TEST_ASSERT_EQUAL_size_t(1, freed);
    taken = prb_map_take(map, "b");
    TEST_ASSERT_EQUAL_STRING("2", taken);
    TEST_ASSERT_EQUAL_size_t(1, freed);
    prb_map_clear(map);
    TEST_ASSERT_EQUAL_size_t(2, freed);
    TEST_ASSERT_EQUAL_size_t(0, prb_map_count(map));
    prb_map_set(map, "d", prb_strdup("4"));
    TEST_ASSERT_EQUAL_STRING("4", prb_map_find(map, "d"));
}

static void test_iteration_meets_every_entry_once(void)
{
    enum { COUNT = 100 };
    static int seen[COUNT];
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(NULL);
    size_t at = 0, met = 0;
    const char *key;
    void *value;
    char text[32];

    for (size_t i = 0; i < COUNT; i++)
        prb_map_set(map, key_of(text, i), &seen[i]);
    while (prb_map_next(map, &at, &key, &value)) {
        ++*(int *)value;
        met++;
    }
    TEST_ASSERT_EQUAL_size_t(COUNT, met);
    for (size_t i = 0; i < COUNT; i++)
        TEST_ASSERT_EQUAL_INT(1, seen[i]);
}

static void test_the_entry_just_met_may_be_removed(void)
{
    enum { COUNT = 300 };
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(count_and_free);
    size_t at = 0, met = 0;
    const char *key;
    void *value;
    char text[32];

    for (size_t i = 0; i < COUNT; i++)
        prb_map_set(map, key_of(text, i), prb_strdup("v"));
    while (prb_map_next(map, &at, &key, &value)) {
        met++;
        TEST_ASSERT_TRUE(prb_map_remove(map, key));
    }
    TEST_ASSERT_EQUAL_size_t(COUNT, met);
    TEST_ASSERT_EQUAL_size_t(COUNT, freed);
    TEST_ASSERT_EQUAL_size_t(0, prb_map_count(map));
}

/* Marks of removed entries must neither fill the table nor hide what lies behind them. */
static void test_a_long_life_of_adding_and_removing_stays_right(void)
{
    static int value;
    prb_auto(prb_map_free) struct prb_map *map = prb_map_new(NULL);
    char key[32];

    prb_map_set(map, "stays", &value);
    for (size_t i = 0; i < 20000; i++) {
        prb_map_set(map, key_of(key, i), &value);
        TEST_ASSERT_TRUE(prb_map_remove(map, key));
    }
    TEST_ASSERT_EQUAL_PTR(&value, prb_map_find(map, "stays"));
    TEST_ASSERT_EQUAL_size_t(1, prb_map_count(map));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_empty_map_finds_nothing);
    RUN_TEST(test_keys_are_copied);
    RUN_TEST(test_thousands_of_keys_keep_their_values);
    RUN_TEST(test_a_replaced_value_is_freed_once);
    RUN_TEST(test_removing_frees_and_taking_does_not);
    RUN_TEST(test_iteration_meets_every_entry_once);
    RUN_TEST(test_the_entry_just_met_may_be_removed);
    RUN_TEST(test_a_long_life_of_adding_and_removing_stays_right);
    return UNITY_END();
}

/* Does the bounded map drop what was not looked at for the longest time? */

#include <stdio.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "lru.h"

static int freed;

static void count_and_free(void *value)
{
    freed++;
    free(value);
}

void setUp(void)
{
    freed = 0;
}

void tearDown(void)
{
}

static void test_past_the_ceiling_the_oldest_goes(void)
{
    prb_auto(prb_lru_free) struct prb_lru *lru = prb_lru_new(3, count_and_free);

    prb_lru_set(lru, "a", prb_strdup("1"));
    prb_lru_set(lru, "b", prb_strdup("2"));
    prb_lru_set(lru, "c", prb_strdup("3"));
    TEST_ASSERT_EQUAL_STRING("1", prb_lru_find(lru, "a")); /* now b is the oldest */
    prb_lru_set(lru, "d", prb_strdup("4"));
    TEST_ASSERT_EQUAL_size_t(3, prb_lru_count(lru));
    TEST_ASSERT_NULL(prb_lru_find(lru, "b"));
    TEST_ASSERT_EQUAL_STRING("1", prb_lru_find(lru, "a"));
    TEST_ASSERT_EQUAL_STRING("3", prb_lru_find(lru, "c"));
    TEST_ASSERT_EQUAL_STRING("4", prb_lru_find(lru, "d"));
    TEST_ASSERT_EQUAL_INT(1, freed);
}

static void test_setting_again_replaces_and_counts_as_a_look(void)
{
    prb_auto(prb_lru_free) struct prb_lru *lru = prb_lru_new(2, count_and_free);

    prb_lru_set(lru, "a", prb_strdup("1"));
    prb_lru_set(lru, "b", prb_strdup("2"));
    prb_lru_set(lru, "a", prb_strdup("3"));
    TEST_ASSERT_EQUAL_INT(1, freed);
    prb_lru_set(lru, "c", prb_strdup("4"));
    TEST_ASSERT_NULL(prb_lru_find(lru, "b"));
    TEST_ASSERT_EQUAL_STRING("3", prb_lru_find(lru, "a"));
}

static void test_it_never_holds_more_than_its_ceiling(void)
{
    struct prb_lru *lru = prb_lru_new(10, count_and_free);
    char key[16];

    for (int i = 0; i < 1000; i++) {
        (void)snprintf(key, sizeof(key), "%d", i);
        prb_lru_set(lru, key, prb_strdup(key));
    }
    TEST_ASSERT_EQUAL_size_t(10, prb_lru_count(lru));
    TEST_ASSERT_EQUAL_STRING("990", prb_lru_find(lru, "990"));
    prb_lru_free(lru);
    TEST_ASSERT_EQUAL_INT(1000, freed);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_past_the_ceiling_the_oldest_goes);
    RUN_TEST(test_setting_again_replaces_and_counts_as_a_look);
    RUN_TEST(test_it_never_holds_more_than_its_ceiling);
    return UNITY_END();
}

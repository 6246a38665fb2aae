#include <string.h>
#include <unity.h>

#include "probate/base/random.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_numbers_stay_below_their_limit_and_meet_all_of_it(void)
{
    int seen[5] = { 0 };

    for (int i = 0; i < 1000; i++) {
        uint64_t value = prb_random_below(5);

        TEST_ASSERT_TRUE(value < 5);
        seen[value]++;
    }
    /* Each has one chance in five: fewer than 50 of 1000 happens once in 10^30 runs. */
    for (int i = 0; i < 5; i++)
        TEST_ASSERT_TRUE(seen[i] >= 50);
    TEST_ASSERT_EQUAL_UINT64(0, prb_random_below(0));
    TEST_ASSERT_EQUAL_UINT64(0, prb_random_below(1));
}

static void test_jitter_only_adds_and_within_its_share(void)
{
    int64_t least = INT64_MAX, most = 0;

    for (int i = 0; i < 1000; i++) {
        int64_t value = prb_jitter_ms(1000, 20);

        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    TEST_ASSERT_TRUE(least >= 1000 && most <= 1200);
    TEST_ASSERT_TRUE(most - least > 50);
    TEST_ASSERT_EQUAL_INT64(1000, prb_jitter_ms(1000, 0));
    TEST_ASSERT_EQUAL_INT64(0, prb_jitter_ms(0, 50));
    TEST_ASSERT_TRUE(prb_jitter_ms(INT64_MAX - 1, 100) >= INT64_MAX - 1);
}

static void test_a_uuid_has_version_and_variant_and_is_new_each_time(void)
{
    char a[PRB_UUID_SIZE], b[PRB_UUID_SIZE];

    for (int i = 0; i < 200; i++) {
        prb_random_uuid(a);
        prb_random_uuid(b);
        TEST_ASSERT_EQUAL_size_t(36, strlen(a));
        TEST_ASSERT_EQUAL_size_t(36, strspn(a, "0123456789abcdef-"));
        TEST_ASSERT_TRUE(a[8] == '-' && a[13] == '-' && a[18] == '-' && a[23] == '-');
        TEST_ASSERT_EQUAL_CHAR('4', a[14]);
        TEST_ASSERT_NOT_NULL(strchr("89ab", a[19]));
        TEST_ASSERT_TRUE(strcmp(a, b) != 0);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_numbers_stay_below_their_limit_and_meet_all_of_it);
    RUN_TEST(test_jitter_only_adds_and_within_its_share);
    RUN_TEST(test_a_uuid_has_version_and_variant_and_is_new_each_time);
    return UNITY_END();
}

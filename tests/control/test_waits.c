/* Is what keys wait for kept, and logged when it is news? */

#include <unity.h>

#include "probate/base/log.h"
#include "probate/base/str.h"

#include "log_file.h"
#include "waits.h"

#define MINUTE INT64_C(60000)

static struct prb_waits *waits;
static FILE *log_;

void setUp(void)
{
    log_ = log_file_open();
    waits = prb_waits_new("tester");
}

void tearDown(void)
{
    prb_waits_free(waits);
    log_file_close(log_);
}

static void add_line(void *ctx, const char *key, const char *text, int64_t since_ms)
{
    prb_str_addf(ctx, "%s: %s since %d\n", key, text, (int)since_ms);
}

#define ASSERT_WAITS(want)                                      \
    do {                                                        \
        prb_auto(prb_str_done) struct prb_str lines_;           \
        prb_str_init(&lines_, 4096);                            \
        prb_waits_each(waits, add_line, &lines_);               \
        TEST_ASSERT_EQUAL_STRING((want), prb_str_get(&lines_)); \
    } while (0)

static void test_waits_are_told_in_order_of_their_keys(void)
{
    prb_waits_set(waits, "b", "its twin", 10);
    prb_waits_set(waits, "a", "3 objects", 20);
    prb_waits_set(waits, "c", NULL, 30);
    prb_waits_set_failed(waits, "d", "forbidden", 40);
    ASSERT_WAITS("a: 3 objects since 20\nb: its twin since 10\nd: forbidden since 40\n");
    prb_waits_set(waits, "b", NULL, 50);
    ASSERT_WAITS("a: 3 objects since 20\nd: forbidden since 40\n");
    prb_waits_clear(waits);
    ASSERT_WAITS("");
}

static void test_the_time_starts_anew_when_the_text_says_something_else(void)
{
    prb_waits_set(waits, "a", "3 objects", 10);
    prb_waits_set(waits, "a", "2 objects", 20);
    ASSERT_WAITS("a: 2 objects since 10\n");
    prb_waits_set(waits, "a", "its namespace", 30);
    ASSERT_WAITS("a: its namespace since 30\n");
    prb_waits_set_failed(waits, "a", "its namespace", 40);
    ASSERT_WAITS("a: its namespace since 40\n");
}

static void test_a_change_is_logged_at_once_and_moving_numbers_once_a_minute(void)
{
    for (int i = 0; i < 10; i++)
        prb_waits_set(waits, "a", "its twin", i * MINUTE);
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "waiting"));

    prb_waits_set(waits, "a", "9 objects", 10 * MINUTE);
    TEST_ASSERT_EQUAL_INT(2, log_file_count(log_, "waiting"));
    prb_waits_set(waits, "a", "8 objects", 10 * MINUTE + 1);
    prb_waits_set(waits, "a", "7 objects", 11 * MINUTE - 1);
    TEST_ASSERT_EQUAL_INT(2, log_file_count(log_, "waiting"));
    prb_waits_set(waits, "a", "6 objects", 11 * MINUTE);
    TEST_ASSERT_EQUAL_INT(3, log_file_count(log_, "waiting"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "6 objects"));

    prb_waits_set(waits, "a", NULL, 13 * MINUTE);
    prb_waits_set(waits, "a", NULL, 14 * MINUTE);
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "no longer waiting"));
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "3m"));
}

static void test_a_failure_is_logged_once_until_it_changes(void)
{
    for (int i = 0; i < 10; i++)
        prb_waits_set_failed(waits, "a", i % 2 ? "try 1 failed" : "try 2 failed", i * MINUTE);
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "try again"));
    prb_waits_set_failed(waits, "a", "another thing", 11 * MINUTE);
    TEST_ASSERT_EQUAL_INT(2, log_file_count(log_, "try again"));
    prb_waits_set(waits, "a", NULL, 12 * MINUTE);
    TEST_ASSERT_EQUAL_INT(1, log_file_count(log_, "no longer failing"));
}

static void test_a_refusal_is_known_until_something_else_comes_of_it(void)
{
    static const char *const texts[] = { "no right, try 1", "no right, try 2", "another right" };
    static const char *const known[] = { "no right, try 1", "no right, try 1", "another right" };

    for (int i = 0; i < 3; i++) {
        prb_autofree char *refusal = NULL;

        prb_waits_set_refused(waits, "a", texts[i], i * MINUTE);
        refusal = prb_waits_refusal(waits, "a");
        TEST_ASSERT_EQUAL_STRING(known[i], refusal);
    }
    TEST_ASSERT_EQUAL_INT(2, log_file_count(log_, "try again"));
    prb_waits_set_failed(waits, "a", "another right", 3 * MINUTE);
    TEST_ASSERT_NULL(prb_waits_refusal(waits, "a"));
    prb_waits_set_refused(waits, "a", "no right", 4 * MINUTE);
    prb_waits_set(waits, "a", NULL, 5 * MINUTE);
    TEST_ASSERT_NULL(prb_waits_refusal(waits, "a"));
    TEST_ASSERT_NULL(prb_waits_refusal(waits, "never heard of"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_waits_are_told_in_order_of_their_keys);
    RUN_TEST(test_the_time_starts_anew_when_the_text_says_something_else);
    RUN_TEST(test_a_change_is_logged_at_once_and_moving_numbers_once_a_minute);
    RUN_TEST(test_a_failure_is_logged_once_until_it_changes);
    RUN_TEST(test_a_refusal_is_known_until_something_else_comes_of_it);
    return UNITY_END();
}

/* What does Probate itself note of deletions that it refused, or had to let through? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "critical.h"

static struct bench *noted;

static void test_the_log_has_a_line_for_each_refusal_with_who_and_what(void)
{
    prb_autofree char *log = program_log(&noted->programs[DENYING]);

    TEST_ASSERT_NOT_NULL(strstr(log, " denied rule=critical-service code=403 operation=DELETE"));
    TEST_ASSERT_NOT_NULL(strstr(log, " user=worker "));
}

static void test_what_was_overridden_is_logged_with_the_reason_and_counted(void)
{
    prb_autofree char *log = program_log(&noted->programs[DENYING]);
    prb_autofree char *metrics = program_get(&noted->programs[DENYING], "/metrics");

    TEST_ASSERT_NOT_NULL(strstr(log, "incident-17"));
    TEST_ASSERT_NOT_NULL(strstr(metrics, "probate_overrides_total{rule=\"critical-service\"} "));
    TEST_ASSERT_NULL(strstr(metrics, "probate_overrides_total{rule=\"critical-service\"} 0"));
}

static void test_refusals_are_counted(void)
{
    prb_autofree char *metrics = program_get(&noted->programs[DENYING], "/metrics");

    TEST_ASSERT_NOT_NULL(strstr(metrics,
            "probate_admission_reviews_total{operation=\"DELETE\",decision=\"deny\",rule="
            "\"critical-service\"}"));
}

void run_critical_notes_tests(struct bench *bench)
{
    noted = bench;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_the_log_has_a_line_for_each_refusal_with_who_and_what);
    RUN_TEST(test_what_was_overridden_is_logged_with_the_reason_and_counted);
    RUN_TEST(test_refusals_are_counted);
}

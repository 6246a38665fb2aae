/* What does Probate note of what it decides, and what never? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "../admission/http_client.h"
#include "phases.h"

static struct bench *bench;

static void test_the_log_has_a_line_for_each_denial_with_who_and_what(void)
{
    prb_autofree char *log = program_log(&bench->programs[DENYING]);

    ASSERT_HAS(log, " denied rule=cluster-lifecycle code=403 operation=CREATE");
    ASSERT_HAS(log, " denied rule=manifestwork-orphan code=422");
    ASSERT_HAS(log, " user=admin ");
    ASSERT_HAS(log, " dryRun=true ");
}

/* "cm1" is in the objects of nearly every row, and in none of their names. */
static void test_the_log_never_has_what_is_in_the_objects(void)
{
    prb_autofree char *log = program_log(&bench->programs[DENYING]);

    TEST_ASSERT_NULL(strstr(log, "cm1"));
    TEST_ASSERT_NULL(strstr(log, "orphaningRules"));
}

static void test_denials_are_counted_by_rule(void)
{
    prb_autofree char *metrics = program_get(&bench->programs[DENYING], "/metrics");

    ASSERT_HAS(metrics, "probate_admission_reviews_total{operation=\"CREATE\",decision=\"deny\","
                        "rule=\"cluster-lifecycle\"}");
    ASSERT_HAS(metrics, "probate_admission_reviews_total{operation=\"UPDATE\",decision=\"deny\","
                        "rule=\"manifestwork-orphan\"}");
}

static void test_what_would_be_denied_is_counted_and_logged(void)
{
    prb_autofree char *metrics = program_get(&bench->programs[ONLY_AUDITING], "/metrics");
    prb_autofree char *log = program_log(&bench->programs[ONLY_AUDITING]);

    ASSERT_HAS(metrics, "probate_admission_audited_total{operation=\"CREATE\","
                        "rule=\"cluster-lifecycle\"}");
    ASSERT_HAS(metrics, "probate_admission_audited_total{operation=\"CREATE\","
                        "rule=\"claim-delete-policy\"}");
    ASSERT_HAS(log, " would be denied rule=manifestwork-orphan");
}

void run_denial_notes_tests(struct bench *bench_)
{
    bench = bench_;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_the_log_has_a_line_for_each_denial_with_who_and_what);
    RUN_TEST(test_the_log_never_has_what_is_in_the_objects);
    RUN_TEST(test_denials_are_counted_by_rule);
}

void run_audit_notes_tests(struct bench *bench_)
{
    bench = bench_;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_what_would_be_denied_is_counted_and_logged);
}

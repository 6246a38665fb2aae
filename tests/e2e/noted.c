/* What does Probate note of what it decides, and what never? */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "phases.h"

static struct bench *noted;

/* The first of the parts that is not in the text; NULL: all are. */
static const char *find_missing(const char *text, const char *const *parts)
{
    for (; *parts; parts++) {
        if (!strstr(text, *parts))
            return *parts;
    }
    return NULL;
}

#define ASSERT_HAS_ALL(text, ...) \
    TEST_ASSERT_EQUAL_STRING(NULL, find_missing(text, (const char *const[]){ __VA_ARGS__, NULL }))

static void test_the_log_has_a_line_for_each_denial_with_who_and_what(void)
{
    prb_autofree char *log = program_log(&noted->programs[DENYING]);

    ASSERT_HAS_ALL(log, " denied rule=cluster-lifecycle code=403 operation=CREATE",
            " denied rule=manifestwork-orphan code=422", " user=admin ", " dryRun=true ");
}

/* "cm1" is in the objects of nearly every row, and in none of their names. */
static void test_the_log_never_has_what_is_in_the_objects(void)
{
    prb_autofree char *log = program_log(&noted->programs[DENYING]);

    TEST_ASSERT_NULL(strstr(log, "cm1"));
    TEST_ASSERT_NULL(strstr(log, "orphaningRules"));
}

#define REVIEWS(operation, rule)                                                                 \
    "probate_admission_reviews_total{operation=\"" operation "\",decision=\"deny\",rule=\"" rule \
    "\"}"
#define AUDITED(rule) "probate_admission_audited_total{operation=\"CREATE\",rule=\"" rule "\"}"

static void test_denials_are_counted_by_rule(void)
{
    prb_autofree char *metrics = program_get(&noted->programs[DENYING], "/metrics");

    ASSERT_HAS_ALL(metrics, REVIEWS("CREATE", "cluster-lifecycle"),
            REVIEWS("UPDATE", "manifestwork-orphan"), REVIEWS("CREATE", "claim-delete-policy"));
}

static void test_what_would_be_denied_is_counted_and_logged(void)
{
    prb_autofree char *metrics = program_get(&noted->programs[ONLY_AUDITING], "/metrics");
    prb_autofree char *log = program_log(&noted->programs[ONLY_AUDITING]);

    ASSERT_HAS_ALL(metrics, AUDITED("cluster-lifecycle"), AUDITED("claim-delete-policy"));
    ASSERT_HAS_ALL(log, " would be denied rule=manifestwork-orphan");
}

void run_denial_notes_tests(struct bench *bench)
{
    noted = bench;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_the_log_has_a_line_for_each_denial_with_who_and_what);
    RUN_TEST(test_the_log_never_has_what_is_in_the_objects);
    RUN_TEST(test_denials_are_counted_by_rule);
}

void run_audit_notes_tests(struct bench *bench)
{
    noted = bench;
    UnitySetTestFile(__FILE__);
    RUN_TEST(test_what_would_be_denied_is_counted_and_logged);
}

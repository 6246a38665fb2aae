/* What one question becomes, and how several are asked one after the other. */

#include <string.h>
#include <unity.h>

#include "probate/admission/asker.h"
#include "probate/base/str.h"

#include "question_port.h"

static struct question_port port;
static struct prb_fake_clock clock_held;
static struct prb_questions questions;

void setUp(void)
{
    question_port_init(&port);
    prb_fake_clock_init(&clock_held, 1000);
    port.clock = &clock_held;
    prb_questions_init(&questions);
}

void tearDown(void)
{
    prb_questions_done(&questions);
    question_port_done(&port);
}

/* Ask about these, with `ms` until the deadline. */
static void ask(int64_t ms, const char *const *names)
{
    for (; *names; names++)
        question_add(&questions, *names);
    prb_ask_all(&port.api, &clock_held.clock, 1000 + ms, &questions);
}
#define ASK(ms, ...) ask((ms), (const char *const[]){ __VA_ARGS__, NULL })

static void test_an_object_that_is_there_is_present_with_its_metadata_only(void)
{
    ASK(4000, "live");
    TEST_ASSERT_EQUAL(PRB_PRESENT, questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING("live", prb_object_name(questions.items[0].object));
    TEST_ASSERT_FALSE(port.whole);
    TEST_ASSERT_EQUAL(4000, port.timeout_ms);
}

static void test_a_call_has_no_more_time_than_any(void)
{
    ASK(1000000000, "live");
    TEST_ASSERT_EQUAL(PRB_API_TIMEOUT_MS, port.timeout_ms);
}

static void test_only_not_found_is_absent(void)
{
    for (int code = PRB_E_INVALID; code >= PRB_E_INTERNAL; code--) {
        const char *name = prb_errc_name((enum prb_errc)code);
        const struct prb_question *answer;

        ASK(4000, name);
        answer = &questions.items[questions.count - 1];
        if (code == PRB_E_NOTFOUND) {
            TEST_ASSERT_EQUAL_MESSAGE(PRB_ABSENT, answer->state, name);
        } else {
            TEST_ASSERT_EQUAL_MESSAGE(PRB_UNKNOWN, answer->state, name);
        }
        TEST_ASSERT_EQUAL_MESSAGE(code, answer->error.code, name);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(answer->error.msg, "scripted"), name);
    }
    TEST_ASSERT_EQUAL(-PRB_E_INTERNAL, questions.count);
}

static void test_what_is_not_served_is_absent_and_says_so(void)
{
    ASK(4000, "absent", "unserved", "Unserved");
    TEST_ASSERT_EQUAL(PRB_ABSENT, questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING("NotFound", questions.items[0].error.reason);
    TEST_ASSERT_EQUAL(PRB_ABSENT, questions.items[1].state);
    TEST_ASSERT_EQUAL_STRING("NotServed", questions.items[1].error.reason);
    TEST_ASSERT_EQUAL(PRB_ABSENT, questions.items[2].state);
    TEST_ASSERT_EQUAL_STRING("NotServed", questions.items[2].error.reason);
}

static void test_a_kind_is_resolved_to_its_plural_and_scope(void)
{
    ASK(4000, "Lives");
    TEST_ASSERT_EQUAL(PRB_PRESENT, questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING("lives", questions.items[0].resource);
    TEST_ASSERT_TRUE(questions.items[0].namespaced);
}

static void test_a_short_name_is_no_kind(void)
{
    ASK(4000, "Alias");
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING("", questions.items[0].resource);
    TEST_ASSERT_NOT_NULL(strstr(questions.items[0].error.msg, "not its kind"));
}

static void test_one_slow_question_leaves_time_for_the_others(void)
{
    ASK(3000, "slow", "live-1", "live-2");
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_E_IO, questions.items[0].error.code);
    TEST_ASSERT_EQUAL(PRB_PRESENT, questions.items[1].state);
    TEST_ASSERT_EQUAL(PRB_PRESENT, questions.items[2].state);
}

static void test_objects_are_asked_about_before_kinds(void)
{
    ASK(3000, "Live", "slow-1", "slow-2");
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions.items[0].state);
    TEST_ASSERT_EQUAL_STRING("the time for this request was over", questions.items[0].error.msg);
    TEST_ASSERT_EQUAL(PRB_E_IO, questions.items[1].error.code);
    TEST_ASSERT_EQUAL(PRB_E_IO, questions.items[2].error.code);
    TEST_ASSERT_EQUAL(2, port.calls);
}

static void test_after_the_deadline_nobody_is_asked(void)
{
    ASK(0, "live", "Live");
    TEST_ASSERT_EQUAL(0, port.calls);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions.items[0].state);
    TEST_ASSERT_EQUAL(PRB_E_UNAVAILABLE, questions.items[0].error.code);
    TEST_ASSERT_EQUAL(PRB_UNKNOWN, questions.items[1].state);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_that_is_there_is_present_with_its_metadata_only);
    RUN_TEST(test_a_call_has_no_more_time_than_any);
    RUN_TEST(test_only_not_found_is_absent);
    RUN_TEST(test_what_is_not_served_is_absent_and_says_so);
    RUN_TEST(test_a_kind_is_resolved_to_its_plural_and_scope);
    RUN_TEST(test_a_short_name_is_no_kind);
    RUN_TEST(test_one_slow_question_leaves_time_for_the_others);
    RUN_TEST(test_objects_are_asked_about_before_kinds);
    RUN_TEST(test_after_the_deadline_nobody_is_asked);
    return UNITY_END();
}

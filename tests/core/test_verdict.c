#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/core/question.h"
#include "probate/core/verdict.h"

#include "support/json_text.h"

static struct prb_verdict verdict;

void setUp(void)
{
    prb_verdict_init(&verdict);
}

/* A failed assertion does not end a test: there may be no text. */
static const char *or_empty(const char *text)
{
    return text ? text : "";
}

static bool ends_in_dots(const char *text)
{
    size_t len = strlen(or_empty(text));

    return len > 3 && strcmp(text + len - 3, "...") == 0 && prb_utf8_valid(text, len);
}

void tearDown(void)
{
    prb_verdict_done(&verdict);
}

static void test_nothing_said_is_an_allowance(void)
{
    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_NULL(verdict.message);
    TEST_ASSERT_EQUAL_size_t(0, verdict.warning_count);
}

static void test_the_first_denial_stands(void)
{
    prb_forbid(&verdict, "%s is first", "this");
    prb_unverified(&verdict, 5, "later");
    prb_invalid(&verdict, "spec.a", "later");
    prb_forbid(&verdict, "later");

    TEST_ASSERT_EQUAL_INT(PRB_DENY_FORBIDDEN, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("this is first", verdict.message);
    TEST_ASSERT_EQUAL_INT(0, verdict.retry_after_s);
    TEST_ASSERT_EQUAL_size_t(0, verdict.cause_count);
}

static void test_what_could_not_be_verified_says_when_to_come_back(void)
{
    prb_unverified(&verdict, 2, "no answer from %s", "etcd");
    prb_forbid(&verdict, "later");

    TEST_ASSERT_EQUAL_INT(PRB_DENY_UNAVAILABLE, verdict.denial);
    TEST_ASSERT_EQUAL_INT(2, verdict.retry_after_s);
    TEST_ASSERT_EQUAL_STRING("no answer from etcd", verdict.message);
}

static void test_invalid_settings_add_up(void)
{
    prb_invalid(&verdict, "spec.a", "is %d", 1);
    prb_invalid(&verdict, "spec.b", "is bad");
    prb_forbid(&verdict, "later");

    TEST_ASSERT_EQUAL_INT(PRB_DENY_INVALID, verdict.denial);
    TEST_ASSERT_EQUAL_STRING("spec.a: is 1; spec.b: is bad", verdict.message);
    TEST_ASSERT_EQUAL_size_t(2, verdict.cause_count);
    TEST_ASSERT_EQUAL_STRING("spec.b", verdict.causes[1].field);
    TEST_ASSERT_EQUAL_STRING("is bad", verdict.causes[1].message);
}

static void test_causes_past_the_bound_are_not_told(void)
{
    for (int i = 0; i < PRB_CAUSES_MAX + 5; i++)
        prb_invalid(&verdict, "spec.a", "cause %d", i);

    TEST_ASSERT_EQUAL_size_t(PRB_CAUSES_MAX, verdict.cause_count);
    TEST_ASSERT_NOT_NULL(strstr(or_empty(verdict.message), "cause 15"));
    TEST_ASSERT_NULL(strstr(or_empty(verdict.message), "cause 16"));
}

static void test_texts_are_one_line_that_can_be_delivered(void)
{
    static const struct {
        const char *name, *text, *wanted;
    } cases[] = {
        { "newline and tab", "a\nb\tc", "a b c" },
        { "escape and delete", "\x1b[31mred\x7f", " [31mred " },
        { "next line, a control character of two bytes", "a\xc2\x85z", "a  z" },
        { "the last of them, and the first that is none", "\xc2\x9f\xc2\xa0", "  \xc2\xa0" },
        { "letters beyond ASCII", "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
        { "broken UTF-8", "a\xff\xc3\xbc", "a???" },
        { "a character cut short at the end", "a\xc3", "a?" },
        { "nothing", "", "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_verdict one, two;

        prb_verdict_init(&one);
        prb_verdict_init(&two);
        prb_forbid(&one, "%s", cases[i].text);
        prb_caution(&one, "%s", cases[i].text);
        prb_invalid(&two, "f", "%s", cases[i].text);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].wanted, one.message, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].wanted, one.warnings[0], cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].wanted, two.causes[0].message, cases[i].name);
        prb_verdict_done(&one);
        prb_verdict_done(&two);
    }
}

/* A text of `count` two-byte characters. */
static void fill(char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        memcpy(text + 2 * i, "\xc3\xbc", 2);
    text[2 * count] = '\0';
}

static void test_a_long_text_ends_in_dots_and_not_inside_a_character(void)
{
    static char text[20001];

    fill(text, 10000);
    prb_forbid(&verdict, "%s", text);
    prb_caution(&verdict, "%s", text);

    TEST_ASSERT_LESS_THAN_size_t(4096, strlen(or_empty(verdict.message)));
    TEST_ASSERT_GREATER_THAN_size_t(4000, strlen(or_empty(verdict.message)));
    TEST_ASSERT_TRUE(ends_in_dots(verdict.message));
    TEST_ASSERT_NULL(strchr(or_empty(verdict.message), '?'));
    TEST_ASSERT_LESS_THAN_size_t(PRB_WARNING_SIZE, strlen(or_empty(verdict.warnings[0])));
    TEST_ASSERT_TRUE(ends_in_dots(verdict.warnings[0]));
}

static void test_many_long_causes_stay_within_the_message(void)
{
    static char text[6001];

    fill(text, 3000);
    for (int i = 0; i < 3; i++)
        prb_invalid(&verdict, "spec.a", "%s", text);

    TEST_ASSERT_EQUAL_size_t(3, verdict.cause_count);
    TEST_ASSERT_LESS_THAN_size_t(4096, strlen(or_empty(verdict.message)));
    TEST_ASSERT_TRUE(ends_in_dots(verdict.message));
}

static void test_a_warning_does_not_refuse_and_is_said_once(void)
{
    prb_caution(&verdict, "beware");
    prb_caution(&verdict, "beware");
    prb_caution(&verdict, "and this");

    TEST_ASSERT_TRUE(prb_verdict_allows(&verdict));
    TEST_ASSERT_EQUAL_size_t(2, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("and this", verdict.warnings[1]);
}

static void test_warnings_are_bounded_in_number(void)
{
    for (int i = 0; i < PRB_WARNINGS_MAX + 3; i++)
        prb_caution(&verdict, "warning %d", i);

    TEST_ASSERT_EQUAL_size_t(PRB_WARNINGS_MAX, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("warning 0", verdict.warnings[0]);
}

static void test_warnings_together_stay_below_what_the_api_server_cuts(void)
{
    static char text[801];
    size_t total = 0;

    fill(text, 400);
    for (int i = 0; i < PRB_WARNINGS_MAX; i++)
        prb_caution(&verdict, "%d %s", i, text);
    prb_caution(&verdict, "a short one still fits");

    for (size_t i = 0; i < verdict.warning_count; i++)
        total += strlen(verdict.warnings[i]);
    TEST_ASSERT_LESS_OR_EQUAL_size_t(PRB_WARNINGS_TOTAL, total);
    TEST_ASSERT_EQUAL_size_t(4, verdict.warning_count);
    TEST_ASSERT_EQUAL_STRING("a short one still fits", verdict.warnings[3]);
}

static struct prb_request *make_request(const char *resource)
{
    struct prb_request *request = prb_calloc(1, sizeof(*request));
    struct prb_error err;

    request->uid = prb_strdup("r");
    request->operation = PRB_DELETE;
    (void)prb_gvr_init(&request->gvr, resource[0] == 'n' ? "" : "apps", "v1", resource);
    request->kind = prb_strdup("Kind");
    request->subresource = prb_strdup("");
    request->name = prb_strdup("web");
    request->namespace = prb_strdup("web"); /* as the API server has it of a namespace */
    request->subject = prb_subject_new(
            prb_strdup("alice"), prb_strdup(""), prb_calloc(1, sizeof(char *)), NULL);
    (void)prb_object_draft(
            prb_test_json("{'metadata':{'name':'web','uid':'u-9'}}"), &request->old, &err);
    return request;
}

static const struct prb_ref guard_ref = { { "probate.dev", "v1alpha1", "criticalservices" }, "",
    "guard" };
static const struct prb_guard guard = { &guard_ref, "g-1", "probate.dev/v1alpha1",
    "CriticalService", .unwritable = true };

static void test_a_note_says_who_wanted_what_and_who_guards_it(void)
{
    static const struct {
        const char *resource, *api_version, *namespace;
    } cases[] = {
        { "deployments", "apps/v1", "web" },
        { "namespaces", "v1", "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = make_request(cases[i].resource);
        const struct prb_note *note;

        prb_verdict_note(&verdict, PRB_NOTE_OVERRIDDEN, request, &guard, "let %s\ngo", "it");
        TEST_ASSERT_EQUAL_size_t(i + 1, verdict.note_count);
        note = &verdict.notes[i];
        TEST_ASSERT_EQUAL_INT(PRB_NOTE_OVERRIDDEN, note->type);
        TEST_ASSERT_TRUE(prb_ref_equal(&guard_ref, &note->guard));
        TEST_ASSERT_EQUAL_STRING("g-1", note->guard_uid);
        TEST_ASSERT_EQUAL_STRING("probate.dev/v1alpha1", note->guard_api_version);
        TEST_ASSERT_EQUAL_STRING("CriticalService", note->guard_kind);
        TEST_ASSERT_TRUE(note->guard_unwritable);
        TEST_ASSERT_EQUAL_STRING(cases[i].resource, note->object.gvr.resource);
        TEST_ASSERT_EQUAL_STRING(cases[i].namespace, note->object.namespace);
        TEST_ASSERT_EQUAL_STRING("web", note->object.name);
        TEST_ASSERT_EQUAL_STRING("u-9", note->object_uid);
        TEST_ASSERT_EQUAL_STRING(cases[i].api_version, note->object_api_version);
        TEST_ASSERT_EQUAL_STRING("Kind", note->object_kind);
        TEST_ASSERT_EQUAL_STRING("alice", note->user);
        TEST_ASSERT_EQUAL_STRING("DELETE", note->operation);
        TEST_ASSERT_EQUAL_STRING("let it go", note->text);
    }
}

static void test_notes_are_bounded_in_number_and_length(void)
{
    prb_auto(prb_request_free) struct prb_request *request = make_request("deployments");
    static char text[6001];

    fill(text, 3000);
    for (int i = 0; i < PRB_NOTES_MAX + 3; i++)
        prb_verdict_note(&verdict, PRB_NOTE_DENIED, request, &guard, "%d %s", i, text);
    TEST_ASSERT_EQUAL_size_t(PRB_NOTES_MAX, verdict.note_count);
    TEST_ASSERT_LESS_THAN_size_t(1024, strlen(verdict.notes[0].text));
    TEST_ASSERT_TRUE(ends_in_dots(verdict.notes[0].text));
}

/* As many as there can be: nobody goes past a guard that was not asked about. */
static void test_no_trace_of_an_override_is_lost(void)
{
    prb_auto(prb_request_free) struct prb_request *request = make_request("namespaces");

    for (int i = 0; i < PRB_QUESTIONS_MAX + 3; i++)
        prb_verdict_note(&verdict, PRB_NOTE_OVERRIDDEN, request, &guard, "%d", i);
    TEST_ASSERT_EQUAL_size_t(PRB_QUESTIONS_MAX, verdict.note_count);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_nothing_said_is_an_allowance);
    RUN_TEST(test_the_first_denial_stands);
    RUN_TEST(test_what_could_not_be_verified_says_when_to_come_back);
    RUN_TEST(test_invalid_settings_add_up);
    RUN_TEST(test_causes_past_the_bound_are_not_told);
    RUN_TEST(test_texts_are_one_line_that_can_be_delivered);
    RUN_TEST(test_a_long_text_ends_in_dots_and_not_inside_a_character);
    RUN_TEST(test_many_long_causes_stay_within_the_message);
    RUN_TEST(test_a_warning_does_not_refuse_and_is_said_once);
    RUN_TEST(test_warnings_are_bounded_in_number);
    RUN_TEST(test_warnings_together_stay_below_what_the_api_server_cuts);
    RUN_TEST(test_a_note_says_who_wanted_what_and_who_guards_it);
    RUN_TEST(test_notes_are_bounded_in_number_and_length);
    RUN_TEST(test_no_trace_of_an_override_is_lost);
    return UNITY_END();
}

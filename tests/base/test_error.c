#include <string.h>
#include <unity.h>

#include "probate/base/error.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_failure_carries_its_code_and_message(void)
{
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT(PRB_E_GONE, prb_fail(&err, PRB_E_GONE, "watch %s", "works"));
    TEST_ASSERT_EQUAL_INT(PRB_E_GONE, err.code);
    TEST_ASSERT_EQUAL_STRING("watch works", err.msg);
}

static void test_a_new_failure_forgets_what_the_server_said_before(void)
{
    struct prb_error err = { .status = 429, .retry_after_ms = 1000, .reason = "TooManyRequests" };

    (void)prb_fail(&err, PRB_E_IO, "cut");
    TEST_ASSERT_EQUAL_INT(0, err.status);
    TEST_ASSERT_EQUAL_INT(0, err.retry_after_ms);
    TEST_ASSERT_EQUAL_STRING("", err.reason);
}

static void test_wrapping_puts_context_in_front_and_keeps_the_rest(void)
{
    struct prb_error err = {
        .code = PRB_E_CONFLICT, .status = 409, .reason = "Conflict", .msg = "changed"
    };

    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, prb_wrap(&err, "update %s/%s", "ns", "a"));
    TEST_ASSERT_EQUAL_STRING("update ns/a: changed", err.msg);
    TEST_ASSERT_EQUAL_INT(409, err.status);
    TEST_ASSERT_EQUAL_STRING("Conflict", err.reason);
}

static void test_a_message_may_quote_the_one_it_replaces(void)
{
    struct prb_error err = { .msg = "inner" };

    (void)prb_fail(&err, PRB_E_IO, "outer of %s", err.msg);
    TEST_ASSERT_EQUAL_STRING("outer of inner", err.msg);
}

static void test_a_long_message_is_cut_between_characters_and_says_so(void)
{
    char text[PRB_ERROR_MSG_MAX * 2 + 1];
    struct prb_error err;

    /* Two-byte characters behind one byte: the cut falls inside one. */
    for (size_t shift = 0; shift < 2; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 2 < sizeof(text); i += 2)
            memcpy(text + i, "\xC3\xA9", 3);
        (void)prb_fail(&err, PRB_E_IO, "%s", text);

        size_t len = strlen(err.msg);

        TEST_ASSERT_TRUE(len < PRB_ERROR_MSG_MAX && len > PRB_ERROR_MSG_MAX - 8);
        TEST_ASSERT_EQUAL_STRING("\xC3\xA9...", err.msg + len - 5);
    }
}

static void test_every_code_has_a_name_of_its_own(void)
{
    for (int a = PRB_E_INTERNAL; a <= PRB_OK; a++) {
        TEST_ASSERT_TRUE(strcmp(prb_errc_name((enum prb_errc)a), "unknown") != 0);
        for (int b = a + 1; b <= PRB_OK; b++)
            TEST_ASSERT_TRUE(
                    strcmp(prb_errc_name((enum prb_errc)a), prb_errc_name((enum prb_errc)b)) != 0);
    }
    TEST_ASSERT_EQUAL_STRING("unknown", prb_errc_name((enum prb_errc) - 99));
    TEST_ASSERT_EQUAL_STRING("unknown", prb_errc_name((enum prb_errc)5));
}

static void test_only_what_may_pass_by_itself_is_transient(void)
{
    static const enum prb_errc transient[] = { PRB_E_CONFLICT, PRB_E_GONE, PRB_E_THROTTLED,
        PRB_E_UNAVAILABLE, PRB_E_IO };
    static const enum prb_errc final[] = { PRB_OK, PRB_E_INVALID, PRB_E_NOTFOUND, PRB_E_EXISTS,
        PRB_E_UNAUTHORIZED, PRB_E_FORBIDDEN, PRB_E_UNSUPPORTED, PRB_E_CANCELLED, PRB_E_INTERNAL };

    for (size_t i = 0; i < sizeof(transient) / sizeof(transient[0]); i++)
        TEST_ASSERT_TRUE_MESSAGE(prb_errc_is_transient(transient[i]), prb_errc_name(transient[i]));
    for (size_t i = 0; i < sizeof(final) / sizeof(final[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(prb_errc_is_transient(final[i]), prb_errc_name(final[i]));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_failure_carries_its_code_and_message);
    RUN_TEST(test_a_new_failure_forgets_what_the_server_said_before);
    RUN_TEST(test_wrapping_puts_context_in_front_and_keeps_the_rest);
    RUN_TEST(test_a_message_may_quote_the_one_it_replaces);
    RUN_TEST(test_a_long_message_is_cut_between_characters_and_says_so);
    RUN_TEST(test_every_code_has_a_name_of_its_own);
    RUN_TEST(test_only_what_may_pass_by_itself_is_transient);
    return UNITY_END();
}

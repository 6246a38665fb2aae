#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_an_empty_string_reads_as_empty_text(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 10);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&s));
    prb_str_add(&s, "");
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&s));
    TEST_ASSERT_FALSE(s.cut);
}

static void test_pieces_are_joined_in_order(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 1000);
    prb_str_add(&s, "a");
    prb_str_addn(&s, "bcd", 2);
    prb_str_addc(&s, '-');
    prb_str_addf(&s, "%d%s", 42, "z");
    TEST_ASSERT_EQUAL_STRING("abc-42z", prb_str_get(&s));
    TEST_ASSERT_EQUAL_size_t(7, s.len);
}

static void test_a_formatted_piece_may_be_long(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    char long_text[1001];

    memset(long_text, 'x', sizeof(long_text) - 1);
    long_text[1000] = '\0';
    prb_str_init(&s, 5000);
    prb_str_addf(&s, "<%s>", long_text);
    TEST_ASSERT_EQUAL_size_t(1002, s.len);
    TEST_ASSERT_EQUAL_CHAR('<', s.data[0]);
    TEST_ASSERT_EQUAL_CHAR('>', s.data[1001]);
}

static void test_exactly_the_ceiling_fits(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 3);
    prb_str_add(&s, "abc");
    TEST_ASSERT_FALSE(s.cut);
    prb_str_addc(&s, 'd');
    TEST_ASSERT_TRUE(s.cut);
    TEST_ASSERT_EQUAL_STRING("abc", prb_str_get(&s));
}

static void test_after_a_cut_nothing_follows(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 4);
    prb_str_add(&s, "abc");
    prb_str_add(&s, "de");
    prb_str_add(&s, "f");
    TEST_ASSERT_EQUAL_STRING("abcd", prb_str_get(&s));

    prb_str_clear(&s);
    prb_str_add(&s, "abc\xE2\x82\xAC"); /* one byte is left, which would take the next piece */
    prb_str_add(&s, "f");
    TEST_ASSERT_EQUAL_STRING("abc", prb_str_get(&s));

    prb_str_clear(&s);
    prb_str_add(&s, "f");
    TEST_ASSERT_EQUAL_STRING("f", prb_str_get(&s));
    TEST_ASSERT_FALSE(s.cut);
}

static void test_a_cut_never_splits_a_character(void)
{
    static const char euros[] = "\xE2\x82\xAC\xE2\x82\xAC";

    for (size_t max = 0; max <= 6; max++) {
        prb_auto(prb_str_done) struct prb_str s;

        prb_str_init(&s, max);
        prb_str_add(&s, euros);
        TEST_ASSERT_EQUAL_size_t(max / 3 * 3, s.len);
        TEST_ASSERT_TRUE(prb_utf8_valid(prb_str_get(&s), s.len));
        TEST_ASSERT_EQUAL(max < 6, s.cut);
    }
}

static void test_taking_leaves_an_empty_usable_string(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    prb_autofree char *first = NULL;
    prb_autofree char *second = NULL;

    prb_str_init(&s, 100);
    prb_str_add(&s, "one");
    first = prb_str_take(&s);
    TEST_ASSERT_EQUAL_STRING("one", first);
    second = prb_str_take(&s);
    TEST_ASSERT_EQUAL_STRING("", second);
    prb_str_add(&s, "two");
    TEST_ASSERT_EQUAL_STRING("two", prb_str_get(&s));
}

static void test_copies_keep_null_as_null(void)
{
    prb_autofree char *whole = prb_strdup("name");
    prb_autofree char *part = prb_strndup("name", 2);
    prb_autofree char *shorter = prb_strndup("na", 10);
    prb_autofree char *formatted = prb_asprintf("%s/%d", "a", 7);

    TEST_ASSERT_NULL(prb_strdup(NULL));
    TEST_ASSERT_NULL(prb_strndup(NULL, 3));
    TEST_ASSERT_EQUAL_STRING("name", whole);
    TEST_ASSERT_EQUAL_STRING("na", part);
    TEST_ASSERT_EQUAL_STRING("na", shorter);
    TEST_ASSERT_EQUAL_STRING("a/7", formatted);
}

static void test_taking_a_pointer_leaves_null(void)
{
    prb_autofree char *mine = prb_strdup("x");
    prb_autofree char *yours = prb_take(mine);

    TEST_ASSERT_NULL(mine);
    TEST_ASSERT_EQUAL_STRING("x", yours);
}

static void test_integers_are_checked_whole(void)
{
    static const struct {
        const char *text;
        int64_t min, max;
        bool ok;
        int64_t value;
    } cases[] = {
        { "0", 0, 10, true, 0 },
        { "42", 0, 100, true, 42 },
        { "-7", -10, 10, true, -7 },
        { "007", 0, 10, true, 7 },
        { "9223372036854775807", 0, INT64_MAX, true, INT64_MAX },
        { "-9223372036854775808", INT64_MIN, 0, true, INT64_MIN },
        { "9223372036854775808", INT64_MIN, INT64_MAX, false, 0 },
        { "-9223372036854775809", INT64_MIN, INT64_MAX, false, 0 },
        { "99999999999999999999999", INT64_MIN, INT64_MAX, false, 0 },
        { "11", 0, 10, false, 0 },
        { "-1", 0, 10, false, 0 },
        { "", 0, 10, false, 0 },
        { "-", -10, 10, false, 0 },
        { "+1", 0, 10, false, 0 },
        { " 1", 0, 10, false, 0 },
        { "1 ", 0, 10, false, 0 },
        { "1x", 0, 10, false, 0 },
        { "0x1", 0, 10, false, 0 },
        { "1.0", 0, 10, false, 0 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t value = -99;
        bool ok = prb_parse_int(cases[i].text, cases[i].min, cases[i].max, &value);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].ok, ok, cases[i].text);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(ok ? cases[i].value : -99, value, cases[i].text);
    }
}

static void test_durations_read_as_in_go(void)
{
    static const struct {
        const char *text;
        int64_t ms; /* -1: refused */
    } cases[] = {
        { "0", 0 },
        { "0s", 0 },
        { "300ms", 300 },
        { "10s", 10000 },
        { "5m", 300000 },
        { "2h", 7200000 },
        { "1h30m", 5400000 },
        { "1h30m15s250ms", 5415250 },
        { "1.5h", 5400000 },
        { ".5s", 500 },
        { "1.s", 1000 },
        { "1.0005s", 1000 },
        { "0.1234567891234567890123456789s", 123 },
        { "1500us", 1 },
        { "1500\xC2\xB5s", 1 },
        { "1999999ns", 1 },
        { "9223372036s", INT64_C(9223372036000) },
        { "9223372037s", -1 },
        { "99999999999999999999h", -1 },
        { "", -1 },
        { "10", -1 },
        { "s", -1 },
        { ".s", -1 },
        { "-5s", -1 },
        { "5 s", -1 },
        { "5d", -1 },
        { "5S", -1 },
        { "5s ", -1 },
        { "5s3", -1 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        int64_t ms = -1;
        bool ok = prb_parse_duration(cases[i].text, &ms);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].ms >= 0, ok, cases[i].text);
        TEST_ASSERT_EQUAL_INT64_MESSAGE(cases[i].ms, ms, cases[i].text);
    }
}

static void test_a_copy_that_does_not_fit_leaves_nothing(void)
{
    char buffer[4] = "old";

    TEST_ASSERT_TRUE(prb_copy(buffer, sizeof(buffer), "abc"));
    TEST_ASSERT_EQUAL_STRING("abc", buffer);
    TEST_ASSERT_FALSE(prb_copy(buffer, sizeof(buffer), "abcd"));
    TEST_ASSERT_EQUAL_STRING("", buffer);
    TEST_ASSERT_FALSE(prb_copy(buffer, 0, "a"));
}

static void test_null_equals_only_null(void)
{
    TEST_ASSERT_TRUE(prb_streq(NULL, NULL));
    TEST_ASSERT_FALSE(prb_streq(NULL, ""));
    TEST_ASSERT_FALSE(prb_streq("", NULL));
    TEST_ASSERT_TRUE(prb_streq("a", "a"));
    TEST_ASSERT_FALSE(prb_streq("a", "b"));
    TEST_ASSERT_TRUE(prb_starts_with("abc", "ab"));
    TEST_ASSERT_TRUE(prb_starts_with("abc", ""));
    TEST_ASSERT_FALSE(prb_starts_with("ab", "abc"));
}

static void test_only_well_formed_utf8_is_valid(void)
{
    static const struct {
        const char *name, *bytes;
        bool valid;
    } cases[] = {
        { "ASCII", "abc", true },
        { "two bytes", "\xC2\x80\xDF\xBF", true },
        { "three bytes", "\xE0\xA0\x80\xED\x9F\xBF\xEE\x80\x80\xEF\xBF\xBF", true },
        { "four bytes", "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF", true },
        { "lone continuation", "a\x80", false },
        { "overlong slash", "\xC0\xAF", false },
        { "overlong in two", "\xC1\xBF", false },
        { "overlong in three", "\xE0\x9F\xBF", false },
        { "overlong in four", "\xF0\x8F\xBF\xBF", false },
        { "first surrogate", "\xED\xA0\x80", false },
        { "last surrogate", "\xED\xBF\xBF", false },
        { "above U+10FFFF", "\xF4\x90\x80\x80", false },
        { "byte F5", "\xF5\x80\x80\x80", false },
        { "byte FF", "\xFF", false },
        { "cut short", "\xE2\x82", false },
        { "wrong third byte", "\xE2\x82g", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].valid,
                prb_utf8_valid(cases[i].bytes, strlen(cases[i].bytes)), cases[i].name);
    TEST_ASSERT_TRUE(prb_utf8_valid("a\0b", 3));
}

static void test_the_nearest_name_is_found_if_it_is_near(void)
{
    static const char *const names[] = { "--listen", "--log-level", "--log-format", "--rules" };

    TEST_ASSERT_EQUAL_INT(0, prb_nearest("--lsiten", names, 4));
    TEST_ASSERT_EQUAL_INT(1, prb_nearest("--log-levle", names, 4));
    TEST_ASSERT_EQUAL_INT(2, prb_nearest("--logformat", names, 4));
    TEST_ASSERT_EQUAL_INT(3, prb_nearest("--rules", names, 4));
    TEST_ASSERT_EQUAL_INT(-1, prb_nearest("--kubeconfig", names, 4));
    TEST_ASSERT_EQUAL_INT(-1, prb_nearest("", names, 4));
    TEST_ASSERT_EQUAL_INT(-1, prb_nearest("--rules", names, 0));
}

static void test_a_huge_text_is_near_nothing(void)
{
    static const char *const names[] = { "--listen" };
    char text[5000];

    memset(text, '-', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    TEST_ASSERT_EQUAL_INT(-1, prb_nearest(text, names, 1));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_empty_string_reads_as_empty_text);
    RUN_TEST(test_pieces_are_joined_in_order);
    RUN_TEST(test_a_formatted_piece_may_be_long);
    RUN_TEST(test_exactly_the_ceiling_fits);
    RUN_TEST(test_after_a_cut_nothing_follows);
    RUN_TEST(test_a_cut_never_splits_a_character);
    RUN_TEST(test_taking_leaves_an_empty_usable_string);
    RUN_TEST(test_copies_keep_null_as_null);
    RUN_TEST(test_taking_a_pointer_leaves_null);
    RUN_TEST(test_integers_are_checked_whole);
    RUN_TEST(test_durations_read_as_in_go);
    RUN_TEST(test_a_copy_that_does_not_fit_leaves_nothing);
    RUN_TEST(test_null_equals_only_null);
    RUN_TEST(test_only_well_formed_utf8_is_valid);
    RUN_TEST(test_the_nearest_name_is_found_if_it_is_near);
    RUN_TEST(test_a_huge_text_is_near_nothing);
    return UNITY_END();
}

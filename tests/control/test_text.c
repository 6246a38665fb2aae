/* Which texts count as the same, and where are they cut? */

#include <string.h>
#include <unity.h>

#include "probate/base/cleanup.h"

#include "text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_texts_that_differ_in_numbers_only_say_the_same(void)
{
    static const struct {
        const char *a, *b;
        bool same;
    } cases[] = {
        { "", "", true },
        { "waits", "waits", true },
        { "waits", "waits more", false },
        { "3 of 7 left", "12 of 7 left", true },
        { "3 of 7 left", "some of 7 left", false },
        { "for 45s", "for 1h5m", true },
        { "after 0.5 ms", "after 12 ms", true },
        { "port 6443: refused", "port 38552: refused", true },
        { "127.0.0.1:6443: refused", "127.0.0.1:38552: refused", true },
        { "cluster c1", "cluster c2", false },
        { "pod web-1", "pod web-2", false },
        { "ns/1", "ns/2", false },
        { "1", "", false },
        { "a 1", "a ", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *a = prb_text_pattern(cases[i].a), *b = prb_text_pattern(cases[i].b);

        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].same, strcmp(a, b) == 0, cases[i].a);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].same, prb_text_says_same(cases[i].a, cases[i].b), cases[i].a);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].same, prb_text_says_same(cases[i].b, cases[i].a), cases[i].b);
    }
}

static void test_a_text_is_cut_between_characters(void)
{
    TEST_ASSERT_EQUAL_size_t(3, prb_text_cut("abc", 3));
    TEST_ASSERT_EQUAL_size_t(3, prb_text_cut("abcd", 3));
    TEST_ASSERT_EQUAL_size_t(2, prb_text_cut("abü", 3)); /* two bytes, one would fit */
    TEST_ASSERT_EQUAL_size_t(4, prb_text_cut("abü", 4));
    TEST_ASSERT_EQUAL_size_t(1, prb_text_cut("a€", 3)); /* three bytes, two would fit */
    TEST_ASSERT_EQUAL_size_t(0, prb_text_cut("€", 2));
    TEST_ASSERT_EQUAL_size_t(0, prb_text_cut("", 0));
}

static void test_a_copy_fits_its_buffer(void)
{
    char to[4] = "xxx";

    prb_text_copy(to, sizeof(to), "a€b");
    TEST_ASSERT_EQUAL_STRING("a", to);
    prb_text_copy(to, sizeof(to), "€€");
    TEST_ASSERT_EQUAL_STRING("€", to);
}

static void test_a_line_has_no_control_characters(void)
{
    static const struct {
        const char *text, *line;
        size_t max;
    } cases[] = {
        { "as it is", "as it is", 100 },
        { "a\nb\tc\x7f", "a b c ", 100 },
        { "red \x1b[31m, \xc2\x9b, \xc3\xa9", "red  [31m,   , \xc3\xa9", 100 },
        { "cut \xc3\xa9", "cut ", 5 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *line = prb_text_line(cases[i].text, cases[i].max);

        TEST_ASSERT_EQUAL_STRING(cases[i].line, line);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_texts_that_differ_in_numbers_only_say_the_same);
    RUN_TEST(test_a_text_is_cut_between_characters);
    RUN_TEST(test_a_copy_fits_its_buffer);
    RUN_TEST(test_a_line_has_no_control_characters);
    return UNITY_END();
}

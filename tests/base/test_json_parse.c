#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Parse and print again; the error message when it is refused. */
static char *reprint(const char *text, size_t len, const struct prb_json_options *options)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    if (prb_json_parse(text, len, options, &tree, &err) < 0)
        return prb_strdup(err.msg);
    return prb_json_text(tree, false);
}

static int parse_code(const char *text, size_t len, const struct prb_json_options *options)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    return prb_json_parse(text, len, options, &tree, &err);
}

static void test_documents_are_read_as_they_are(void)
{
    static const struct {
        const char *text, *printed;
    } cases[] = {
        { "null", "null" },
        { " \t\r\n true \n", "true" },
        { "false", "false" },
        { "\"\"", "\"\"" },
        { "[]", "[]" },
        { "{}", "{}" },
        { "[ 1 , [ ] , { } ]", "[1,[],{}]" },
        { "{\"b\" : 1, \"a\":{\"x\":[null,true]}}", "{\"b\":1,\"a\":{\"x\":[null,true]}}" },
        { "{\"\":1}", "{\"\":1}" },
        { "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\"" },
        { "\"\\u00e9\\u20AC\"", "\"\xC3\xA9\xE2\x82\xAC\"" },
        { "\"\\ud83d\\ude00\"", "\"\xF0\x9F\x98\x80\"" },
        { "\"\\u2028\\u0000\\u001f\"", "\"\xE2\x80\xA8\\u0000\\u001f\"" },
        { "\"a\\u0041b\"", "\"aAb\"" },
        { "{\"k\\u0065y\":\"v\\n\"}", "{\"key\":\"v\\n\"}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *printed = reprint(cases[i].text, strlen(cases[i].text), NULL);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].printed, printed, cases[i].text);
    }
}

static void test_numbers_keep_their_value(void)
{
    static const struct {
        const char *text, *printed;
        enum json_type type;
    } cases[] = {
        { "0", "0", json_type_int },
        { "-0", "0", json_type_int },
        { "42", "42", json_type_int },
        { "9223372036854775807", "9223372036854775807", json_type_int },
        { "-9223372036854775808", "-9223372036854775808", json_type_int },
        { "9223372036854775808", "9223372036854775808", json_type_int },
        { "18446744073709551615", "18446744073709551615", json_type_int },
        { "18446744073709551616", "1.8446744073709552e+19", json_type_double },
        { "-9223372036854775809", "-9.223372036854776e+18", json_type_double },
        { "1.5", "1.5", json_type_double },
        { "1.0", "1", json_type_double },
        { "-0.0", "-0", json_type_double },
        { "1E+2", "100", json_type_double },
        { "1e300", "1e+300", json_type_double },
        { "0.1", "0.1", json_type_double },
        { "5e-324", "4.94065645841247e-324", json_type_double },
        { "1e-999", "0", json_type_double },
        { "0.30000000000000004", "0.30000000000000004", json_type_double },
        { "1.7976931348623157e308", "1.7976931348623157e+308", json_type_double },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        prb_autofree char *printed = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0,
                prb_json_parse(cases[i].text, strlen(cases[i].text), NULL, &tree, &err),
                cases[i].text);
        printed = prb_json_text(tree, false);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].printed, printed, cases[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].type, json_object_get_type(tree), cases[i].text);
    }
}

static void test_a_number_of_many_digits_is_read(void)
{
    char text[2003];
    prb_autofree char *printed = NULL;

    memset(text, '3', sizeof(text));
    text[0] = '0';
    text[1] = '.';
    printed = reprint(text, sizeof(text), NULL);
    TEST_ASSERT_EQUAL_STRING("0.3333333333333333", printed);
}

static const struct {
    const char *text, *error;
} forbidden[] = {
    { "", "line 1, column 1: expected a value" },
    { "  ", "line 1, column 3: expected a value" },
    { "nul", "line 1, column 1: expected a value" },
    { "nulll", "line 1, column 5: unexpected text after the value" },
    { "True", "line 1, column 1: expected a value" },
    { "NaN", "line 1, column 1: expected a value" },
    { "Infinity", "line 1, column 1: expected a value" },
    { "-Infinity", "line 1, column 2: expected a digit" },
    { "'a'", "line 1, column 1: expected a value" },
    { "\xEF\xBB\xBF{}", "line 1, column 1: expected a value" },
    { "/**/1", "line 1, column 1: expected a value" },
    { "1 2", "line 1, column 3: unexpected text after the value" },
    { "{}{}", "line 1, column 3: unexpected text after the value" },
    { "[1,]", "line 1, column 4: expected a value" },
    { "[,1]", "line 1, column 2: expected a value" },
    { "[1 2]", "line 1, column 4: expected ',' or ']'" },
    { "[1", "line 1, column 3: expected ',' or ']'" },
    { "[1}", "line 1, column 3: expected ',' or ']'" },
    { "[", "line 1, column 2: expected a value" },
    { "{", "line 1, column 2: expected a member name in double quotes" },
    { "{\"a\":1,}", "line 1, column 8: expected a member name in double quotes" },
    { "{a:1}", "line 1, column 2: expected a member name in double quotes" },
    { "{'a':1}", "line 1, column 2: expected a member name in double quotes" },
    { "{\"a\"}", "line 1, column 5: expected ':'" },
    { "{\"a\" 1}", "line 1, column 6: expected ':'" },
    { "{\"a\":}", "line 1, column 6: expected a value" },
    { "{\"a\":1 \"b\":2}", "line 1, column 8: expected ',' or '}'" },
    { "{\n  \"a\": 1,\n  \"b\" 2\n}", "line 3, column 7: expected ':'" },
    { "[\"\xC3\xA9\xC3\xA9\", x]", "line 1, column 8: expected a value" },
    { "\"abc", "line 1, column 5: expected '\"' at the end of a string" },
    { "\"a\tb\"", "line 1, column 3: control character in a string must be escaped" },
    { "\"a\nb\"", "line 1, column 3: control character in a string must be escaped" },
    { "\"\\x\"", "line 1, column 2: unknown escape in a string" },
    { "\"\\'\"", "line 1, column 2: unknown escape in a string" },
    { "\"\\", "line 1, column 2: unknown escape in a string" },
    { "\"\\u12", "line 1, column 2: expected four hex digits after \\u" },
    { "\"\\u12g4\"", "line 1, column 2: expected four hex digits after \\u" },
    { "\"\\ud800\"", "line 1, column 2: lone surrogate" },
    { "\"\\ud800\\u0041\"", "line 1, column 2: lone surrogate" },
    { "\"\\ud800x\"", "line 1, column 2: lone surrogate" },
    { "\"\\udc00\"", "line 1, column 2: lone surrogate" },
    { "\"\xED\xA0\x80\"", "line 1, column 2: invalid UTF-8" },
    { "\"\xC0\xAF\"", "line 1, column 2: invalid UTF-8" },
    { "\"a\xFF\"", "line 1, column 3: invalid UTF-8" },
    { "{\"\xFF\":1}", "line 1, column 3: invalid UTF-8" },
    { "01", "line 1, column 2: a number must not begin with a zero" },
    { "-01", "line 1, column 3: a number must not begin with a zero" },
    { "+1", "line 1, column 1: expected a value" },
    { ".5", "line 1, column 1: expected a value" },
    { "-", "line 1, column 2: expected a digit" },
    { "1.", "line 1, column 3: expected a digit after '.'" },
    { "1.e5", "line 1, column 3: expected a digit after '.'" },
    { "1e", "line 1, column 3: expected a digit in the exponent" },
    { "1e+", "line 1, column 4: expected a digit in the exponent" },
    { "0x10", "line 1, column 2: unexpected text after the value" },
    { "1e999", "line 1, column 1: number too large" },
    { "[-1e999]", "line 1, column 2: number too large" },
    { "{\"a\":1,\"a\":1}", "line 1, column 8: duplicate member name" },
    { "{\"a\":1,\"\\u0061\":1}", "line 1, column 8: duplicate member name" },
};

static void test_what_rfc_8259_forbids_is_refused_with_its_place(void)
{
    for (size_t i = 0; i < sizeof(forbidden) / sizeof(forbidden[0]); i++) {
        prb_autofree char *got = reprint(forbidden[i].text, strlen(forbidden[i].text), NULL);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(forbidden[i].error, got, forbidden[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_E_INVALID,
                parse_code(forbidden[i].text, strlen(forbidden[i].text), NULL), forbidden[i].text);
    }
}

static void test_a_nul_byte_is_no_white_space(void)
{
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("1\0", 2, NULL));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("[1,\0]", 5, NULL));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("\"a\0b\"", 5, NULL));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("{\0}", 3, NULL));
}

/* The text is a slice: nothing behind its end may be read. Sanitizers see it on the heap. */
static void test_no_byte_behind_the_text_counts(void)
{
    static const char whole[] = "{\"a\":[true,\"x\\u0041\",12.5e1,null]}";

    for (size_t len = 0; len < sizeof(whole) - 1; len++) {
        char *slice = prb_malloc(len);
        int code;

        memcpy(slice, whole, len);
        code = parse_code(slice, len, NULL);
        free(slice);
        TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, code);
    }
}

/* Eight bytes are looked at together: each that matters, at each place among them. */
static void test_a_byte_counts_wherever_it_stands_in_a_string(void)
{
    static const struct {
        unsigned char byte;
        int code;
    } cases[] = { { 0x00, PRB_E_INVALID }, { 0x01, PRB_E_INVALID }, { 0x1F, PRB_E_INVALID },
        { 0x20, 0 }, { 0x21, 0 }, { '"', PRB_E_INVALID }, { 0x23, 0 }, { 0x5B, 0 },
        { '\\', PRB_E_INVALID }, { 0x5D, 0 }, { 0x7F, 0 }, { 0x80, PRB_E_INVALID },
        { 0xA2, PRB_E_INVALID }, { 0xDC, PRB_E_INVALID }, { 0xFF, PRB_E_INVALID } };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        for (size_t at = 1; at <= 24; at++) {
            char text[27], name[16];

            memset(text, 'x', sizeof(text));
            text[0] = text[26] = '"';
            text[at] = (char)cases[i].byte;
            (void)snprintf(name, sizeof(name), "%02x at %zu", cases[i].byte, at);
            TEST_ASSERT_EQUAL_INT_MESSAGE(
                    cases[i].code, parse_code(text, sizeof(text), NULL), name);
        }
    }
}

static void test_null_is_a_document_without_a_tree(void)
{
    struct json_object *tree = (struct json_object *)&tree;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_parse("null", 4, NULL, &tree, &err));
    TEST_ASSERT_NULL(tree);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_documents_are_read_as_they_are);
    RUN_TEST(test_numbers_keep_their_value);
    RUN_TEST(test_a_number_of_many_digits_is_read);
    RUN_TEST(test_what_rfc_8259_forbids_is_refused_with_its_place);
    RUN_TEST(test_a_nul_byte_is_no_white_space);
    RUN_TEST(test_no_byte_behind_the_text_counts);
    RUN_TEST(test_a_byte_counts_wherever_it_stands_in_a_string);
    RUN_TEST(test_null_is_a_document_without_a_tree);
    return UNITY_END();
}

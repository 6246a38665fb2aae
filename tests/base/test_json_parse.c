#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/json.h"
#include "probate/base/mem.h"

#define DEEP 100000

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
    { "{\"spec\":1,\"spec\\u0000x\":2}", "line 1, column 11: member name contains U+0000" },
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

/* `count` times `open`, then "1", then `count` times `close`. */
static char *nested(const char *open, const char *close, size_t count, size_t *ret_len)
{
    struct prb_str s;

    prb_str_init(&s, SIZE_MAX / 2);
    for (size_t i = 0; i < count; i++)
        prb_str_add(&s, open);
    prb_str_addc(&s, '1');
    for (size_t i = 0; i < count; i++)
        prb_str_add(&s, close);
    *ret_len = s.len;
    return prb_str_take(&s);
}

static void test_depth_is_bounded_for_arrays_and_objects(void)
{
    static const struct {
        const char *open, *close;
        size_t count;
        int code;
    } cases[] = {
        { "[", "]", PRB_JSON_DEPTH_MAX, 0 },
        { "[", "]", PRB_JSON_DEPTH_MAX + 1, PRB_E_INVALID },
        { "{\"a\":", "}", PRB_JSON_DEPTH_MAX, 0 },
        { "{\"a\":", "}", PRB_JSON_DEPTH_MAX + 1, PRB_E_INVALID },
        { "[", "]", DEEP, PRB_E_INVALID },
        { "{\"a\":", "}", DEEP, PRB_E_INVALID },
        { "[{\"a\":", "}]", DEEP, PRB_E_INVALID },
        { "[", "", DEEP, PRB_E_INVALID },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len;
        prb_autofree char *text = nested(cases[i].open, cases[i].close, cases[i].count, &len);

        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code, parse_code(text, len, NULL), cases[i].open);
    }
}

static void test_depth_is_bounded_where_nothing_is_built(void)
{
    static const struct prb_json_filter only_a[] = { { .key = "a" }, { .key = NULL } };
    const struct prb_json_options options = { .filter = only_a };
    size_t len;
    prb_autofree char *inner = nested("[{\"x\":", "}]", DEEP, &len);
    prb_autofree char *text = prb_asprintf("{\"skipped\":%s,\"a\":1}", inner);

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code(text, strlen(text), &options));
}

static void test_callers_may_ask_for_less(void)
{
    const struct prb_json_options shallow = { .depth_max = 2 }, small = { .size_max = 4 };
    const struct prb_json_options greedy = { .depth_max = DEEP * 2 };
    size_t len;
    prb_autofree char *deep = nested("[", "]", DEEP, &len);

    TEST_ASSERT_EQUAL_INT(0, parse_code("[[1],[2]]", 9, &shallow));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("[[[1]]]", 7, &shallow));
    TEST_ASSERT_EQUAL_INT(0, parse_code("[12]", 4, &small));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("[123]", 5, &small));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code(deep, len, &greedy));
}

static void test_a_large_object_keeps_all_members_and_finds_a_duplicate(void)
{
    enum { COUNT = 50000 };
    prb_auto(prb_str_done) struct prb_str s;
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&s, SIZE_MAX / 2);
    prb_str_add(&s, "{\"k0\":0");
    for (int i = 1; i < COUNT; i++)
        prb_str_addf(&s, ",\"k%d\":%d", i, i);
    prb_str_addc(&s, '}');
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(s.data, s.len, NULL, &tree, &err));
    TEST_ASSERT_EQUAL_INT(COUNT, json_object_object_length(tree));
    for (int i = 0; i < COUNT; i += 997) {
        int64_t value = -1;
        char key[16];

        (void)snprintf(key, sizeof(key), "k%d", i);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_int(tree, key, &value), key);
        TEST_ASSERT_EQUAL_INT64(i, value);
    }

    s.data[s.len - 1] = ',';
    prb_str_add(&s, "\"k25000\":1}");
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code(s.data, s.len, NULL));
}

/* json-c doubles a table that is two thirds full: the sizes chosen must not make it do so. */
static void test_tables_are_no_larger_than_their_content_needs(void)
{
    for (size_t count = 0; count < 200; count++) {
        prb_auto(prb_str_done) struct prb_str s;
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        struct prb_error err;
        int size;

        prb_str_init(&s, SIZE_MAX / 2);
        prb_str_addc(&s, '{');
        for (size_t i = 0; i < count; i++)
            prb_str_addf(&s, "%s\"k%zu\":1", i ? "," : "", i);
        prb_str_addc(&s, '}');
        TEST_ASSERT_EQUAL_INT(0, prb_json_parse(s.data, s.len, NULL, &tree, &err));
        size = json_object_get_object(tree)->size;
        TEST_ASSERT_TRUE(size >= (int)count);
        TEST_ASSERT_TRUE_MESSAGE(size <= (int)(count * 100 / 66) + 1, s.data);
    }
}

static void test_common_member_names_are_kept_once(void)
{
    static const char text[] = "{\"metadata\":1,\"metadatax\":2}";
    prb_auto(prb_json_free) struct json_object *a = NULL, *b = NULL;
    struct prb_error err;
    const struct lh_entry *in_a, *in_b;

    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(text, strlen(text), NULL, &a, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(text, strlen(text), NULL, &b, &err));
    in_a = lh_table_head(json_object_get_object(a));
    in_b = lh_table_head(json_object_get_object(b));
    TEST_ASSERT_EQUAL_PTR(lh_entry_k(in_a), lh_entry_k(in_b));
    in_a = lh_entry_next(in_a);
    in_b = lh_entry_next(in_b);
    TEST_ASSERT_EQUAL_STRING("metadatax", lh_entry_k(in_a));
    TEST_ASSERT_TRUE(lh_entry_k(in_a) != lh_entry_k(in_b));
}

static void test_members_left_out_take_no_room(void)
{
    static const struct prb_json_filter only_last[] = { { .key = "k99" }, { .key = NULL } };
    const struct prb_json_options options = { .filter = only_last };
    prb_auto(prb_str_done) struct prb_str s;
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&s, SIZE_MAX / 2);
    for (int i = 0; i < 100; i++)
        prb_str_addf(&s, "%c\"k%d\":{\"x\":[1]}", i ? ',' : '{', i);
    prb_str_addc(&s, '}');
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(s.data, s.len, &options, &tree, &err));
    TEST_ASSERT_NOT_NULL(prb_json_obj(tree, "k99"));
    TEST_ASSERT_EQUAL_INT(1, json_object_object_length(tree));
    TEST_ASSERT_EQUAL_INT(1, json_object_get_object(tree)->size);
}

static void test_a_parsed_object_can_grow(void)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_parse("{\"name\":\"a\"}", 12, NULL, &tree, &err));
    for (int i = 0; i < 100; i++) {
        char key[16];

        (void)snprintf(key, sizeof(key), "added%d", i);
        prb_json_set_int(tree, key, i);
    }
    TEST_ASSERT_EQUAL_INT(101, json_object_object_length(tree));
    TEST_ASSERT_EQUAL_STRING("a", prb_json_str(tree, "name"));
    prb_json_set_str(tree, "name", "b");
    TEST_ASSERT_EQUAL_STRING("b", prb_json_str(tree, "name"));
    prb_json_del(tree, "name");
    TEST_ASSERT_FALSE(prb_json_has(tree, "name"));
}

static const struct prb_json_filter labels_only[] = { { .key = "labels" }, { .key = NULL } };
static const struct prb_json_filter some_members[] = { { .key = "spec" },
    { .key = "metadata", .children = labels_only }, { .key = NULL } };
static const struct prb_json_filter fields_dropped[] = { { .key = "managedFields", .drop = true },
    { .key = NULL } };
static const struct prb_json_filter all_but[] = { { .key = "status", .drop = true },
    { .key = "metadata", .children = fields_dropped, .drop = true }, { .key = NULL } };
static const struct prb_json_filter nothing[] = { { .key = NULL } };

static void test_a_filter_builds_what_it_names(void)
{
    static const struct {
        const char *name;
        const struct prb_json_filter *filter;
        const char *text, *printed;
    } cases[] = {
        { "named members", some_members,
                "{\"a\":{\"b\":[1]},\"spec\":{\"x\":1},\"metadata\":{\"name\":\"n\",\"labels\":"
                "{\"l\":\"v\"}}}",
                "{\"spec\":{\"x\":1},\"metadata\":{\"labels\":{\"l\":\"v\"}}}" },
        { "named members absent", some_members, "{\"a\":1,\"metadata\":{\"name\":\"n\"}}",
                "{\"metadata\":{}}" },
        { "a scalar where members are expected", some_members, "{\"metadata\":5}",
                "{\"metadata\":5}" },
        { "elements of an array", some_members, "[{\"a\":1,\"spec\":2},{\"metadata\":[{\"x\":1}]}]",
                "[{\"spec\":2},{\"metadata\":[{}]}]" },
        { "all but", all_but,
                "{\"metadata\":{\"name\":\"n\",\"managedFields\":[{}]},\"status\":{},\"spec\":1}",
                "{\"metadata\":{\"name\":\"n\"},\"spec\":1}" },
        { "nothing at all", nothing, "{\"a\":1}", "{}" },
        { "escaped name of a named member", some_members, "{\"sp\\u0065c\":1}", "{\"spec\":1}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_json_options options = { .filter = cases[i].filter };
        prb_autofree char *printed = reprint(cases[i].text, strlen(cases[i].text), &options);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].printed, printed, cases[i].name);
    }
}

static void test_what_a_filter_steps_over_is_checked_all_the_same(void)
{
    static const struct {
        const char *name, *text;
        int code;
    } cases[] = {
        { "syntax", "{\"a\":[1,],\"spec\":1}", PRB_E_INVALID },
        { "unfinished", "{\"spec\":1,\"a\":{\"b\":1}", PRB_E_INVALID },
        { "invalid UTF-8", "{\"a\":[\"\xFF\"]}", PRB_E_INVALID },
        { "invalid UTF-8 in a name", "{\"a\":{\"\xFF\":1}}", PRB_E_INVALID },
        { "lone surrogate", "{\"a\":\"\\ud800\"}", PRB_E_INVALID },
        { "bad escape in a name", "{\"a\":{\"\\q\":1}}", PRB_E_INVALID },
        { "leading zero", "{\"a\":{\"b\":01}}", PRB_E_INVALID },
        { "bad word", "{\"a\":{\"b\":nuLL}}", PRB_E_INVALID },
        { "duplicate of a named member", "{\"spec\":1,\"a\":2,\"spec\":1}", PRB_E_INVALID },
        { "duplicate of another member of a read object", "{\"a\":1,\"spec\":1,\"a\":1}",
                PRB_E_INVALID },
        { "U+0000 in a name of a read object", "{\"spec\":1,\"spec\\u0000\":1}", PRB_E_INVALID },
        { "duplicate inside what is stepped over", "{\"a\":{\"b\":1,\"b\":2}}", 0 },
        { "U+0000 in a name inside what is stepped over", "{\"a\":{\"b\\u0000\":1}}", 0 },
        { "number too large for a double, stepped over", "{\"a\":1e999}", 0 },
    };
    const struct prb_json_options options = { .filter = some_members };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code,
                parse_code(cases[i].text, strlen(cases[i].text), &options), cases[i].name);
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
    RUN_TEST(test_depth_is_bounded_for_arrays_and_objects);
    RUN_TEST(test_depth_is_bounded_where_nothing_is_built);
    RUN_TEST(test_callers_may_ask_for_less);
    RUN_TEST(test_a_large_object_keeps_all_members_and_finds_a_duplicate);
    RUN_TEST(test_tables_are_no_larger_than_their_content_needs);
    RUN_TEST(test_common_member_names_are_kept_once);
    RUN_TEST(test_members_left_out_take_no_room);
    RUN_TEST(test_a_parsed_object_can_grow);
    RUN_TEST(test_a_filter_builds_what_it_names);
    RUN_TEST(test_what_a_filter_steps_over_is_checked_all_the_same);
    RUN_TEST(test_null_is_a_document_without_a_tree);
    return UNITY_END();
}

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
        { "duplicate of a member with members", "{\"metadata\":{},\"metadata\":{}}",
                PRB_E_INVALID },
        { "duplicate of what nobody reads in a read object", "{\"a\":1,\"spec\":1,\"a\":1}", 0 },
        { "U+0000 in a name of a read object", "{\"spec\":1,\"spec\\u0000\":1}", 0 },
        { "two names with the same U+0000", "{\"a\\u0000\":1,\"a\\u0000\":1}", 0 },
        { "duplicate inside what is stepped over", "{\"a\":{\"b\":1,\"b\":2}}", 0 },
        { "U+0000 in a name inside what is stepped over", "{\"a\":{\"b\\u0000\":1}}", 0 },
        { "number too large for a double, stepped over", "{\"a\":1e999}", 0 },
    };
    const struct prb_json_options options = { .filter = some_members };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code,
                parse_code(cases[i].text, strlen(cases[i].text), &options), cases[i].name);
}

static void test_members_named_with_u0000_are_stepped_over(void)
{
    static const char text[] = "{\"a\":{\"b\\u0000\":{\"c\":[1]},\"b\":2},\"\\u0000\":3,\"d\":[{"
                               "\"\\u0000\":{}}]}";
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *got = NULL;
    struct prb_error err = { .msg = "" };

    TEST_ASSERT_EQUAL_INT_MESSAGE(
            0, prb_json_parse(text, strlen(text), NULL, &tree, &err), err.msg);
    got = prb_json_text(tree, false);
    TEST_ASSERT_EQUAL_STRING("{\"a\":{\"b\":2},\"d\":[{}]}", got);
}

static void test_what_is_dropped_for_its_name_is_checked_all_the_same(void)
{
    static const char text[] = "{\"a\\u0000\":tru}";
    struct json_object *tree = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_json_parse(text, strlen(text), NULL, &tree, &err));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_members_named_with_u0000_are_stepped_over);
    RUN_TEST(test_what_is_dropped_for_its_name_is_checked_all_the_same);
    RUN_TEST(test_a_filter_builds_what_it_names);
    RUN_TEST(test_what_a_filter_steps_over_is_checked_all_the_same);
    return UNITY_END();
}

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/yaml.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The one document of `text` as JSON; the error message when there is none. */
static char *json_of(const char *text, size_t len)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    if (prb_yaml_parse(text, len, &tree, &err) < 0)
        return prb_strdup(err.msg);
    return prb_json_text(tree, false);
}

static const struct {
    const char *yaml, *json;
} scalars[] = {
    { "", "null" },
    { "~", "null" },
    { "null", "null" },
    { "Null", "null" },
    { "NULL", "null" },
    { "nULL", "\"nULL\"" },
    { "true", "true" },
    { "True", "true" },
    { "tRUE", "\"tRUE\"" },
    { "FALSE", "false" },
    { "yes", "true" },
    { "No", "false" },
    { "on", "true" },
    { "OFF", "false" },
    { "y", "true" },
    { "N", "false" },
    { "yEs", "\"yEs\"" },
    { "0", "0" },
    { "-0", "0" },
    { "12", "12" },
    { "+12", "12" },
    { "-12", "-12" },
    { "1_000", "1000" },
    { "0123", "83" },
    { "-0123", "-83" },
    { "089", "89" },
    { "0o17", "15" },
    { "0x1f", "31" },
    { "-0x1F", "-31" },
    { "0b101", "5" },
    { "0x", "\"0x\"" },
    { "0b2", "\"0b2\"" },
    { "0xg", "\"0xg\"" },
    { "9223372036854775807", "9223372036854775807" },
    { "18446744073709551615", "18446744073709551615" },
    { "18446744073709551616", "1.8446744073709552e+19" },
    { "-9223372036854775808", "-9223372036854775808" },
    { "1e3", "1000" },
    { "1.5", "1.5" },
    { "1.0", "1" },
    { "-1.5e-3", "-0.0015" },
    { ".5", "0.5" },
    { "+.5", "0.5" },
    { "5.", "5" },
    { "1_0.5", "10.5" },
    { ".5_0", "\".5_0\"" },
    { "1e", "\"1e\"" },
    { "1e400", "\"1e400\"" },
    { ".", "\".\"" },
    { "+", "\"+\"" },
    { "1:30", "\"1:30\"" },
    { "2001-12-14", "\"2001-12-14\"" },
    { "2026-01-02T03:04:05Z", "\"2026-01-02T03:04:05Z\"" },
    { "1.2.3", "\"1.2.3\"" },
    { "10Gi", "\"10Gi\"" },
    { "v1", "\"v1\"" },
    { "some words", "\"some words\"" },
    { "=", "\"=\"" },
    { "inf", "\"inf\"" },
    { "nan", "\"nan\"" },
};

static void test_plain_scalars_have_the_types_kubernetes_gives_them(void)
{
    for (size_t i = 0; i < sizeof(scalars) / sizeof(scalars[0]); i++) {
        prb_autofree char *yaml = prb_asprintf("k: %s\n", scalars[i].yaml);
        prb_autofree char *expected = prb_asprintf("{\"k\":%s}", scalars[i].json);
        prb_autofree char *got = json_of(yaml, strlen(yaml));

        TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, got, scalars[i].yaml);
    }
}

static void test_quotes_and_blocks_always_make_strings(void)
{
    static const struct {
        const char *yaml, *json;
    } cases[] = {
        { "'on'", "\"on\"" },
        { "\"on\"", "\"on\"" },
        { "\"5\"", "\"5\"" },
        { "'~'", "\"~\"" },
        { "''", "\"\"" },
        { "\"a\\tb\\u00e9\\0\"", "\"a\\tb\xC3\xA9\\u0000\"" },
        { "|\n  5\n", "\"5\\n\"" },
        { "|-\n  a\n  b\n", "\"a\\nb\"" },
        { ">-\n  a\n  b\n", "\"a b\"" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *yaml = prb_asprintf("k: %s\n", cases[i].yaml);
        prb_autofree char *expected = prb_asprintf("{\"k\":%s}", cases[i].json);
        prb_autofree char *got = json_of(yaml, strlen(yaml));

        TEST_ASSERT_EQUAL_STRING_MESSAGE(expected, got, cases[i].yaml);
    }
}

static void test_tags_are_honoured(void)
{
    static const struct {
        const char *yaml, *json;
    } cases[] = {
        { "!!str 5", "{\"k\":\"5\"}" },
        { "!!str", "{\"k\":\"\"}" },
        { "!!int \"5\"", "{\"k\":5}" },
        { "!!float 5", "{\"k\":5}" },
        { "!!bool yes", "{\"k\":true}" },
        { "!!null ~", "{\"k\":null}" },
        { "!!timestamp 2001-12-14", "{\"k\":\"2001-12-14\"}" },
        { "!own 5", "{\"k\":\"5\"}" },
        { "! 5", "{\"k\":\"5\"}" },
        { "!!map {a: 1}", "{\"k\":{\"a\":1}}" },
        { "!!seq [1]", "{\"k\":[1]}" },
        { "!!int x", "line 1, column 4: cannot read \"x\" as !!int" },
        { "!!bool 1", "line 1, column 4: cannot read \"1\" as !!bool" },
        { "!!null x", "line 1, column 4: cannot read \"x\" as !!null" },
        { "!!binary aGk=", "line 1, column 4: tag !!binary is not supported" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *yaml = prb_asprintf("k: %s\n", cases[i].yaml);
        prb_autofree char *got = json_of(yaml, strlen(yaml));

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].json, got, cases[i].yaml);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_plain_scalars_have_the_types_kubernetes_gives_them);
    RUN_TEST(test_quotes_and_blocks_always_make_strings);
    RUN_TEST(test_tags_are_honoured);
    return UNITY_END();
}

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

static void test_a_tree_is_printed_in_block_style(void)
{
    static const char json[] =
            "{\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"a b\",\"labels\":{}},\"list\":[1,"
            "{\"a\":\"x\",\"b\":[\"no\",[]]},[2,[3]]],\"empty\":[],\"z\":null,\"f\":1.5}";
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_auto(prb_str_done) struct prb_str s;
    struct prb_error err;

    prb_str_init(&s, 1000);
    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(json, strlen(json), NULL, &tree, &err));
    prb_yaml_print(tree, &s);
    TEST_ASSERT_EQUAL_STRING("apiVersion: v1\n"
                             "metadata:\n"
                             "  name: a b\n"
                             "  labels: {}\n"
                             "list:\n"
                             "- 1\n"
                             "- a: x\n"
                             "  b:\n"
                             "  - \"no\"\n"
                             "  - []\n"
                             "- - 2\n"
                             "  - - 3\n"
                             "empty: []\n"
                             "z: null\n"
                             "f: 1.5\n",
            prb_str_get(&s));
}

/* Strings that would be something else without quotes, in a key, a value and a list. */
static void test_what_is_printed_reads_back_the_same(void)
{
    static const char *const strings[] = { "", "~", "null", "true", "on", "y", "N", "1", "-1",
        "0x1f", "1e3", "1_000", ".5", ".inf", "1:30", "2001-12-14", "a: b", "a:", "a #b", "#a",
        "- a", "-", "?", "? a", "[a", "{a", "*a", "&a", "!a", "|", ">", "%a", "@a", "`a", "'a'",
        "\\\"a", " a", "a ", "a  b", "a\\nb", "\\ta", "<<", "=", "...", "---", "a,b", "a/b",
        "\\u0000", "\\u0001", "\\u007f", "\\u0085", "\\u00a0", "\\u00e9", "\\u2028", "\\ufeff",
        "\\ufffe", "\\uffff", "\\ud83d\\ude00", "10Gi", "x=y", "a:b", "http://x/y?z", "a\\\\b" };

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        const char *key = strcmp(strings[i], "\\u0000") == 0 ? "k" : strings[i];
        prb_autofree char *json = prb_asprintf(
                "{\"%s\":\"%s\",\"l\":[\"%s\",[\"%s\"]]}", key, strings[i], strings[i], strings[i]);
        prb_auto(prb_json_free) struct json_object *tree = NULL, *again = NULL;
        prb_auto(prb_str_done) struct prb_str s;
        struct prb_error err = { .msg = "" };

        prb_str_init(&s, 10000);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_json_parse(json, strlen(json), NULL, &tree, &err), json);
        prb_yaml_print(tree, &s);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_yaml_parse(s.data, s.len, &again, &err), err.msg);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(tree, again), json);
    }
}

/* Strings to us, but other readers of YAML 1.1 take them for dates and numbers of base 60. */
static void test_what_looks_like_a_time_is_quoted(void)
{
    prb_auto(prb_json_free) struct json_object *list = json_object_new_array();
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 100);
    prb_json_push(list, json_object_new_string("2001-12-14"));
    prb_json_push(list, json_object_new_string("1:30"));
    prb_json_push(list, json_object_new_string("10Gi"));
    prb_yaml_print(list, &s);
    TEST_ASSERT_EQUAL_STRING("- \"2001-12-14\"\n- \"1:30\"\n- 10Gi\n", prb_str_get(&s));
}

static void test_scalars_print_as_documents_too(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    prb_auto(prb_json_free) struct json_object *text = json_object_new_string("on");

    prb_str_init(&s, 100);
    prb_yaml_print(text, &s);
    prb_yaml_print(NULL, &s);
    TEST_ASSERT_EQUAL_STRING("\"on\"\nnull\n", prb_str_get(&s));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_tree_is_printed_in_block_style);
    RUN_TEST(test_what_is_printed_reads_back_the_same);
    RUN_TEST(test_what_looks_like_a_time_is_quoted);
    RUN_TEST(test_scalars_print_as_documents_too);
    return UNITY_END();
}

#include <math.h>
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

/* The tree of a text that is known to be JSON; NULL otherwise (and for null). */
static struct json_object *tree_of(const char *text)
{
    struct json_object *tree = NULL;
    struct prb_error err;

    (void)prb_json_parse(text, strlen(text), NULL, &tree, &err);
    return tree;
}

static void test_getters_find_values_of_their_type(void)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_of(
            "{\"s\":\"text\",\"i\":7,\"b\":true,\"o\":{\"in\":{\"deep\":\"x\"}},\"a\":[1,null],"
            "\"n\":null}");
    int64_t number = 0;
    bool flag = false;

    TEST_ASSERT_EQUAL_STRING("text", prb_json_str(tree, "s"));
    TEST_ASSERT_TRUE(prb_json_int(tree, "i", &number));
    TEST_ASSERT_EQUAL_INT64(7, number);
    TEST_ASSERT_TRUE(prb_json_bool(tree, "b", &flag));
    TEST_ASSERT_TRUE(flag);
    TEST_ASSERT_NOT_NULL(prb_json_obj(tree, "o"));
    TEST_ASSERT_EQUAL_size_t(2, prb_json_len(prb_json_arr(tree, "a")));
    TEST_ASSERT_NULL(prb_json_elem(prb_json_arr(tree, "a"), 1));
    TEST_ASSERT_NULL(prb_json_elem(prb_json_arr(tree, "a"), 2));
    TEST_ASSERT_EQUAL_STRING("x", prb_json_string(prb_json_at(tree, "o", "in", "deep")));
    TEST_ASSERT_NULL(prb_json_at(tree, "o", "out", "deep"));
    TEST_ASSERT_NULL(prb_json_at(tree, "s", "in"));
    TEST_ASSERT_TRUE(prb_json_has(tree, "n"));
    TEST_ASSERT_NULL(prb_json_find(tree, "n"));
    TEST_ASSERT_FALSE(prb_json_has(tree, "missing"));
}

static void test_getters_never_coerce(void)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_of(
            "{\"s\":\"7\",\"i\":7,\"d\":7.0,\"b\":true,\"t\":\"true\",\"big\":9223372036854775808,"
            "\"o\":{},\"a\":[]}");
    int64_t number = -5;
    bool flag = false;

    TEST_ASSERT_NULL(prb_json_str(tree, "i"));
    TEST_ASSERT_NULL(prb_json_str(tree, "b"));
    TEST_ASSERT_NULL(prb_json_str(tree, "o"));
    TEST_ASSERT_FALSE(prb_json_int(tree, "s", &number));
    TEST_ASSERT_FALSE(prb_json_int(tree, "d", &number));
    TEST_ASSERT_FALSE(prb_json_int(tree, "b", &number));
    TEST_ASSERT_FALSE(prb_json_int(tree, "big", &number));
    TEST_ASSERT_EQUAL_INT64(-5, number);
    TEST_ASSERT_FALSE(prb_json_bool(tree, "t", &flag));
    TEST_ASSERT_FALSE(prb_json_bool(tree, "i", &flag));
    TEST_ASSERT_FALSE(flag);
    TEST_ASSERT_NULL(prb_json_obj(tree, "a"));
    TEST_ASSERT_NULL(prb_json_arr(tree, "o"));
    TEST_ASSERT_EQUAL_size_t(0, prb_json_len(prb_json_find(tree, "o")));
}

static void test_getters_accept_no_tree_and_the_wrong_tree(void)
{
    prb_auto(prb_json_free) struct json_object *array = tree_of("[1]");
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    TEST_ASSERT_NULL(prb_json_find(NULL, "a"));
    TEST_ASSERT_NULL(prb_json_find(array, "a"));
    TEST_ASSERT_FALSE(prb_json_has(NULL, "a"));
    TEST_ASSERT_FALSE(prb_json_has(array, "a"));
    TEST_ASSERT_NULL(prb_json_string(NULL));
    TEST_ASSERT_NULL(prb_json_at(NULL, "a"));
    TEST_ASSERT_EQUAL_size_t(0, prb_json_len(NULL));
    TEST_ASSERT_NULL(prb_json_elem(NULL, 0));
    TEST_ASSERT_FALSE(prb_json_next(array, &at, &started, &key, &value));
    TEST_ASSERT_FALSE(prb_json_next(NULL, &at, &started, &key, &value));
}

static void test_a_string_with_u0000_never_reads_as_its_beginning(void)
{
    prb_auto(prb_json_free) struct json_object *tree =
            tree_of("{\"user\":\"admin\\u0000x\",\"list\":[\"admin\\u0000\"]}");
    prb_autofree char *printed = prb_json_text(tree, false);

    TEST_ASSERT_TRUE(prb_json_has(tree, "user"));
    TEST_ASSERT_NULL(prb_json_str(tree, "user"));
    TEST_ASSERT_NULL(prb_json_string(prb_json_elem(prb_json_arr(tree, "list"), 0)));
    TEST_ASSERT_EQUAL_STRING("{\"user\":\"admin\\u0000x\",\"list\":[\"admin\\u0000\"]}", printed);
}

static void test_iteration_follows_the_order_of_the_text(void)
{
    prb_auto(prb_json_free) struct json_object *tree = tree_of("{\"z\":1,\"a\":null,\"m\":3}");
    prb_auto(prb_str_done) struct prb_str met;
    struct json_object_iterator at;
    struct json_object *value;
    bool started = false;
    const char *key;

    prb_str_init(&met, 100);
    while (prb_json_next(tree, &at, &started, &key, &value))
        prb_str_addf(&met, "%s=%s ", key, value ? "there" : "null");
    TEST_ASSERT_EQUAL_STRING("z=there a=null m=there ", prb_str_get(&met));
}

static void test_trees_are_built_piece_by_piece(void)
{
    prb_auto(prb_json_free) struct json_object *tree = json_object_new_object();
    struct json_object *list = json_object_new_array();
    prb_autofree char *printed = NULL;

    prb_json_set_str(tree, "s", "v");
    prb_json_set_str(tree, "skipped", NULL);
    prb_json_set_int(tree, "i", INT64_MIN);
    prb_json_set_bool(tree, "b", false);
    prb_json_push(list, json_object_new_string("e"));
    prb_json_push(list, NULL);
    prb_json_set(tree, "l", list);
    prb_json_set_str(prb_json_ensure_obj(tree, "o"), "k", "1");
    prb_json_set_str(prb_json_ensure_obj(tree, "o"), "k2", "2");
    prb_json_set_int(tree, "gone", 1);
    prb_json_del(tree, "gone");
    printed = prb_json_text(tree, false);
    TEST_ASSERT_EQUAL_STRING("{\"s\":\"v\",\"i\":-9223372036854775808,\"b\":false,"
                             "\"l\":[\"e\",null],\"o\":{\"k\":\"1\",\"k2\":\"2\"}}",
            printed);

    TEST_ASSERT_NOT_NULL(prb_json_ensure_obj(tree, "s"));
    TEST_ASSERT_NOT_NULL(prb_json_obj(tree, "s"));
}

static void test_sorted_text_is_the_same_for_equal_objects(void)
{
    prb_auto(prb_json_free) struct json_object *a =
            tree_of("{\"b\":{\"y\":1,\"x\":2},\"a\":[3,1]}");
    prb_auto(prb_json_free) struct json_object *b =
            tree_of("{\"a\":[3,1],\"b\":{\"x\":2,\"y\":1}}");
    prb_autofree char *a_text = prb_json_text(a, true);
    prb_autofree char *b_text = prb_json_text(b, true);

    TEST_ASSERT_EQUAL_STRING("{\"a\":[3,1],\"b\":{\"x\":2,\"y\":1}}", a_text);
    TEST_ASSERT_EQUAL_STRING(a_text, b_text);
}

static void test_printing_makes_any_bytes_valid_json(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 1000);
    prb_json_print_string("a\xFF\xC3\xA9\xE2\x82\x01\"\\/\x7F\n", 12, &s);
    TEST_ASSERT_EQUAL_STRING("\"a\xEF\xBF\xBD\xC3\xA9\xEF\xBF\xBD\xEF\xBF\xBD\\u0001\\\"\\\\/"
                             "\\u007f\\n\"",
            prb_str_get(&s));
    prb_str_clear(&s);
    prb_json_print(NULL, &s);
    TEST_ASSERT_EQUAL_STRING("null", prb_str_get(&s));
}

static void test_numbers_that_json_lacks_print_as_null(void)
{
    prb_auto(prb_json_free) struct json_object *list = json_object_new_array();
    prb_autofree char *printed = NULL;

    prb_json_push(list, json_object_new_double(INFINITY));
    prb_json_push(list, json_object_new_double(-INFINITY));
    prb_json_push(list, json_object_new_double(NAN));
    printed = prb_json_text(list, false);
    TEST_ASSERT_EQUAL_STRING("[null,null,null]", printed);
}

static void test_equality_looks_at_meaning(void)
{
    static const struct {
        const char *a, *b;
        bool equal;
    } cases[] = {
        { "null", "null", true },
        { "null", "false", false },
        { "null", "0", false },
        { "true", "true", true },
        { "true", "false", false },
        { "1", "1.0", true },
        { "1", "1.5", false },
        { "0", "-0.0", true },
        { "1", "-1.0", false },
        { "-3", "-3.0", true },
        { "1", "\"1\"", false },
        { "18446744073709551615", "18446744073709551615", true },
        { "18446744073709551615", "9223372036854775807", false },
        { "18446744073709551615", "-1", false },
        { "18446744073709551615", "18446744073709551616.0", false },
        { "9007199254740993", "9007199254740992.0", false },
        { "9007199254740992", "9007199254740992.0", true },
        { "5", "1e300", false },
        { "1.5", "1.5", true },
        { "1.5", "1.25", false },
        { "\"a\"", "\"a\"", true },
        { "\"a\\u0000b\"", "\"a\\u0000c\"", false },
        { "\"a\\u0000b\"", "\"a\"", false },
        { "[1,2]", "[1,2]", true },
        { "[1,2]", "[2,1]", false },
        { "[1]", "[1,1]", false },
        { "{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", true },
        { "{\"a\":1}", "{\"a\":1,\"b\":null}", false },
        { "{\"a\":null}", "{\"b\":null}", false },
        { "{\"a\":{\"x\":[1]}}", "{\"a\":{\"x\":[1]}}", true },
        { "{\"a\":{\"x\":[1]}}", "{\"a\":{\"x\":[2]}}", false },
        { "{}", "[]", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *a = tree_of(cases[i].a);
        prb_auto(prb_json_free) struct json_object *b = tree_of(cases[i].b);

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].equal, prb_json_equal(a, b), cases[i].a);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].equal, prb_json_equal(b, a), cases[i].a);
    }
}

static void test_a_copy_is_equal_and_private(void)
{
    static const char text[] =
            "{\"s\":\"a\\u0000b\",\"i\":-1,\"u\":18446744073709551615,\"d\":1.5,\"b\":true,"
            "\"n\":null,\"l\":[1,[],{}],\"metadata\":{\"labels\":{\"x\":\"y\"}}}";
    prb_auto(prb_json_free) struct json_object *tree = tree_of(text);
    prb_auto(prb_json_free) struct json_object *copy = prb_json_copy(tree);
    prb_autofree char *printed = NULL;

    TEST_ASSERT_TRUE(prb_json_equal(tree, copy));
    prb_json_set_str(prb_json_at(copy, "metadata", "labels"), "x", "changed");
    prb_json_set_int(copy, "added", 1);
    printed = prb_json_text(tree, false);
    TEST_ASSERT_EQUAL_STRING(text, printed);
    TEST_ASSERT_NULL(prb_json_copy(NULL));
}

static void test_pointers_name_nodes_as_in_rfc_6901(void)
{
    static const struct {
        const char *pointer, *value; /* NULL: there is no such node */
    } cases[] = {
        { "/foo", "[\"bar\",\"baz\"]" },
        { "/foo/0", "\"bar\"" },
        { "/foo/1", "\"baz\"" },
        { "/foo/2", NULL },
        { "/foo/-", NULL },
        { "/foo/00", NULL },
        { "/foo/01", NULL },
        { "/foo/+1", NULL },
        { "/foo/1x", NULL },
        { "/foo/", NULL },
        { "/foo/99999999999999999999", NULL },
        { "/", "0" },
        { "/a~1b", "1" },
        { "/c%d", "2" },
        { "/m~0n", "8" },
        { "/~01", "9" },
        { "/m~n", NULL },
        { "/m~2n", NULL },
        { "/m~", NULL },
        { "/null", "null" },
        { "/null/x", NULL },
        { "/foo/0/x", NULL },
        { "foo", NULL },
        { "/missing", NULL },
    };
    prb_auto(prb_json_free) struct json_object *tree =
            tree_of("{\"foo\":[\"bar\",\"baz\"],\"\":0,\"a/b\":1,\"c%d\":2,\"m~n\":8,\"~1\":9,"
                    "\"null\":null}");
    struct json_object *node = NULL;

    TEST_ASSERT_TRUE(prb_json_pointer_get(tree, "", &node));
    TEST_ASSERT_EQUAL_PTR(tree, node);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        bool found = prb_json_pointer_get(tree, cases[i].pointer, &node);
        prb_autofree char *printed = found ? prb_json_text(node, false) : NULL;

        TEST_ASSERT_EQUAL_MESSAGE(cases[i].value != NULL, found, cases[i].pointer);
        if (found)
            TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].value, printed, cases[i].pointer);
    }
}

static void test_pointers_are_built_with_escapes(void)
{
    prb_auto(prb_str_done) struct prb_str s;

    prb_str_init(&s, 100);
    prb_json_pointer_add(&s, "metadata");
    prb_json_pointer_add(&s, "a/b~c");
    prb_json_pointer_add(&s, "");
    TEST_ASSERT_EQUAL_STRING("/metadata/a~1b~0c/", prb_str_get(&s));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_getters_find_values_of_their_type);
    RUN_TEST(test_getters_never_coerce);
    RUN_TEST(test_getters_accept_no_tree_and_the_wrong_tree);
    RUN_TEST(test_a_string_with_u0000_never_reads_as_its_beginning);
    RUN_TEST(test_iteration_follows_the_order_of_the_text);
    RUN_TEST(test_trees_are_built_piece_by_piece);
    RUN_TEST(test_sorted_text_is_the_same_for_equal_objects);
    RUN_TEST(test_printing_makes_any_bytes_valid_json);
    RUN_TEST(test_numbers_that_json_lacks_print_as_null);
    RUN_TEST(test_equality_looks_at_meaning);
    RUN_TEST(test_a_copy_is_equal_and_private);
    RUN_TEST(test_pointers_name_nodes_as_in_rfc_6901);
    RUN_TEST(test_pointers_are_built_with_escapes);
    return UNITY_END();
}

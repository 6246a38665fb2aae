#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/json_reader.h"
#include "probate/base/mem.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define DEEP 100000

static int parse_code(const char *text, size_t len, const struct prb_json_options *options)
{
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    return prb_json_parse(text, len, options, &tree, &err);
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

/* What the API server can store, and what wraps it: a list in an event, say. */
static void test_what_is_stepped_over_may_be_as_deep_as_an_api_server_takes_it(void)
{
    static const struct prb_json_filter only_a[] = { { .key = "a" }, { .key = NULL } };
    const struct prb_json_options options = { .filter = only_a };
    static const struct {
        size_t count; /* of pairs */
        int code;
    } cases[] = {
        { PRB_JSON_DEPTH_MAX, 0 },
        { 5000, 0 },
        { (PRB_JSON_STEP_DEPTH_MAX - 2) / 2, 0 },
        { PRB_JSON_STEP_DEPTH_MAX / 2, PRB_E_INVALID },
        { DEEP, PRB_E_INVALID },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t len;
        prb_autofree char *inner = nested("[{\"x\":", "}]", cases[i].count, &len);
        prb_autofree char *text = prb_asprintf("{\"skipped\":%s,\"a\":1}", inner);

        TEST_ASSERT_EQUAL_INT(cases[i].code, parse_code(text, strlen(text), &options));
    }
}

static void test_callers_may_ask_for_less(void)
{
    const struct prb_json_options shallow = { .depth_max = 2 };
    const struct prb_json_options greedy = { .depth_max = DEEP * 2 };
    size_t len;
    prb_autofree char *deep = nested("[", "]", DEEP, &len);

    TEST_ASSERT_EQUAL_INT(0, parse_code("[[1],[2]]", 9, &shallow));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, parse_code("[[[1]]]", 7, &shallow));
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

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_depth_is_bounded_for_arrays_and_objects);
    RUN_TEST(test_what_is_stepped_over_may_be_as_deep_as_an_api_server_takes_it);
    RUN_TEST(test_callers_may_ask_for_less);
    RUN_TEST(test_a_large_object_keeps_all_members_and_finds_a_duplicate);
    RUN_TEST(test_tables_are_no_larger_than_their_content_needs);
    RUN_TEST(test_common_member_names_are_kept_once);
    RUN_TEST(test_members_left_out_take_no_room);
    RUN_TEST(test_a_parsed_object_can_grow);
    return UNITY_END();
}

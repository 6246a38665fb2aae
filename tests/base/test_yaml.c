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

static void test_structures_become_objects_and_arrays(void)
{
    static const struct {
        const char *name, *yaml, *json;
    } cases[] = {
        { "nested",
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {x: z}\n"
                "list:\n- 1\n- a: b\n  c: d\n- [2, 3]\n-\n",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\","
                "\"labels\":{\"x\":\"z\"}},\"list\":[1,{\"a\":\"b\",\"c\":\"d\"},[2,3],null]}" },
        { "JSON is YAML", "{\"a\": [1, \"x\", null, true], \"b\": {}}",
                "{\"a\":[1,\"x\",null,true],\"b\":{}}" },
        { "JSON with a surrogate pair", " {\"a\":\"\\ud83d\\ude00\"}",
                "{\"a\":\"\xF0\x9F\x98\x80\"}" },
        { "flow style that is no JSON", "{a: [on, 1e3], 'b': }", "{\"a\":[true,1000],\"b\":null}" },
        { "keys of other types", "1: a\n1.5: b\ny: c\n0x10: d\n\"5\": e\n",
                "{\"1\":\"a\",\"1.5\":\"b\",\"true\":\"c\",\"16\":\"d\",\"5\":\"e\"}" },
        { "a comment and a marker", "# comment\n---\na: 1 # more\n...\n", "{\"a\":1}" },
        { "alias", "a: &x {k: [1]}\nb: *x\n", "{\"a\":{\"k\":[1]},\"b\":{\"k\":[1]}}" },
        { "alias of null and as a key", "a: &x\nb: *x\nc: &k key\n*k : 1\n",
                "{\"a\":null,\"b\":null,\"c\":\"key\",\"key\":1}" },
        { "anchor set anew", "a: &x 1\nb: &x 2\nc: *x\n", "{\"a\":1,\"b\":2,\"c\":2}" },
        { "merge", "base: &b {x: 1, w: 2}\nc:\n  w: 3\n  <<: *b\n",
                "{\"base\":{\"x\":1,\"w\":2},\"c\":{\"w\":3,\"x\":1}}" },
        { "merge in front", "base: &b {x: 1, w: 2}\nc:\n  <<: *b\n  w: 3\n",
                "{\"base\":{\"x\":1,\"w\":2},\"c\":{\"w\":3,\"x\":1}}" },
        { "merge of several, the first wins", "c:\n  <<: [{x: 1}, {x: 2, w: 2}]\n",
                "{\"c\":{\"x\":1,\"w\":2}}" },
        { "a quoted << is a key", "\"<<\": {x: 1}\n", "{\"<<\":{\"x\":1}}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *got = json_of(cases[i].yaml, strlen(cases[i].yaml));

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].json, got, cases[i].name);
    }
}

static void test_an_alias_is_a_copy_of_its_own(void)
{
    static const char text[] = "a: &x {k: 1}\nb: *x\n";
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_autofree char *printed = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_yaml_parse(text, strlen(text), &tree, &err));
    prb_json_set_int(prb_json_obj(tree, "a"), "k", 2);
    printed = prb_json_text(tree, false);
    TEST_ASSERT_EQUAL_STRING("{\"a\":{\"k\":2},\"b\":{\"k\":1}}", printed);
}

static void test_what_is_no_yaml_or_no_json_is_refused_with_its_place(void)
{
    static const struct {
        const char *yaml, *error;
    } cases[] = {
        { "a: 1\nb: [1, 2\nc: 3\n", "line 3, column 2: did not find expected ',' or ']' while "
                                    "parsing a flow sequence" },
        { "a: 1\n\tb: 2\n", "line 2, column 1: found a tab character that violates indentation "
                            "while scanning a plain scalar" },
        { "a: b: c\n", "line 1, column 5: mapping values are not allowed in this context" },
        { "a: 1\na: 2\n", "line 2, column 1: duplicate key \"a\"" },
        { "1: x\n\"1\": y\n", "line 2, column 1: duplicate key \"1\"" },
        { "a: *nope\n", "line 1, column 4: unknown anchor \"nope\"" },
        { "a: &x [*x]\n", "line 1, column 8: unknown anchor \"x\"" },
        { "a: &x 1\nb: &x [*x]\n", "line 2, column 8: unknown anchor \"x\"" },
        { "a: .inf\n", "line 1, column 4: .inf cannot be expressed in JSON" },
        { "a: -.INF\n", "line 1, column 4: -.INF cannot be expressed in JSON" },
        { "- .NaN\n", "line 1, column 3: .NaN cannot be expressed in JSON" },
        { "~: 1\n", "line 1, column 1: a key must not be null" },
        { "[1]: 1\n", "line 1, column 1: a key must be a scalar" },
        { "\"a\\0b\": 1\n", "line 1, column 1: key contains U+0000" },
        { "a:\n  <<: 5\n", "line 2, column 3: the value of << must be a mapping or a list of "
                           "mappings" },
        { "a:\n  <<: [5]\n", "line 2, column 3: the value of << must be a mapping or a list of "
                             "mappings" },
        { "{\"a\":1,\"a\":2}", "line 1, column 8: duplicate key \"a\"" },
        { "", "no document, expected one" },
        { "---\n# nothing\n", "no document, expected one" },
        { "a: 1\n---\nb: 2\n", "line 3: a second document, expected one" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *got = json_of(cases[i].yaml, strlen(cases[i].yaml));

        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].error, got, cases[i].yaml);
    }
}

static void test_invalid_utf8_and_control_characters_are_refused(void)
{
    struct json_object *tree = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_yaml_parse("a: \xFF\n", 5, &tree, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_yaml_parse("a: \x01\n", 5, &tree, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_yaml_parse("a: \0\n", 5, &tree, &err));
    TEST_ASSERT_NULL(tree);
}

struct seen {
    struct prb_str text; /* "line:json " of each document */
    size_t fail_after;   /* documents; 0: never */
    size_t count;
};

static int note(void *ctx, struct json_object *taken, size_t line, struct prb_error *err)
{
    prb_auto(prb_json_free) struct json_object *tree = taken;
    struct seen *seen = ctx;

    prb_str_addf(&seen->text, "%zu:", line);
    prb_json_print(tree, &seen->text);
    prb_str_addc(&seen->text, ' ');
    if (++seen->count == seen->fail_after)
        return prb_fail(err, PRB_E_EXISTS, "enough");
    return 0;
}

static void test_every_document_that_is_not_empty_is_handed_over_with_its_line(void)
{
    static const char text[] = "# first\na: 1\n---\n---\n# nothing\n---\nb: &x 2\n---\nnull\n...\n"
                               "---\n- c\n";
    struct seen seen = { .count = 0 };
    prb_autofree char *all = NULL;
    struct prb_error err;

    prb_str_init(&seen.text, 1000);
    TEST_ASSERT_EQUAL_INT(0, prb_yaml_read(text, strlen(text), note, &seen, &err));
    all = prb_str_take(&seen.text);
    TEST_ASSERT_EQUAL_STRING("2:{\"a\":1} 7:{\"b\":2} 12:[\"c\"] ", all);
}

static void test_an_anchor_ends_with_its_document(void)
{
    static const char text[] = "a: &x 1\n---\nb: *x\n";
    struct seen seen = { .count = 0 };
    prb_autofree char *all = NULL;
    struct prb_error err;

    prb_str_init(&seen.text, 1000);
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_yaml_read(text, strlen(text), note, &seen, &err));
    all = prb_str_take(&seen.text);
    TEST_ASSERT_EQUAL_STRING("1:{\"a\":1} ", all);
    TEST_ASSERT_EQUAL_STRING("line 3, column 4: unknown anchor \"x\"", err.msg);
}

static void test_a_failure_of_the_receiver_stops_the_reading(void)
{
    static const char text[] = "a: 1\n---\nb: 2\n---\nc: 3\n";
    struct seen seen = { .fail_after = 2 };
    prb_autofree char *all = NULL;
    struct prb_error err;

    prb_str_init(&seen.text, 1000);
    TEST_ASSERT_EQUAL_INT(PRB_E_EXISTS, prb_yaml_read(text, strlen(text), note, &seen, &err));
    all = prb_str_take(&seen.text);
    TEST_ASSERT_EQUAL_STRING("1:{\"a\":1} 3:{\"b\":2} ", all);
    TEST_ASSERT_EQUAL_STRING("enough", err.msg);
}

static void test_aliases_cannot_expand_without_bound(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    prb_autofree char *got = NULL;

    prb_str_init(&s, 100000);
    prb_str_add(&s, "a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]\n");
    for (int i = 1; i < 30; i++) {
        prb_str_addf(&s, "a%d: &a%d [", i, i);
        for (int j = 0; j < 9; j++)
            prb_str_addf(&s, "%s*a%d", j ? ", " : "", i - 1);
        prb_str_add(&s, "]\n");
    }
    got = json_of(s.data, s.len);
    TEST_ASSERT_NOT_NULL(strstr(got, "aliases expand to more than 200000 nodes"));
}

static void test_a_large_document_without_aliases_is_not_held_to_that_bound(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    struct prb_error err;

    prb_str_init(&s, SIZE_MAX / 2);
    for (int i = 0; i < PRB_YAML_NODES_MAX + 10; i++)
        prb_str_add(&s, "- 1\n");
    TEST_ASSERT_EQUAL_INT(0, prb_yaml_parse(s.data, s.len, &tree, &err));
    TEST_ASSERT_EQUAL_size_t(PRB_YAML_NODES_MAX + 10, prb_json_len(tree));
}

static void test_depth_is_bounded(void)
{
    static const size_t depths[] = { PRB_JSON_DEPTH_MAX, PRB_JSON_DEPTH_MAX + 1, 100000 };

    for (size_t i = 0; i < sizeof(depths) / sizeof(depths[0]); i++) {
        prb_auto(prb_str_done) struct prb_str s;
        prb_auto(prb_json_free) struct json_object *tree = NULL;
        struct prb_error err;

        prb_str_init(&s, SIZE_MAX / 2);
        for (size_t d = 0; d < depths[i]; d++)
            prb_str_addc(&s, '[');
        prb_str_addc(&s, 'x'); /* no JSON, so that it is YAML that reads it */
        for (size_t d = 0; d < depths[i]; d++)
            prb_str_addc(&s, ']');
        TEST_ASSERT_EQUAL_INT(depths[i] > PRB_JSON_DEPTH_MAX ? PRB_E_INVALID : 0,
                prb_yaml_parse(s.data, s.len, &tree, &err));
    }
}

/* Each anchor holds the one before, twenty levels down: few nodes, but a tree like a needle. */
static void test_depth_is_bounded_through_aliases(void)
{
    prb_auto(prb_str_done) struct prb_str s;
    prb_autofree char *got = NULL;

    prb_str_init(&s, 100000);
    prb_str_add(&s, "a0: &a0 x\n");
    for (int i = 1; i < 40; i++)
        prb_str_addf(&s, "a%d: &a%d [[[[[[[[[[[[[[[[[[[[*a%d]]]]]]]]]]]]]]]]]]]]\n", i, i, i - 1);
    got = json_of(s.data, s.len);
    TEST_ASSERT_NOT_NULL(strstr(got, "nested too deeply"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_structures_become_objects_and_arrays);
    RUN_TEST(test_an_alias_is_a_copy_of_its_own);
    RUN_TEST(test_what_is_no_yaml_or_no_json_is_refused_with_its_place);
    RUN_TEST(test_invalid_utf8_and_control_characters_are_refused);
    RUN_TEST(test_every_document_that_is_not_empty_is_handed_over_with_its_line);
    RUN_TEST(test_an_anchor_ends_with_its_document);
    RUN_TEST(test_a_failure_of_the_receiver_stops_the_reading);
    RUN_TEST(test_aliases_cannot_expand_without_bound);
    RUN_TEST(test_a_large_document_without_aliases_is_not_held_to_that_bound);
    RUN_TEST(test_depth_is_bounded);
    RUN_TEST(test_depth_is_bounded_through_aliases);
    return UNITY_END();
}

/* When is an object as a template says, and what is written where it is not? */

#include <string.h>
#include <unity.h>

#include "probate/base/yaml.h"
#include "probate/model/policy_compare.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct json_object *parse(const char *yaml)
{
    struct json_object *tree = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_MESSAGE(0, prb_yaml_parse(yaml, strlen(yaml), &tree, &err), err.msg);
    return tree;
}

#define HEAD "apiVersion: v1, kind: Thing, metadata: {name: a"
#define OBJ(spec) "{" HEAD "}, spec: " spec "}"
#define META(labels) "{" HEAD ", labels: " labels "}}"

/* `merged` NULL: it matches. The member `spec` of what is written; for others the whole. */
static const struct {
    const char *name, *template, *live, *merged;
} cases[] = {
    { "the same", OBJ("{x: 1}"), OBJ("{x: 1}"), NULL },
    { "a part of it", OBJ("{x: {deep: 1}}"), OBJ("{x: {deep: 1, more: 2}, w: 3}"), NULL },
    { "another value", OBJ("{x: 1}"), OBJ("{x: 2, w: 3}"), "{\"w\":3,\"x\":1}" },
    { "a member more", OBJ("{x: 1, q: 2}"), OBJ("{x: 1}"), "{\"q\":2,\"x\":1}" },
    { "deep", OBJ("{x: {deep: 1}}"), OBJ("{x: {deep: 2, more: 2}}"),
            "{\"x\":{\"deep\":1,\"more\":2}}" },
    { "null says nothing", OBJ("{x: null}"), OBJ("{x: {deep: 2}}"), NULL },
    { "an empty map says nothing", OBJ("{x: {}}"), OBJ("{x: {deep: 2}}"), NULL },
    { "an empty map of what is absent", OBJ("{x: {}}"), OBJ("{w: 1}"), NULL },
    { "an empty list of what is absent", OBJ("{x: []}"), OBJ("{w: 1}"), NULL },
    { "a map where a number is", OBJ("{x: {deep: 1}}"), OBJ("{x: 5}"), "{\"x\":{\"deep\":1}}" },
    { "a list where a map is", OBJ("{x: [1]}"), OBJ("{x: {deep: 1}}"), "{\"x\":[1]}" },

    { "false is absent", OBJ("{x: false}"), OBJ("{w: 1}"), NULL },
    { "0 is absent", OBJ("{x: 0}"), OBJ("{w: 1}"), NULL },
    { "true is not absent", OBJ("{x: true}"), OBJ("{w: 1}"), "{\"w\":1,\"x\":true}" },
    { "an empty text is not absent", OBJ("{x: ''}"), OBJ("{w: 1}"), "{\"w\":1,\"x\":\"\"}" },
    { "false is not true", OBJ("{x: false}"), OBJ("{x: true}"), "{\"x\":false}" },

    { "a number and its text", OBJ("{x: 80}"), OBJ("{x: '80'}"), NULL },
    { "a text and its number", OBJ("{x: '80'}"), OBJ("{x: 80}"), NULL },
    { "a quantity", OBJ("{x: 1000m}"), OBJ("{x: '1'}"), NULL },
    { "a quantity of memory", OBJ("{x: 1024Mi}"), OBJ("{x: 1Gi}"), NULL },
    { "other quantities", OBJ("{x: 1000m}"), OBJ("{x: '2'}"), "{\"x\":\"1000m\"}" },
    { "no quantity", OBJ("{x: 1.5.0}"), OBJ("{x: 1.5.00}"), "{\"x\":\"1.5.0\"}" },

    { "a list in another order", OBJ("{x: [1, 2]}"), OBJ("{x: [2, 1]}"), NULL },
    { "a part of a list", OBJ("{x: [2]}"), OBJ("{x: [1, 2, 3]}"), NULL },
    { "one more in a list", OBJ("{x: [4]}"), OBJ("{x: [1, 2]}"), "{\"x\":[1,2,4]}" },
    { "twice in the template counts once", OBJ("{x: [1, 1]}"), OBJ("{x: [1]}"), NULL },
    { "twice in the object stays", OBJ("{x: [2]}"), OBJ("{x: [1, 1]}"), "{\"x\":[1,1,2]}" },
    { "elements with more", OBJ("{x: [{a: 1}]}"), OBJ("{x: [{b: 1}, {a: 1, c: 2}]}"), NULL },
    { "one element cannot be two", OBJ("{x: [{a: 1}, {c: 2}]}"), OBJ("{x: [{a: 1, c: 2}]}"),
            "{\"x\":[{\"a\":1,\"c\":2},{\"c\":2}]}" },
    { "who may take either leaves the other", OBJ("{x: [{a: 1}, {a: 1, b: 2}]}"),
            OBJ("{x: [{a: 1, b: 2}, {a: 1, c: 3}]}"), NULL },
    { "merged by name", OBJ("{x: [{name: web, image: n2}]}"),
            OBJ("{x: [{name: log, image: l}, {name: web, image: n1, tty: true}]}"),
            "{\"x\":[{\"name\":\"log\",\"image\":\"l\"},{\"name\":\"web\",\"image\":\"n2\",\"tty\":"
            "true}]}" },
    { "an unknown name is added", OBJ("{x: [{name: new}]}"), OBJ("{x: [{name: old}]}"),
            "{\"x\":[{\"name\":\"old\"},{\"name\":\"new\"}]}" },
    { "lists in lists", OBJ("{x: [{name: web, env: [{name: A, value: '1'}]}]}"),
            OBJ("{x: [{name: web, env: [{name: B, value: b}, {name: A, value: '2'}]}]}"),
            "{\"x\":[{\"name\":\"web\",\"env\":[{\"name\":\"B\",\"value\":\"b\"},{\"name\":\"A\","
            "\"value\":\"1\"}]}]}" },
};

static void test_an_object_is_as_a_template_says(void)
{
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *template = parse(cases[i].template);
        prb_auto(prb_json_free) struct json_object *body = prb_policy_body(template, "");
        prb_auto(prb_json_free) struct json_object *merged = NULL;
        prb_auto(prb_object_unref) struct prb_object *live = NULL;
        prb_autofree char *text = NULL, *want = NULL;
        prb_auto(prb_json_free) struct json_object *wanted = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL(0, prb_object_new(parse(cases[i].live), &live, &err));
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].merged ? PRB_DIFFERS : PRB_MATCHES,
                prb_policy_compare(body, prb_object_tree(live)), cases[i].name);
        merged = prb_policy_merge(body, live);
        text = prb_json_text(prb_json_find(merged, "spec"), true);
        wanted = cases[i].merged ? parse(cases[i].merged)
                                 : prb_json_copy(prb_json_find(prb_object_tree(live), "spec"));
        want = prb_json_text(wanted, true);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want, text, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(PRB_MATCHES, prb_policy_compare(body, merged), cases[i].name);
    }
}

static enum prb_match compare(const char *template, const char *live)
{
    prb_auto(prb_json_free) struct json_object *definition = parse(template);
    prb_auto(prb_json_free) struct json_object *body = prb_policy_body(definition, "");
    prb_auto(prb_json_free) struct json_object *tree = parse(live);

    return prb_policy_compare(body, tree);
}

static void test_of_metadata_labels_and_annotations_count_as_they_are(void)
{
    TEST_ASSERT_EQUAL(PRB_MATCHES, compare(META("{a: b}"), META("{a: b, c: d}")));
    TEST_ASSERT_EQUAL(PRB_DIFFERS, compare(META("{a: b}"), META("{a: c}")));
    TEST_ASSERT_EQUAL(PRB_DIFFERS, compare(META("{v: '1.10'}"), META("{v: '1.1'}")));
    TEST_ASSERT_EQUAL(PRB_MATCHES,
            compare("{" HEAD ", finalizers: [x/y], uid: u1, generation: 7}}", META("{a: c}")));
    TEST_ASSERT_EQUAL(PRB_MATCHES,
            compare("{" HEAD
                    ", annotations: {kubectl.kubernetes.io/last-applied-configuration: x}}}",
                    META("{a: c}")));
}

static void test_data_is_no_quantity(void)
{
    TEST_ASSERT_EQUAL(PRB_DIFFERS,
            compare("{" HEAD "}, data: {v: '1.10'}}", "{" HEAD "}, data: {v: '1.1'}}"));
}

static void test_a_status_that_differs_is_told_apart(void)
{
    TEST_ASSERT_EQUAL(PRB_DIFFERS_IN_STATUS,
            compare("{" HEAD "}, status: {ready: 2}}", "{" HEAD "}, status: {ready: 1}}"));
    TEST_ASSERT_EQUAL(PRB_DIFFERS, compare("{" HEAD "}, spec: {x: 1}, status: {ready: 2}}",
                                           "{" HEAD "}, spec: {x: 2}, status: {ready: 1}}"));
}

static void test_plain_text_of_a_secret_is_compared_as_it_is_stored(void)
{
    static const char template[] = "{apiVersion: v1, kind: Secret, metadata: {name: a}, "
                                   "stringData: {k: hello}}";

    TEST_ASSERT_EQUAL(PRB_MATCHES,
            compare(template, "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {k: "
                              "aGVsbG8=}}"));
    TEST_ASSERT_EQUAL(PRB_DIFFERS,
            compare(template, "{apiVersion: v1, kind: Secret, metadata: {name: a}, data: {k: "
                              "eHh4}}"));
}

static void test_what_only_a_server_can_say_is_not_created(void)
{
    prb_auto(prb_json_free) struct json_object *definition =
            parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: x, uid: u, "
                  "resourceVersion: '7', labels: {a: b}, finalizers: [x/y]}, data: {k: v}}");
    prb_auto(prb_json_free) struct json_object *body = prb_policy_body(definition, "n1");
    prb_autofree char *text = prb_json_text(body, true);

    TEST_ASSERT_EQUAL_STRING(
            "{\"apiVersion\":\"v1\",\"data\":{\"k\":\"v\"},\"kind\":\"ConfigMap\",\"metadata\":{"
            "\"finalizers\":[\"x/y\"],\"labels\":{\"a\":\"b\"},\"name\":\"a\",\"namespace\":\"n1\"}"
            "}",
            text);
}

static void test_a_write_keeps_all_that_the_template_does_not_name(void)
{
    prb_auto(prb_json_free) struct json_object *definition =
            parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {a: b}}, data: "
                  "{k: v}, status: {x: 1}}");
    prb_auto(prb_json_free) struct json_object *body = prb_policy_body(definition, "");
    prb_auto(prb_object_unref) struct prb_object *live = NULL;
    prb_auto(prb_json_free) struct json_object *merged = NULL;
    prb_autofree char *text = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL(0,
            prb_object_new(parse("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, uid: u1, "
                                 "resourceVersion: '7', finalizers: [x/y], labels: {c: d}, "
                                 "managedFields: [{}]}, data: {o: l}, status: {x: 2}}"),
                    &live, &err));
    merged = prb_policy_merge(body, live);
    text = prb_json_text(merged, true);
    TEST_ASSERT_EQUAL_STRING(
            "{\"apiVersion\":\"v1\",\"data\":{\"k\":\"v\",\"o\":\"l\"},\"kind\":\"ConfigMap\","
            "\"metadata\":{\"finalizers\":[\"x/y\"],\"labels\":{\"a\":\"b\",\"c\":\"d\"},\"name\":"
            "\"a\",\"resourceVersion\":\"7\",\"uid\":\"u1\"},\"status\":{\"x\":2}}",
            text);
}

static const struct {
    const char *a, *b;
    bool are_equal;
} quantities[] = {
    { "1", "1000m", true },
    { "0.5", "500m", true },
    { "1Ki", "1024", true },
    { "1k", "1000", true },
    { "1Ki", "1000", false },
    { "1e3", "1k", true },
    { "1E", "1000P", true },
    { "-1", "-1000m", true },
    { "-1", "1", false },
    { "100u", "0.1m", true },
    { "1n", "0.001u", true },
    { "0", "0Mi", true },
    { "", "0", false },
    { "m", "0", false },
    { "1x", "1x", false },
    { "1.2.3", "1.2.3", false },
    { "99999999999999999999999999999999999999999", "1", false },
    { "1e99", "1e99", false },
};

static void test_quantities_compare_by_value(void)
{
    for (size_t i = 0; i < sizeof(quantities) / sizeof(quantities[0]); i++)
        TEST_ASSERT_EQUAL_MESSAGE(quantities[i].are_equal,
                prb_quantity_equal(quantities[i].a, quantities[i].b), quantities[i].a);
}

/* A list that is data must not cost the square of its length. */
static void test_long_lists_are_compared_in_order(void)
{
    struct json_object *list = json_object_new_array();
    prb_auto(prb_json_free) struct json_object *tree = parse("{" HEAD "}}");
    prb_auto(prb_json_free) struct json_object *other = NULL;

    for (int i = 0; i < 100000; i++)
        prb_json_push(list, json_object_new_int(i));
    prb_json_set(tree, "list", list);
    TEST_ASSERT_EQUAL(PRB_MATCHES, prb_policy_compare(tree, tree));
    other = prb_json_copy(tree);
    prb_json_push(prb_json_arr(other, "list"), json_object_new_int(-1));
    TEST_ASSERT_EQUAL(PRB_MATCHES, prb_policy_compare(tree, other));
    TEST_ASSERT_EQUAL(PRB_DIFFERS, prb_policy_compare(other, tree));
}

static struct json_object *list_of(int first, int count)
{
    struct json_object *list = json_object_new_array();

    for (int i = 0; i < count; i++)
        prb_json_push(list, json_object_new_int(first + i));
    return list;
}

/* What is compared in order may be in another place: added again with each pass, it would be a list
 * without end. */
static void test_to_a_long_list_nothing_is_added_that_it_may_have(void)
{
    static const struct {
        const char *about;
        int live_first, live_count, wanted_first, wanted_count, merged_count;
    } long_lists[] = {
        { "in another place", 0, 2500, 7, 1, -1 },
        { "one was put in front of it", -1, 2002, 0, 2001, -1 },
        { "the end is missing", 0, 1990, 0, 2001, 2001 },
        { "there is none", 0, 0, 0, 2001, 2001 },
        { "a short one", 1, 2000, 0, 1, 2001 },
    };

    for (size_t i = 0; i < sizeof(long_lists) / sizeof(long_lists[0]); i++) {
        prb_auto(prb_json_free) struct json_object *wanted = parse("{" HEAD "}}");
        struct json_object *there = parse("{" HEAD "}}");
        prb_auto(prb_object_unref) struct prb_object *live = NULL;
        prb_auto(prb_json_free) struct json_object *merged = NULL;
        struct prb_error err;

        prb_json_set(
                wanted, "list", list_of(long_lists[i].wanted_first, long_lists[i].wanted_count));
        prb_json_set(there, "list", list_of(long_lists[i].live_first, long_lists[i].live_count));
        TEST_ASSERT_EQUAL_INT(0, prb_object_new(there, &live, &err));
        merged = prb_policy_merge(wanted, live);
        TEST_ASSERT_EQUAL_INT_MESSAGE(long_lists[i].merged_count,
                merged ? (int)prb_json_len(prb_json_arr(merged, "list")) : -1, long_lists[i].about);
    }
}

/* The first finds the one that only the second fits: it has to give it up, however much there is.
 */
static void test_how_long_the_list_is_that_is_there_does_not_matter(void)
{
    prb_auto(prb_json_free) struct json_object *wanted =
            parse("{" HEAD "}, list: [{a: 1}, {a: 1, b: 2}]}");
    prb_auto(prb_json_free) struct json_object *live =
            parse("{" HEAD "}, list: [{a: 1, b: 2}, {a: 1}]}");

    for (int i = 0; i < 300; i++)
        prb_json_push(prb_json_arr(live, "list"), json_object_new_int(i));
    TEST_ASSERT_EQUAL(PRB_MATCHES, prb_policy_compare(wanted, live));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_is_as_a_template_says);
    RUN_TEST(test_of_metadata_labels_and_annotations_count_as_they_are);
    RUN_TEST(test_data_is_no_quantity);
    RUN_TEST(test_a_status_that_differs_is_told_apart);
    RUN_TEST(test_plain_text_of_a_secret_is_compared_as_it_is_stored);
    RUN_TEST(test_what_only_a_server_can_say_is_not_created);
    RUN_TEST(test_a_write_keeps_all_that_the_template_does_not_name);
    RUN_TEST(test_quantities_compare_by_value);
    RUN_TEST(test_long_lists_are_compared_in_order);
    RUN_TEST(test_to_a_long_list_nothing_is_added_that_it_may_have);
    RUN_TEST(test_how_long_the_list_is_that_is_there_does_not_matter);
    return UNITY_END();
}

#include <string.h>
#include <unity.h>

#include "probate/model/selector.h"

#include "support/json_text.h"

static struct prb_object *object;

void setUp(void)
{
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'metadata':{'name':'web','namespace':'shop','labels':{"
                          "'a':'b','in':'in','n':'10','empty':'','k8s.io/x.y_z':'V-1','odd':5}}}"),
            &object, &err);
}

void tearDown(void)
{
    prb_object_unref(object);
    object = NULL;
}

struct selector_case {
    const char *text;
    bool matches;
};

static const struct selector_case labels[] = {
    { "", true },
    { " \t\r\n", true },
    { "a", true },
    { "z", false },
    { "!a", false },
    { "!z", true },
    { " ! z ", true },
    { "a=b", true },
    { "a==b", true },
    { " a = b ", true },
    { "a=c", false },
    { "z=b", false },
    { "a!=b", false },
    { "a!=c", true },
    { "z!=b", true },
    { "a in (b)", true },
    { "a in (x,b)", true },
    { "a in ( x , b )", true },
    { "a in(x,y)", false },
    { "z in (b)", false },
    { "a notin (b)", false },
    { "a notin (x,y)", true },
    { "z notin (b)", true },
    { "in in (in)", true },
    { "in=in", true },
    { "in", true },
    { "notin", false },
    { "a=notin", false },
    { "empty=", true },
    { "empty=,a", true },
    { "a=", false },
    { "a!=", true },
    { "empty in (,x)", true },
    { "empty in (x,)", true },
    { "empty in (x,,y)", true },
    { "a in (,x)", false },
    { "empty in (,)", true },
    { "empty in ()", true },
    { "a in ()", false },
    { "a notin ()", true },
    { "n>9", true },
    { "n > 10", false },
    { "n<11", true },
    { "n<10", false },
    { "a>1", false },
    { "z<1", false },
    { "k8s.io/x.y_z=V-1", true },
    { "k8s.io/x.y_z=v-1", false },
    { "a=b,n=10,!z", true },
    { "a=b,n=10,z", false },
    { "odd", false },
    { "!odd", true },
};

static void test_a_label_selector_matches_what_kubernetes_matches(void)
{
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++) {
        prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
        struct prb_error err = { .msg = "" };

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_selector_parse(labels[i].text, &selector, &err), labels[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                labels[i].matches, prb_selector_matches(selector, object), labels[i].text);
    }
}

#define LONG_61 "a234567890123456789012345678901234567890123456789012345678901"
#define LONG_63 LONG_61 "23"

static void test_what_kubernetes_refuses_is_refused(void)
{
    static const char *const texts[] = { ",", "a,", ",a", "a,,b", "a b", "a=b c", "a=b=c", "a===b",
        "a=(b)", "!", "!!a", "!a=b", "!a in (b)", "=b", "a in", "a in b", "a in (", "a in (b",
        "a in (b c)", "a in (b,,)", "a in (,,)", "a in ((b))", "a in (b)c", "a>", "a>x", "a<1.5",
        "a>1,>2", "(a)", ")", "a&b", "-a", "a-", ".a", "a/b/c", "/a", "a/", "A.io/x", "a..b/x",
        "-a.io/x", "a.-io/x", "a=-b", "a=b-", "a=b/c", "a=b c", "a in (b,-)", "a=\xc3\xa9",
        "in (x)" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct prb_selector *selector = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_selector_parse(texts[i], &selector, &err), texts[i]);
        TEST_ASSERT_NULL_MESSAGE(selector, texts[i]);
    }
}

static void test_the_longest_key_and_value_are_taken(void)
{
    static const struct {
        const char *text;
        int code;
    } cases[] = {
        { LONG_63, 0 },
        { LONG_63 "4", PRB_E_INVALID },
        { "a=" LONG_63, 0 },
        { "a=" LONG_63 "4", PRB_E_INVALID },
        { LONG_63 "." LONG_63 "." LONG_63 "." LONG_61 "/" LONG_63, 0 },
        { LONG_63 "." LONG_63 "." LONG_63 "." LONG_61 "2/a", PRB_E_INVALID },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].code, prb_selector_parse(cases[i].text, &selector, &err), cases[i].text);
    }
}

static void test_a_refusal_says_what_was_found(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "a b", "label selector: found 'b', expected: in, notin, =, ==, !=, >, <" },
        { "a in b", "label selector: found 'b', expected: '('" },
        { "a,", "label selector: found '', expected: identifier after ','" },
        { "a in (b,,)", "label selector: found ')', expected: ',' or identifier" },
        { "-a", "label selector: '-a' is no label key" },
        { "a=b/c", "label selector: 'b/c' is no label value, at key 'a'" },
        { "a>x", "label selector: key 'a' is compared with 'x', which is no integer" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_selector *selector = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_selector_parse(cases[i].text, &selector, &err));
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
    }
}

static void test_no_selector_matches_everything(void)
{
    prb_auto(prb_selector_free) struct prb_selector *from_text = NULL, *from_json = NULL,
                                                    *fields = NULL;
    struct prb_error err;

    TEST_ASSERT_TRUE(prb_selector_matches(NULL, object));
    TEST_ASSERT_EQUAL_INT(0, prb_selector_parse(NULL, &from_text, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_selector_from_json(NULL, &from_json, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_field_selector_parse(NULL, &fields, &err));
    TEST_ASSERT_TRUE(prb_selector_matches(from_text, object));
    TEST_ASSERT_TRUE(prb_selector_matches(from_json, object));
    TEST_ASSERT_TRUE(prb_selector_matches(fields, object));
}

static void test_a_label_selector_object_matches_what_kubernetes_matches(void)
{
    static const struct selector_case cases[] = {
        { "{}", true },
        { "{'matchLabels':null,'matchExpressions':null}", true },
        { "{'matchLabels':{}}", true },
        { "{'matchLabels':{'a':'b','n':'10'}}", true },
        { "{'matchLabels':{'a':'b','n':'11'}}", false },
        { "{'matchExpressions':[{'key':'a','operator':'In','values':['x','b']}]}", true },
        { "{'matchExpressions':[{'key':'a','operator':'In','values':['x']}]}", false },
        { "{'matchExpressions':[{'key':'a','operator':'NotIn','values':['b']}]}", false },
        { "{'matchExpressions':[{'key':'z','operator':'NotIn','values':['b']}]}", true },
        { "{'matchExpressions':[{'key':'a','operator':'Exists'}]}", true },
        { "{'matchExpressions':[{'key':'a','operator':'Exists','values':[]}]}", true },
        { "{'matchExpressions':[{'key':'a','operator':'DoesNotExist'}]}", false },
        { "{'matchExpressions':[{'key':'z','operator':'DoesNotExist'}]}", true },
        { "{'matchLabels':{'a':'b'},'matchExpressions':[{'key':'z','operator':'Exists'}]}", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *tree = prb_test_json("%s", cases[i].text);
        prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
        struct prb_error err = { .msg = "" };

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_selector_from_json(tree, &selector, &err), cases[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].matches, prb_selector_matches(selector, object), cases[i].text);
    }
}

static void test_a_malformed_label_selector_object_is_refused(void)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        { "[]", "a label selector is an object" },
        { "{'matchLabels':[]}", "matchLabels is no object" },
        { "{'matchLabels':{'a':1}}", "matchLabels: the value of 'a' is no string" },
        { "{'matchLabels':{'-a':'b'}}", "matchLabels: '-a' is no label key" },
        { "{'matchLabels':{'a':'b c'}}", "matchLabels: 'b c' is no label value, at key 'a'" },
        { "{'matchExpressions':{}}", "matchExpressions is no array" },
        { "{'matchExpressions':[{'operator':'Exists'}]}",
                "matchExpressions[0]: key is missing or no string" },
        { "{'matchExpressions':[{'key':'a','operator':'Exists'},{'key':'a','operator':'in'}]}",
                "matchExpressions[1]: operator 'in' is none of In, NotIn, Exists, DoesNotExist" },
        { "{'matchExpressions':[{'key':'a'}]}",
                "matchExpressions[0]: operator '' is none of In, NotIn, Exists, DoesNotExist" },
        { "{'matchExpressions':[{'key':'a','operator':'In'}]}",
                "matchExpressions[0]: key 'a' needs values" },
        { "{'matchExpressions':[{'key':'a','operator':'NotIn','values':[]}]}",
                "matchExpressions[0]: key 'a' needs values" },
        { "{'matchExpressions':[{'key':'a','operator':'Exists','values':['b']}]}",
                "matchExpressions[0]: key 'a' is asked to exist or not: no values" },
        { "{'matchExpressions':[{'key':'a','operator':'In','values':'b'}]}",
                "matchExpressions[0]: values is no array" },
        { "{'matchExpressions':[{'key':'a','operator':'In','values':['b',1]}]}",
                "matchExpressions[0]: values[1] is no string" },
        { "{'matchExpressions':['x']}", "matchExpressions[0]: key is missing or no string" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *tree = prb_test_json("%s", cases[i].text);
        struct prb_selector *selector = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_selector_from_json(tree, &selector, &err), cases[i].text);
        TEST_ASSERT_EQUAL_STRING(cases[i].message, err.msg);
        TEST_ASSERT_NULL(selector);
    }
}

static void test_a_field_selector_asks_for_name_and_namespace(void)
{
    static const struct selector_case cases[] = {
        { "", true },
        { "metadata.name=web", true },
        { "metadata.name==web", true },
        { "metadata.name=we", false },
        { "metadata.name!=web", false },
        { "metadata.name!=we", true },
        { "metadata.name=", false },
        { "metadata.name=w\\,b", false },
        { "metadata.namespace=shop", true },
        { "metadata.namespace!=shop", false },
        { "metadata.name=web,metadata.namespace=shop", true },
        { "metadata.name=web,metadata.namespace=x", false },
        { ",metadata.name=web,,", true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
        struct prb_error err = { .msg = "" };

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, prb_field_selector_parse(cases[i].text, &selector, &err), cases[i].text);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].matches, prb_selector_matches(selector, object), cases[i].text);
    }
}

static void test_escapes_in_a_field_selector_are_undone(void)
{
    prb_auto(prb_object_unref) struct prb_object *strange = NULL;
    prb_auto(prb_selector_free) struct prb_selector *selector = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(
            0, prb_object_new(prb_test_json("{'metadata':{'name':'a,b=c\\\\d'}}"), &strange, &err));
    TEST_ASSERT_EQUAL_INT(
            0, prb_field_selector_parse("metadata.name=a\\,b\\=c\\\\d", &selector, &err));
    TEST_ASSERT_TRUE(prb_selector_matches(selector, strange));
    TEST_ASSERT_FALSE(prb_selector_matches(selector, object));
}

static void test_other_field_selectors_are_refused(void)
{
    static const char *const texts[] = { "metadata.name", "metadata.name!", "metadata.name!web",
        "metadata.name in (a)", "status.phase=Running", "metadata.labels.a=b", "name=web", "=web",
        "metadata.name=a=b", "metadata.name=a\\", "metadata.name=a\\b", "metadata.name>web",
        " metadata.name=web", "metadata.name=web,spec.x=1" };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct prb_selector *selector = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                PRB_E_INVALID, prb_field_selector_parse(texts[i], &selector, &err), texts[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, strncmp(err.msg, "field selector: ", strlen("field selector: ")), err.msg);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_label_selector_matches_what_kubernetes_matches);
    RUN_TEST(test_what_kubernetes_refuses_is_refused);
    RUN_TEST(test_the_longest_key_and_value_are_taken);
    RUN_TEST(test_a_refusal_says_what_was_found);
    RUN_TEST(test_no_selector_matches_everything);
    RUN_TEST(test_a_label_selector_object_matches_what_kubernetes_matches);
    RUN_TEST(test_a_malformed_label_selector_object_is_refused);
    RUN_TEST(test_a_field_selector_asks_for_name_and_namespace);
    RUN_TEST(test_escapes_in_a_field_selector_are_undone);
    RUN_TEST(test_other_field_selectors_are_refused);
    return UNITY_END();
}

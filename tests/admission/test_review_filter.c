/* What of the objects in a review is built. */

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "review_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

#define OBJECT                                                                     \
    "{'apiVersion':'v1','kind':'Thing','metadata':{'name':'a','labels':{'x':'y'}," \
    "'managedFields':[{'manager':'m'}],'finalizers':['f'],"                        \
    "'deletionTimestamp':'t'},"                                                    \
    "'spec':{'one':{'a':1,'b':2},'list':[{'k':1,'v':2},{'k':3},7],'word':'w'},'status':{'s':1}}"

struct filtered {
    const char *paths[4];
    const char *labels; /* of what is built, with a comma; "": none */
    const char *spec;   /* the same; NULL: none */
};

static void test_only_names_and_declared_paths_are_built(void)
{
    static const struct filtered cases[] = {
        { { NULL }, "", NULL },
        { { "metadata.labels", NULL }, "'labels':{'x':'y'},", NULL },
        { { "spec", NULL }, "",
                "{'list':[{'k':1,'v':2},{'k':3},7],'one':{'a':1,'b':2},'word':'w'}" },
        { { "spec.one.a", NULL }, "", "{'one':{'a':1}}" },
        { { "spec.one.a", "spec.one.b", NULL }, "", "{'one':{'a':1,'b':2}}" },
        { { "spec.one.a", "spec.one", NULL }, "", "{'one':{'a':1,'b':2}}" },
        { { "spec.one", "spec.one.a", NULL }, "", "{'one':{'a':1,'b':2}}" },
        { { "spec.list.k", NULL }, "", "{'list':[{'k':1},{'k':3},7]}" },
        { { "spec.word.below", "spec.none", NULL }, "", "{'word':'w'}" },
        { { "spec.o", "spec.ones", NULL }, "", "{}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        struct prb_error err = { 0 };
        int r = review_read(REQUEST("'operation':'UPDATE','object':" OBJECT ",'oldObject':" OBJECT),
                cases[i].paths, &request, &err);
        prb_autofree char *wanted = NULL, *tree = NULL, *old = NULL;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
        tree = prb_asprintf("{'metadata':{'deletionTimestamp':'t',%s'name':'a'}%s%s}",
                cases[i].labels, cases[i].spec ? ",'spec':" : "",
                cases[i].spec ? cases[i].spec : "");
        wanted = review_text(tree);
        old = prb_json_text(prb_object_tree(request->old), true);
        TEST_ASSERT_EQUAL_STRING(wanted, old);
        TEST_ASSERT_TRUE(
                prb_json_equal(prb_object_tree(request->object), prb_object_tree(request->old)));
    }
}

static void test_paths_of_all_rules_are_united(void)
{
    static const char *const first_paths[] = { "spec.one.a", NULL };
    static const char *const second_paths[] = { "spec.one.b", "status", NULL };
    const struct prb_rule first = { .reads = first_paths }, second = { .reads = second_paths };
    const struct prb_rule none = { .reads = NULL };
    const struct prb_rule *const rules[] = { &first, &none, &second };
    prb_auto(prb_review_reader_free) struct prb_review_reader *reader =
            prb_review_reader_new(rules, 3);
    prb_autofree char *text = review_text(REQUEST("'operation':'CREATE','object':" OBJECT));
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_autofree char *built = NULL, *wanted = NULL;
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT(0, prb_review_read(reader, text, strlen(text), &request, &err));
    built = prb_json_text(prb_object_tree(request->object), true);
    wanted = review_text("{'metadata':{'deletionTimestamp':'t','name':'a'},"
                         "'spec':{'one':{'a':1,'b':2}},'status':{'s':1}}");
    TEST_ASSERT_EQUAL_STRING(wanted, built);
}

/* A wrong type where a rule expects members must reach the rule: it counts as an unknown value. */
static void test_a_value_of_the_wrong_type_is_kept(void)
{
    static const char *const paths[] = { "spec.deleteOption.propagationPolicy", NULL };
    static const char *const values[] = { "7", "'text'", "[]", "true", "[[1,{'x':2}]]" };
    static const char *const kept[] = { "7", "\"text\"", "[]", "true", "[[1,{}]]" };

    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        prb_autofree char *review = prb_asprintf(
                REQUEST("'operation':'CREATE','object':{'spec':{'deleteOption':%s}}"), values[i]);
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        prb_autofree char *option = NULL;
        struct prb_error err = { 0 };

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, review_read(review, paths, &request, &err), err.msg);
        option = prb_json_text(
                prb_json_find(prb_object_spec(request->object), "deleteOption"), true);
        TEST_ASSERT_EQUAL_STRING(kept[i], option);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_only_names_and_declared_paths_are_built);
    RUN_TEST(test_paths_of_all_rules_are_united);
    RUN_TEST(test_a_value_of_the_wrong_type_is_kept);
    return UNITY_END();
}

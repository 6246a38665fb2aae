#include <unity.h>

#include "probate/model/patch.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* The examples of RFC 7386, appendix A. */
static const struct {
    const char *target, *patch, *result;
} rfc[] = {
    { "{'a':'b'}", "{'a':'c'}", "{'a':'c'}" },
    { "{'a':'b'}", "{'b':'c'}", "{'a':'b','b':'c'}" },
    { "{'a':'b'}", "{'a':null}", "{}" },
    { "{'a':'b','b':'c'}", "{'a':null}", "{'b':'c'}" },
    { "{'a':['b']}", "{'a':'c'}", "{'a':'c'}" },
    { "{'a':'c'}", "{'a':['b']}", "{'a':['b']}" },
    { "{'a':{'b':'c'}}", "{'a':{'b':'d','c':null}}", "{'a':{'b':'d'}}" },
    { "{'a':[{'b':'c'}]}", "{'a':[1]}", "{'a':[1]}" },
    { "['a','b']", "['c','d']", "['c','d']" },
    { "{'a':'b'}", "['c']", "['c']" },
    { "{'a':'foo'}", "null", "null" },
    { "{'a':'foo'}", "'bar'", "'bar'" },
    { "{'e':null}", "{'a':1}", "{'e':null,'a':1}" },
    { "[1,2]", "{'a':'b','c':null}", "{'a':'b'}" },
    { "{}", "{'a':{'bb':{'ccc':null}}}", "{'a':{'bb':{}}}" },
};

static void test_a_merge_patch_does_what_the_rfc_shows(void)
{
    for (size_t i = 0; i < sizeof(rfc) / sizeof(rfc[0]); i++) {
        prb_auto(prb_json_free) struct json_object *target = prb_test_json("%s", rfc[i].target);
        prb_auto(prb_json_free) struct json_object *patch = prb_test_json("%s", rfc[i].patch);
        prb_auto(prb_json_free) struct json_object *wanted = prb_test_json("%s", rfc[i].result);
        prb_auto(prb_json_free) struct json_object *merged = prb_merge_patch(target, patch);

        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(wanted, merged), rfc[i].patch);
    }
}

static void test_nothing_is_shared_with_target_or_patch(void)
{
    prb_auto(prb_json_free) struct json_object *target = prb_test_json("{'a':{'x':1}}");
    prb_auto(prb_json_free) struct json_object *patch = prb_test_json("{'b':{'y':1}}");
    prb_auto(prb_json_free) struct json_object *merged = prb_merge_patch(target, patch);
    int64_t x = 0, y = 0;

    prb_json_set_int(prb_json_obj(merged, "a"), "x", 9);
    prb_json_set_int(prb_json_obj(merged, "b"), "y", 9);
    TEST_ASSERT_TRUE(prb_json_int(prb_json_obj(target, "a"), "x", &x));
    TEST_ASSERT_TRUE(prb_json_int(prb_json_obj(patch, "b"), "y", &y));
    TEST_ASSERT_EQUAL_INT64(1, x);
    TEST_ASSERT_EQUAL_INT64(1, y);
}

static void test_a_diff_is_small_and_leads_from_one_to_the_other(void)
{
    static const struct {
        const char *name, *from, *to, *diff;
    } cases[] = {
        { "equal", "{'a':{'b':[1]}}", "{'a':{'b':[1]}}", "{}" },
        { "one deep member", "{'a':{'b':1,'c':2},'d':3}", "{'a':{'b':1,'c':4},'d':3}",
                "{'a':{'c':4}}" },
        { "a removed member", "{'a':1,'b':{'c':1,'d':2}}", "{'b':{'c':1}}",
                "{'a':null,'b':{'d':null}}" },
        { "an emptied object", "{'a':{'b':1}}", "{'a':{}}", "{'a':{'b':null}}" },
        { "a new object", "{}", "{'a':{'b':[]}}", "{'a':{'b':[]}}" },
        { "arrays are replaced whole", "{'a':[{'x':1},2]}", "{'a':[{'x':1},3]}",
                "{'a':[{'x':1},3]}" },
        { "another type", "{'a':{'b':1}}", "{'a':5}", "{'a':5}" },
        { "a scalar becomes an object", "{'a':5}", "{'a':{'b':1}}", "{'a':{'b':1}}" },
        { "a null becomes a value", "{'a':null}", "{'a':1}", "{'a':1}" },
        { "an equal number is no change", "{'a':1}", "{'a':1.0}", "{}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_json_free) struct json_object *from = prb_test_json("%s", cases[i].from);
        prb_auto(prb_json_free) struct json_object *to = prb_test_json("%s", cases[i].to);
        prb_auto(prb_json_free) struct json_object *wanted = prb_test_json("%s", cases[i].diff);
        prb_auto(prb_json_free) struct json_object *diff = prb_merge_diff(from, to);
        prb_auto(prb_json_free) struct json_object *there = prb_merge_patch(from, diff);

        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(wanted, diff), cases[i].name);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(to, there), cases[i].name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_merge_patch_does_what_the_rfc_shows);
    RUN_TEST(test_nothing_is_shared_with_target_or_patch);
    RUN_TEST(test_a_diff_is_small_and_leads_from_one_to_the_other);
    return UNITY_END();
}

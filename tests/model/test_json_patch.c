#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/model/patch.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

struct patch_case {
    const char *name;
    const char *doc;
    const char *patch;
    const char *result; /* NULL: refused */
    int code;
    const char *text; /* the message, when refused */
};

static const struct patch_case applied[] = {
    { "RFC 6902 A.1: add a member", "{'foo':'bar'}", "[{'op':'add','path':'/baz','value':'qux'}]",
            "{'baz':'qux','foo':'bar'}", 0, NULL },
    { "A.2: add an element", "{'foo':['bar','baz']}",
            "[{'op':'add','path':'/foo/1','value':'qux'}]", "{'foo':['bar','qux','baz']}", 0,
            NULL },
    { "A.3: remove a member", "{'baz':'qux','foo':'bar'}", "[{'op':'remove','path':'/baz'}]",
            "{'foo':'bar'}", 0, NULL },
    { "A.4: remove an element", "{'foo':['bar','qux','baz']}", "[{'op':'remove','path':'/foo/1'}]",
            "{'foo':['bar','baz']}", 0, NULL },
    { "A.5: replace a value", "{'baz':'qux','foo':'bar'}",
            "[{'op':'replace','path':'/baz','value':'boo'}]", "{'baz':'boo','foo':'bar'}", 0,
            NULL },
    { "A.6: move a value", "{'foo':{'bar':'baz','waldo':'fred'},'qux':{'corge':'grault'}}",
            "[{'op':'move','from':'/foo/waldo','path':'/qux/thud'}]",
            "{'foo':{'bar':'baz'},'qux':{'corge':'grault','thud':'fred'}}", 0, NULL },
    { "A.7: move an element", "{'foo':['all','grass','cows','eat']}",
            "[{'op':'move','from':'/foo/1','path':'/foo/3'}]",
            "{'foo':['all','cows','eat','grass']}", 0, NULL },
    { "A.8: tests that hold", "{'baz':'qux','foo':['a',2,'c']}",
            "[{'op':'test','path':'/baz','value':'qux'},{'op':'test','path':'/foo/1','value':2}]",
            "{'baz':'qux','foo':['a',2,'c']}", 0, NULL },
    { "A.10: add a nested object", "{'foo':'bar'}",
            "[{'op':'add','path':'/child','value':{'grandchild':{}}}]",
            "{'foo':'bar','child':{'grandchild':{}}}", 0, NULL },
    { "A.11: unknown members are ignored", "{'foo':'bar'}",
            "[{'op':'add','path':'/baz','value':'qux','xyz':123}]", "{'foo':'bar','baz':'qux'}", 0,
            NULL },
    { "A.14: escapes in a path", "{'/':9,'~1':10}",
            "[{'op':'test','path':'/~01','value':10},{'op':'replace','path':'/~1','value':8}]",
            "{'/':8,'~1':10}", 0, NULL },
    { "A.16: add after the last", "{'foo':['bar']}",
            "[{'op':'add','path':'/foo/-','value':['abc','def']}]", "{'foo':['bar',['abc','def']]}",
            0, NULL },
    { "add at the length is after the last", "[1]", "[{'op':'add','path':'/1','value':2}]", "[1,2]",
            0, NULL },
    { "add at 0 moves all", "[1,2,null]", "[{'op':'add','path':'/0','value':0}]", "[0,1,2,null]", 0,
            NULL },
    { "add replaces a member", "{'a':1}", "[{'op':'add','path':'/a','value':2}]", "{'a':2}", 0,
            NULL },
    { "add to the root replaces all", "{'a':1}", "[{'op':'add','path':'','value':[1]}]", "[1]", 0,
            NULL },
    { "replace the root", "{'a':1}", "[{'op':'replace','path':'','value':{'b':2}}]", "{'b':2}", 0,
            NULL },
    { "replace an element", "[1,2,3]", "[{'op':'replace','path':'/1','value':9}]", "[1,9,3]", 0,
            NULL },
    { "a null is a value", "{'a':1}",
            "[{'op':'add','path':'/b','value':null},{'op':'test','path':'/b','value':null}]",
            "{'a':1,'b':null}", 0, NULL },
    { "a null can be removed", "{'a':null}", "[{'op':'remove','path':'/a'}]", "{}", 0, NULL },
    { "the empty key is a key", "{'':1}", "[{'op':'replace','path':'/','value':2}]", "{'':2}", 0,
            NULL },
    { "copy a value", "{'a':{'x':1}}",
            "[{'op':'copy','from':'/a','path':'/b'},{'op':'add','path':'/b/y','value':2}]",
            "{'a':{'x':1},'b':{'x':1,'y':2}}", 0, NULL },
    { "copy the root into itself", "{'a':1}", "[{'op':'copy','from':'','path':'/b'}]",
            "{'a':1,'b':{'a':1}}", 0, NULL },
    { "move onto itself", "{'a':1}", "[{'op':'move','from':'/a','path':'/a'}]", "{'a':1}", 0,
            NULL },
    { "move to a name that only begins alike", "{'a':1}",
            "[{'op':'move','from':'/a','path':'/ab'}]", "{'ab':1}", 0, NULL },
    { "test: order of members does not matter", "{'a':{'x':1,'y':[1]}}",
            "[{'op':'test','path':'/a','value':{'y':[1],'x':1.0}}]", "{'a':{'x':1,'y':[1]}}", 0,
            NULL },
    { "no operations", "{'a':1}", "[]", "{'a':1}", 0, NULL },
};

static const struct patch_case refused[] = {
    { "A.9: a test that does not hold", "{'baz':'qux'}",
            "[{'op':'test','path':'/baz','value':'bar'}]", NULL, PRB_E_CONFLICT,
            "operation 0 (test /baz): the value is another one" },
    { "a test where nothing is", "{}", "[{'op':'test','path':'/a','value':null}]", NULL,
            PRB_E_CONFLICT, "operation 0 (test /a): there is nothing" },
    { "A.15: a string is no number", "{'a':10}", "[{'op':'test','path':'/a','value':'10'}]", NULL,
            PRB_E_CONFLICT, "operation 0 (test /a): the value is another one" },
    { "the second operation fails", "{'a':1}",
            "[{'op':'remove','path':'/a'},{'op':'remove','path':'/a'}]", NULL, PRB_E_INVALID,
            "operation 1 (remove /a): there is nothing to remove" },
    { "A.12: add where the parent is missing", "{'foo':'bar'}",
            "[{'op':'add','path':'/baz/bat','value':'qux'}]", NULL, PRB_E_INVALID,
            "operation 0 (add /baz/bat): there is no such place" },
    { "add into a scalar", "{'a':1}", "[{'op':'add','path':'/a/b','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add /a/b): there is no such place" },
    { "add past the end", "[1]", "[{'op':'add','path':'/2','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add /2): there is no such place" },
    { "an index with a leading zero", "[1,2]", "[{'op':'add','path':'/01','value':1}]", NULL,
            PRB_E_INVALID, "operation 0 (add /01): there is no such place" },
    { "an index with a sign", "[1,2]", "[{'op':'add','path':'/+1','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add /+1): there is no such place" },
    { "an empty index", "[1,2]", "[{'op':'add','path':'/','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add /): there is no such place" },
    { "a path without a slash", "{'a':1}", "[{'op':'add','path':'a','value':1}]", NULL,
            PRB_E_INVALID, "operation 0 (add a): there is no such place" },
    { "an unknown escape", "{'a':1}", "[{'op':'add','path':'/~2','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add /~2): there is no such place" },
    { "replace what is not there", "{}", "[{'op':'replace','path':'/a','value':1}]", NULL,
            PRB_E_INVALID, "operation 0 (replace /a): /a does not exist" },
    { "replace after the last", "[1]", "[{'op':'replace','path':'/-','value':1}]", NULL,
            PRB_E_INVALID, "operation 0 (replace /-): /- does not exist" },
    { "remove the root", "{'a':1}", "[{'op':'remove','path':''}]", NULL, PRB_E_INVALID,
            "operation 0 (remove ): there is nothing to remove" },
    { "move from nowhere", "{}", "[{'op':'move','from':'/a','path':'/b'}]", NULL, PRB_E_INVALID,
            "operation 0 (move /b): /a does not exist" },
    { "move into itself", "{'a':{}}", "[{'op':'move','from':'/a','path':'/a/b'}]", NULL,
            PRB_E_INVALID, "operation 0 (move /a/b): a value cannot move into itself" },
    { "move to nowhere", "{'a':1}", "[{'op':'move','from':'/a','path':'/b/c'}]", NULL,
            PRB_E_INVALID, "operation 0 (move /b/c): there is no such place" },
    { "copy from nowhere", "{}", "[{'op':'copy','from':'/a','path':'/b'}]", NULL, PRB_E_INVALID,
            "operation 0 (copy /b): /a does not exist" },
    { "no from", "{'a':1}", "[{'op':'copy','path':'/b'}]", NULL, PRB_E_INVALID,
            "operation 0 (copy /b): no from" },
    { "no value", "{'a':1}", "[{'op':'add','path':'/b'}]", NULL, PRB_E_INVALID,
            "operation 0 (add /b): no value" },
    { "no path", "{'a':1}", "[{'op':'add','value':1}]", NULL, PRB_E_INVALID,
            "operation 0 (add): no path" },
    { "a path that is no string", "{'a':1}", "[{'op':'add','path':1,'value':1}]", NULL,
            PRB_E_INVALID, "operation 0 (add): no path" },
    { "an unknown op", "{'a':1}", "[{'op':'Add','path':'/b','value':1}]", NULL, PRB_E_INVALID,
            "operation 0: unknown op" },
    { "an operation that is no object", "{'a':1}", "[null]", NULL, PRB_E_INVALID,
            "operation 0: unknown op" },
    { "a patch that is no array", "{'a':1}", "{'op':'add'}", NULL, PRB_E_INVALID,
            "a JSON patch is an array of operations" },
};

static void test_a_patch_is_applied_in_order(void)
{
    for (size_t i = 0; i < sizeof(applied) / sizeof(applied[0]); i++) {
        const struct patch_case *c = &applied[i];
        prb_auto(prb_json_free) struct json_object *doc = prb_test_json("%s", c->doc);
        prb_auto(prb_json_free) struct json_object *patch = prb_test_json("%s", c->patch);
        prb_auto(prb_json_free) struct json_object *wanted = prb_test_json("%s", c->result);
        prb_auto(prb_json_free) struct json_object *result = NULL;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_json_patch(doc, patch, &result, &err), c->name);
        TEST_ASSERT_TRUE_MESSAGE(prb_json_equal(wanted, result), c->name);
    }
}

static void test_a_refusal_says_which_operation_and_why(void)
{
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        const struct patch_case *c = &refused[i];
        prb_auto(prb_json_free) struct json_object *doc = prb_test_json("%s", c->doc);
        prb_auto(prb_json_free) struct json_object *patch = prb_test_json("%s", c->patch);
        struct json_object *result = NULL;
        struct prb_error err = { .code = PRB_OK };

        TEST_ASSERT_EQUAL_INT_MESSAGE(c->code, prb_json_patch(doc, patch, &result, &err), c->name);
        TEST_ASSERT_NULL_MESSAGE(result, c->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(c->text, err.msg, c->name);
    }
}

static void test_neither_the_document_nor_the_patch_changes(void)
{
    prb_auto(prb_json_free) struct json_object *doc = prb_test_json("{'a':{'b':[1,2]}}");
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("[{'op':'add','path':'/c','value':{'x':1}},"
                          "{'op':'add','path':'/c/y','value':2},{'op':'remove','path':'/a/b/0'}]");
    prb_autofree char *doc_before = prb_json_text(doc, false);
    prb_autofree char *patch_before = prb_json_text(patch, false);
    prb_autofree char *doc_after = NULL, *patch_after = NULL;
    prb_auto(prb_json_free) struct json_object *result = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, patch, &result, &err));
    prb_json_set_int(prb_json_obj(result, "c"), "x", 99);
    doc_after = prb_json_text(doc, false);
    patch_after = prb_json_text(patch, false);
    TEST_ASSERT_EQUAL_STRING(doc_before, doc_after);
    TEST_ASSERT_EQUAL_STRING(patch_before, patch_after);
}

static void test_a_member_that_is_replaced_keeps_its_place(void)
{
    prb_auto(prb_json_free) struct json_object *doc = prb_test_json("{'a':1,'b':2}");
    prb_auto(prb_json_free) struct json_object *patch =
            prb_test_json("[{'op':'replace','path':'/a','value':3}]");
    prb_auto(prb_json_free) struct json_object *result = NULL;
    prb_autofree char *text = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, patch, &result, &err));
    text = prb_json_text(result, false);
    TEST_ASSERT_EQUAL_STRING("{\"a\":3,\"b\":2}", text);
}

/* `count` times the same operation. */
static struct json_object *repeat(const char *operation, size_t count)
{
    prb_auto(prb_json_free) struct json_object *one = prb_test_json("%s", operation);
    struct json_object *patch = prb_json_patch_new();

    for (size_t i = 0; i < count; i++)
        prb_json_push(patch, prb_json_copy(one));
    return patch;
}

static void test_the_number_of_operations_is_bounded(void)
{
    prb_auto(prb_json_free) struct json_object *doc = prb_test_json("{'a':1}");
    prb_auto(prb_json_free) struct json_object *most =
            repeat("{'op':'test','path':'/a','value':1}", PRB_JSON_PATCH_OPS_MAX);
    prb_auto(prb_json_free) struct json_object *result = NULL;
    struct json_object *none = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, most, &result, &err));
    prb_json_push(most, prb_test_json("{'op':'test','path':'/a','value':1}"));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_json_patch(doc, most, &none, &err));
    TEST_ASSERT_NULL(none);
}

static void test_copies_cannot_double_a_document_for_ever(void)
{
    prb_auto(prb_json_free) struct json_object *doc = prb_test_json("['%01000d']", 0);
    prb_auto(prb_json_free) struct json_object *few =
            repeat("{'op':'copy','from':'/0','path':'/-'}", 3000);
    prb_auto(prb_json_free) struct json_object *many =
            repeat("{'op':'copy','from':'','path':'/0'}", 40);
    prb_auto(prb_json_free) struct json_object *result = NULL;
    struct json_object *none = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, few, &result, &err));
    TEST_ASSERT_EQUAL_size_t(3001, prb_json_len(result));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_json_patch(doc, many, &none, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "the copies of this patch are larger than 3145728 bytes"));
}

static void test_a_result_cannot_be_deeper_than_any_document(void)
{
    prb_auto(prb_json_free) struct json_object *doc = prb_test_json("{}");
    prb_auto(prb_json_free) struct json_object *nest =
            repeat("{'op':'copy','from':'','path':'/a'}", 20);
    prb_auto(prb_json_free) struct json_object *dig = prb_json_patch_new();
    prb_auto(prb_str_done) struct prb_str path;
    struct json_object *none = NULL;
    struct prb_error err;

    /* A copy of the whole in itself is one deeper each time; that is still little. */
    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, nest, &none, &err));
    prb_json_free(prb_take(none));

    prb_str_init(&path, 2048);
    for (size_t i = 0; i < PRB_JSON_DEPTH_MAX; i++) {
        prb_str_add(&path, "/a");
        prb_json_patch_add(dig, "add", prb_str_get(&path), json_object_new_object());
    }
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_json_patch(doc, dig, &none, &err));
    TEST_ASSERT_NOT_NULL(strstr(err.msg, "deeper than 512"));
    json_object_array_del_idx(dig, PRB_JSON_DEPTH_MAX - 1, 1);
    TEST_ASSERT_EQUAL_INT(0, prb_json_patch(doc, dig, &none, &err));
    prb_json_free(none);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_patch_is_applied_in_order);
    RUN_TEST(test_a_refusal_says_which_operation_and_why);
    RUN_TEST(test_neither_the_document_nor_the_patch_changes);
    RUN_TEST(test_a_member_that_is_replaced_keeps_its_place);
    RUN_TEST(test_the_number_of_operations_is_bounded);
    RUN_TEST(test_copies_cannot_double_a_document_for_ever);
    RUN_TEST(test_a_result_cannot_be_deeper_than_any_document);
    return UNITY_END();
}

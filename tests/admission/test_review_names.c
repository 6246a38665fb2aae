/* Which objects a review must have, and what the one is called that it is about. */

#include <string.h>
#include <unity.h>

#include "review_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* Fact 14: which objects come with which operation. What must be there and is not fails closed. */
static void test_an_operation_without_its_objects_is_refused(void)
{
    static const struct refusal cases[] = {
        { REQUEST("'operation':'CREATE'"), "request.object is missing, and CREATE must have it" },
        { REQUEST("'operation':'CREATE','object':null,'oldObject':" NAMED), "request.object is" },
        { REQUEST("'operation':'UPDATE','object':" NAMED), "request.oldObject is missing" },
        { REQUEST("'operation':'UPDATE','oldObject':" NAMED), "request.object is missing" },
        { REQUEST("'operation':'DELETE'"), "request.oldObject is missing, and DELETE" },
        { REQUEST("'operation':'DELETE','oldObject':null"), "request.oldObject is missing" },
        { REQUEST("'operation':'DELETE','object':" NAMED), "request.oldObject is missing" },
        { CREATE("'text'"), "request.object: not an object" },
        { CREATE("[" NAMED "]"), "request.object: not an object" },
        { CREATE("true"), "request.object: not an object" },
        { CREATE("{'metadata':7}"), "request.object.metadata is no object" },
        { CREATE("{'metadata':[{'name':'a'}]}"), "request.object.metadata is no object" },
    };

    CHECK_REFUSED(cases);
}

static void test_what_an_operation_does_not_have_is_not_looked_at(void)
{
    static const struct {
        const char *review;
        bool object, old;
    } cases[] = {
        { REQUEST("'operation':'CREATE','object':" NAMED ",'oldObject':{'metadata':{'name':'b'}}"),
                true, false },
        { REQUEST("'operation':'DELETE','object':{'metadata':{'name':'b'}},'oldObject':" NAMED),
                false, true },
        { REQUEST("'operation':'CONNECT','name':'a','subResource':'exec','object':"
                  "{'kind':'PodExecOptions','command':['sh']}"),
                false, false },
        { REQUEST("'operation':'CONNECT'"), false, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        struct prb_error err = { 0 };
        int r = review_read(cases[i].review, review_no_paths, &request, &err);

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].object, request->object != NULL, cases[i].review);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].old, request->old != NULL, cases[i].review);
        TEST_ASSERT_FALSE_MESSAGE(prb_request_is_deleting(request), cases[i].review);
    }
}

static void test_the_name_comes_from_the_object_where_the_request_has_none(void)
{
    static const struct {
        const char *review, *name;
    } cases[] = {
        /* deletecollection */
        { REQUEST("'operation':'DELETE','name':'','oldObject':" NAMED), "a" },
        { REQUEST("'operation':'DELETE','oldObject':" NAMED), "a" },
        { CREATE("{'metadata':{'generateName':'web-','name':'web-x7k2p'}}"), "web-x7k2p" },
        { CREATE("{'metadata':{'generateName':'web-'}}"), "" },
        { CREATE("{'metadata':{'generateName':'web-','name':''}}"), "" },
        { CREATE("{'metadata':{'generateName':'web-','name':null}}"), "" },
        { REQUEST("'operation':'UPDATE','name':'a','object':{},'oldObject':" NAMED), "a" },
        /* what is sent to a subresource may be something else, with another name */
        { REQUEST("'operation':'CREATE','subResource':'token','name':'sa','object':" NAMED), "sa" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        struct prb_error err = { 0 };
        int r = review_read(cases[i].review, review_no_paths, &request, &err);

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].name, request->name, cases[i].review);
    }
}

static void test_the_namespace_of_a_deletion_comes_from_the_object_where_the_request_has_none(void)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { 0 };
    int r = review_read(REQUEST("'operation':'DELETE','name':'','namespace':'','oldObject':"
                                "{'metadata':{'name':'a','namespace':'c1'}}"),
            review_no_paths, &request, &err);

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("c1", request->namespace);
}

static void test_names_that_contradict_each_other_are_refused(void)
{
    static const struct refusal cases[] = {
        { REQUEST("'operation':'CREATE','namespace':'c1','object':{'metadata':{'namespace':'c2'}}"),
                "request.object.metadata.namespace is not the namespace of the request" },
        { CREATE("{'metadata':{'namespace':'c2'}}"), "request.object.metadata.namespace is not" },
        { REQUEST("'operation':'DELETE','namespace':'c1','oldObject':{'metadata':{'name':'a',"
                  "'namespace':'c2'}}"),
                "request.oldObject.metadata.namespace is not" },
        { REQUEST("'operation':'UPDATE','name':'a','object':{'metadata':{'name':'b'}},"
                  "'oldObject':" NAMED),
                "request.object.metadata.name is not the name of the request" },
        { REQUEST("'operation':'UPDATE','object':" NAMED ",'oldObject':{'metadata':{'name':'b'}}"),
                "request.object.metadata.name is not" },
        { CREATE("{'metadata':{'name':7}}"), "request.object.metadata.name is not a text" },
        { CREATE("{'metadata':{'namespace':{}}}"), "metadata.namespace is not a text" },
        { CREATE("{'metadata':{'name':'a\\u0000b'}}"), "metadata.name is not a text" },
    };

    CHECK_REFUSED(cases);
}

static void test_a_namespace_is_reviewed_under_its_own_name(void)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { 0 };
    int r = review_read(REVIEW("'uid':'u','operation':'DELETE','name':'c1','namespace':'c1',"
                               "'resource':{'group':'','version':'v1','resource':'namespaces'},"
                               "'oldObject':{'metadata':{'name':'c1'}}"),
            review_no_paths, &request, &err);

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("c1", request->namespace);
}

static void test_names_that_no_object_can_have_are_refused(void)
{
    static const struct refusal cases[] = {
        { REQUEST(DELETION ",'name':'a/b'"), "cannot be those of an object" },
        { REQUEST(DELETION ",'name':'..'"), "cannot be those of an object" },
        { REQUEST(DELETION ",'name':'a\\nb'"), "cannot be those of an object" },
        { REQUEST(DELETION ",'namespace':'a/b'"), "cannot be those of an object" },
        { CREATE("{'metadata':{'name':'a%2fb'}}"), "cannot be those of an object" },
        { REQUEST(DELETION ",'namespace':'0123456789012345678901234567890123456789012345678901234"
                           "567890123'"),
                "cannot be those of an object" },
    };

    CHECK_REFUSED(cases);
}

/* No API server sends it. To let go what has no name would be to let go anything. */
static void test_what_is_there_and_has_no_name_is_refused(void)
{
    static const struct refusal cases[] = {
        { REQUEST("'operation':'DELETE','oldObject':{}"), "says which object it is" },
        { REQUEST("'operation':'DELETE','name':'','oldObject':{'metadata':{'name':''}}"),
                "says which object it is" },
        { REQUEST("'operation':'UPDATE','object':" NAMED ",'oldObject':{'metadata':{}}"),
                "says which object it is" },
    };

    CHECK_REFUSED(cases);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_operation_without_its_objects_is_refused);
    RUN_TEST(test_what_an_operation_does_not_have_is_not_looked_at);
    RUN_TEST(test_the_name_comes_from_the_object_where_the_request_has_none);
    RUN_TEST(test_the_namespace_of_a_deletion_comes_from_the_object_where_the_request_has_none);
    RUN_TEST(test_names_that_contradict_each_other_are_refused);
    RUN_TEST(test_a_namespace_is_reviewed_under_its_own_name);
    RUN_TEST(test_names_that_no_object_can_have_are_refused);
    RUN_TEST(test_what_is_there_and_has_no_name_is_refused);
    return UNITY_END();
}

/* Which requests are read from which bytes, and what is refused with which text. */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

#include "review_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static void test_a_request_is_read_whole(void)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { 0 };
    int r = review_read(
            REVIEW("'uid':'705ab4f5-6393-11e8-b7cc-42010a800002',"
                   "'kind':{'group':'work.open-cluster-management.io','version':'v1',"
                   "'kind':'ManifestWork'},"
                   "'resource':{'group':'work.open-cluster-management.io','version':'v1',"
                   "'resource':'manifestworks'},"
                   "'subResource':'status','requestKind':{'group':'x','version':'v1','kind':'Y'},"
                   "'requestResource':{'group':'x','version':'v1','resource':'ys'},"
                   "'requestSubResource':'status',"
                   "'name':'web','namespace':'c1','operation':'UPDATE',"
                   "'userInfo':{'username':'alice','uid':'014fbff9',"
                   "'groups':['system:authenticated','dev'],"
                   "'extra':{'some-key':['v1','v2']}},"
                   "'object':{'metadata':{'name':'web','namespace':'c1','labels':{'a':'new'}}},"
                   "'oldObject':{'metadata':{'name':'web','namespace':'c1',"
                   "'deletionTimestamp':'2026-01-01T00:00:00Z'}},"
                   "'options':{'kind':'UpdateOptions'},'dryRun':true"),
            (const char *[]){ "metadata.labels", NULL }, &request, &err);

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("705ab4f5-6393-11e8-b7cc-42010a800002", request->uid);
    TEST_ASSERT_EQUAL(PRB_UPDATE, request->operation);
    TEST_ASSERT_EQUAL_STRING("work.open-cluster-management.io", request->gvr.group);
    TEST_ASSERT_EQUAL_STRING("v1", request->gvr.version);
    TEST_ASSERT_EQUAL_STRING("manifestworks", request->gvr.resource);
    TEST_ASSERT_EQUAL_STRING("ManifestWork", request->kind);
    TEST_ASSERT_EQUAL_STRING("status", request->subresource);
    TEST_ASSERT_EQUAL_STRING("web", request->name);
    TEST_ASSERT_EQUAL_STRING("c1", request->namespace);
    TEST_ASSERT_EQUAL_STRING("alice", request->subject->user);
    TEST_ASSERT_EQUAL_STRING("system:authenticated", request->subject->groups[0]);
    TEST_ASSERT_EQUAL_STRING("dev", request->subject->groups[1]);
    TEST_ASSERT_NULL(request->subject->groups[2]);
    TEST_ASSERT_TRUE(request->dry_run);
    TEST_ASSERT_EQUAL_STRING("new", prb_object_label(request->object, "a"));
    TEST_ASSERT_TRUE(prb_request_is_deleting(request));
}

static void test_what_may_be_left_out_is_empty(void)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    struct prb_error err = { 0 };
    int r = review_read(
            REVIEW("'uid':'u','operation':'CREATE','object':{},'kind':null,'userInfo':null,"
                   "'resource':{'version':'v1','resource':'pods'}"),
            review_no_paths, &request, &err);

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, r, err.msg);
    TEST_ASSERT_EQUAL_STRING("", request->gvr.group);
    TEST_ASSERT_EQUAL_STRING("", request->kind);
    TEST_ASSERT_EQUAL_STRING("", request->subresource);
    TEST_ASSERT_EQUAL_STRING("", request->name);
    TEST_ASSERT_EQUAL_STRING("", request->namespace);
    TEST_ASSERT_EQUAL_STRING("", request->subject->user);
    TEST_ASSERT_NULL(request->subject->groups[0]);
    TEST_ASSERT_FALSE(request->dry_run);
    TEST_ASSERT_NULL(prb_object_metadata(request->object));
}

#define WITH_USER(user)                                                                     \
    REVIEW("'uid':'u','operation':'CREATE','object':{},'userInfo':{'username':'alice'" user \
           "},'resource':{'version':'v1','resource':'pods'}")

static void test_all_that_is_known_of_the_user_is_kept(void)
{
    static const struct {
        const char *review, *uid, *extra;
    } cases[] = {
        { WITH_USER(""), "", NULL },
        { WITH_USER(",'uid':'u-1','extra':null"), "u-1", NULL },
        { WITH_USER(",'extra':{}"), "", NULL },
        { WITH_USER(",'extra':{'scopes':['a','b'],'x.io/y':[]}"), "",
                "{\"scopes\":[\"a\",\"b\"],\"x.io/y\":[]}" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        struct prb_error err = { 0 };

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, review_read(cases[i].review, review_no_paths, &request, &err), err.msg);
        TEST_ASSERT_EQUAL_STRING("alice", request->subject->user);
        TEST_ASSERT_EQUAL_STRING(cases[i].uid, request->subject->uid);
        TEST_ASSERT_EQUAL_STRING(cases[i].extra, request->subject->extra);
        TEST_ASSERT_FALSE(request->subject->extra_cut);
    }
}

/* Part of it would be another user. */
static void test_a_large_token_is_no_reason_to_refuse_and_is_never_kept_in_part(void)
{
    static const size_t sizes[] = { PRB_SUBJECT_EXTRA_MAX - 9, PRB_SUBJECT_EXTRA_MAX - 8,
        (size_t)1024 * 1024 };

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        prb_autofree char *claim = prb_calloc(1, sizes[i] + 1);
        prb_autofree char *review = NULL;
        prb_auto(prb_request_free) struct prb_request *request = NULL;
        struct prb_error err = { 0 };

        memset(claim, 'x', sizes[i]); /* with {"":[""]} around it: nine bytes more */
        review = prb_asprintf(WITH_USER(",'extra':{'':['%s']}"), claim);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                0, review_read(review, review_no_paths, &request, &err), err.msg);
        TEST_ASSERT_EQUAL(i > 0, request->subject->extra_cut);
        TEST_ASSERT_EQUAL(i > 0, request->subject->extra == NULL);
    }
}

static void test_extra_is_a_map_of_lists_of_texts(void)
{
    static const struct refusal cases[] = {
        { WITH_USER(",'extra':[]"), "request.userInfo.extra is no map of lists of texts" },
        { WITH_USER(",'extra':{'a':'b'}"), "no map of lists" },
        { WITH_USER(",'extra':{'a':null}"), "no map of lists" },
        { WITH_USER(",'extra':{'a':['b',1]}"), "no map of lists" },
        { WITH_USER(",'uid':7"), "request.userInfo.uid is not a text" },
    };

    CHECK_REFUSED(cases);
}

static void test_what_is_no_json_is_refused_with_its_place(void)
{
    static const struct refusal cases[] = {
        { "", "line 1, column 1: expected a value" },
        { "{", "line 1, column 2: expected a member name" },
        { "null", "not even an object" },
        { "[]", "not even an object" },
        { "7", "not even an object" },
        { CREATE(NAMED) "x", "unexpected text after the value" },
        { CREATE("{'spec':{'a':NaN}}"), "expected a value" },
        { CREATE("{'spec':{a:1}}"), "expected a member name in double quotes" },
        { CREATE("{'spec':{'a':1,}}"), "expected a member name" },
        { CREATE("{'spec':{'a':'\xff'}}"), "invalid UTF-8" },
        { CREATE("{'spec':{'a':'\t'}}"), "control character" },
        { CREATE("{'spec':{'a':'\\ud800'}}"), "lone surrogate" },
        { CREATE("{'metadata':{'name':1e999}}"), "number" },
        { CREATE("{'metadata':{'name':'a','name':'b'}}"), "duplicate member name" },
        { CREATE(NAMED ",'object':{}"), "duplicate member name" },
        { REQUEST("'operation':'DELETE','operation':'CONNECT'"), "duplicate member name" },
    };

    CHECK_REFUSED(cases);
}

static void test_single_quotes_are_no_json(void)
{
    static const char text[] = "{'apiVersion':'admission.k8s.io/v1'}";
    prb_auto(prb_review_reader_free) struct prb_review_reader *reader =
            prb_review_reader_new(NULL, 0);
    struct prb_request *request = NULL;
    struct prb_error err;

    TEST_ASSERT_EQUAL_INT(
            PRB_E_INVALID, prb_review_read(reader, text, strlen(text), &request, &err));
    TEST_ASSERT_NULL(request);
}

static void test_what_is_no_review_of_v1_is_refused(void)
{
    static const struct refusal cases[] = {
        { "{}", "kind is \"\", and not AdmissionReview" },
        { "{'apiVersion':'v1','kind':'Pod'}", "kind is \"Pod\", and not AdmissionReview" },
        { "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}", "request is missing" },
        { "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':null}",
                "request is missing" },
        { "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':[{'uid':'u'}]}",
                "request is missing or no object" },
        { "{'apiVersion':'admission.k8s.io/v1beta1','kind':'AdmissionReview','request':{}}",
                "apiVersion is \"admission.k8s.io/v1beta1\"; only admission.k8s.io/v1" },
        { "{'kind':'AdmissionReview','request':{}}", "apiVersion is \"\"" },
        { "{'apiVersion':7,'kind':'AdmissionReview','request':{}}", "apiVersion is \"\"" },
        { "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','response':{'uid':'u'}}",
                "request is missing" },
    };

    CHECK_REFUSED(cases);
}

static void test_a_request_without_its_parts_is_refused(void)
{
    static const struct refusal cases[] = {
        { REVIEW(RESOURCE DELETION), "request.uid is missing" },
        { REVIEW(RESOURCE DELETION ",'uid':''"), "request.uid is missing or empty" },
        { REVIEW(RESOURCE DELETION ",'uid':null"), "request.uid is missing" },
        { REVIEW(RESOURCE DELETION ",'uid':7"), "request.uid is not a text" },
        { REVIEW(RESOURCE DELETION ",'uid':'a\\u0000b'"), "request.uid is not a text" },
        { REVIEW(RESOURCE "'uid':'u','object':{}"), "request.operation is \"\"" },
        { REVIEW(RESOURCE "'uid':'u','operation':'PATCH'"), "request.operation is \"PATCH\"" },
        { REVIEW(RESOURCE "'uid':'u','operation':'create'"), "request.operation is \"create\"" },
        { REVIEW(RESOURCE "'uid':'u','operation':['CREATE']"), "request.operation is \"\"" },
        { REVIEW("'uid':'u'," DELETION), "request.resource is missing" },
        { REVIEW("'uid':'u','resource':'things'," DELETION), "request.resource is missing" },
        { REVIEW("'uid':'u','resource':{'group':'g','version':'v1'}," DELETION), "no resource" },
        { REVIEW("'uid':'u','resource':{'resource':'things'}," DELETION), "no version" },
        { REVIEW("'uid':'u','resource':{'group':1,'version':'v1','resource':'a'}," DELETION),
                "request.resource.group is not a text" },
        { REVIEW("'uid':'u','resource':{'version':'v1','resource':'a/b'}," DELETION),
                "cannot be a resource" },
        { REVIEW("'uid':'u','resource':{'version':'..','resource':'a'}," DELETION),
                "cannot be a resource" },
        { REQUEST(DELETION ",'subResource':1"), "request.subResource is not a text" },
        { REQUEST(DELETION ",'name':{}"), "request.name is not a text" },
        { REQUEST(DELETION ",'namespace':[]"), "request.namespace is not a text" },
        { REQUEST(DELETION ",'userInfo':[]"), "request.userInfo is no object" },
        { REQUEST(DELETION ",'userInfo':{'username':1}"), "username is not a text" },
        { REQUEST(DELETION ",'userInfo':{'groups':'a'}"), "groups is not a list" },
        { REQUEST(DELETION ",'userInfo':{'groups':['a',1]}"), "groups[1] is not a text" },
        { REQUEST(DELETION ",'dryRun':'true'"), "request.dryRun is neither" },
    };

    CHECK_REFUSED(cases);
}

static int read_with_uid(size_t len, struct prb_error *err)
{
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_autofree char *uid = prb_calloc(len + 1, 1);
    prb_autofree char *text = NULL;

    memset(uid, 'u', len);
    text = prb_asprintf(REVIEW("'uid':'%s'," RESOURCE "'operation':'CONNECT'"), uid);
    return review_read(text, review_no_paths, &request, err);
}

static void test_the_uid_is_bounded(void)
{
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT(0, read_with_uid(PRB_REVIEW_UID_MAX, &err));
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, read_with_uid(PRB_REVIEW_UID_MAX + 1, &err));
    TEST_ASSERT_EQUAL_STRING("request.uid is longer than 128 bytes", err.msg);
}

static void test_a_tree_is_read_as_its_text_is(void)
{
    prb_auto(prb_review_reader_free) struct prb_review_reader *reader =
            prb_review_reader_new(NULL, 0);
    prb_autofree char *text =
            review_text(REQUEST("'operation':'DELETE','namespace':'c1','oldObject':{'metadata':"
                                "{'name':'a','managedFields':[1]},'spec':{'x':1}}"));
    prb_auto(prb_json_free) struct json_object *tree = NULL;
    prb_auto(prb_request_free) struct prb_request *request = NULL;
    prb_autofree char *old = NULL;
    struct prb_error err = { 0 };

    TEST_ASSERT_EQUAL_INT(0, prb_json_parse(text, strlen(text), NULL, &tree, &err));
    TEST_ASSERT_EQUAL_INT(0, prb_review_read_tree(reader, tree, &request, &err));
    old = prb_json_text(prb_object_tree(request->old), true);
    TEST_ASSERT_EQUAL_STRING("{\"metadata\":{\"name\":\"a\"}}", old);
    TEST_ASSERT_EQUAL_STRING("a", request->name);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_request_is_read_whole);
    RUN_TEST(test_what_may_be_left_out_is_empty);
    RUN_TEST(test_all_that_is_known_of_the_user_is_kept);
    RUN_TEST(test_a_large_token_is_no_reason_to_refuse_and_is_never_kept_in_part);
    RUN_TEST(test_extra_is_a_map_of_lists_of_texts);
    RUN_TEST(test_what_is_no_json_is_refused_with_its_place);
    RUN_TEST(test_single_quotes_are_no_json);
    RUN_TEST(test_what_is_no_review_of_v1_is_refused);
    RUN_TEST(test_a_request_without_its_parts_is_refused);
    RUN_TEST(test_the_uid_is_bounded);
    RUN_TEST(test_a_tree_is_read_as_its_text_is);
    return UNITY_END();
}

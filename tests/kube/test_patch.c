#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "caller.h"
#include "has.h"
#include "support/json_text.h"

#define REFUSAL                                                                              \
    "{\"kind\":\"Status\",\"message\":\"the server rejected our request due to an error in " \
    "our request\",\"reason\":\"Invalid\",\"details\":{},\"code\":422}"

static struct prb_test_caller caller;
static struct prb_error err;

void setUp(void)
{
    prb_test_caller_start(&caller, NULL, NULL);
    err = (struct prb_error){ .code = PRB_OK };
}

void tearDown(void)
{
    prb_test_caller_stop(&caller);
}

static int patch(
        enum prb_patch_type type, const char *body, const struct prb_write_options *options)
{
    prb_auto(prb_json_free) struct json_object *tree = prb_test_json("%s", body);

    return prb_api_patch(caller.api, &prb_test_a, type, tree, options, NULL, &err);
}

static void test_each_type_is_sent_as_what_it_is(void)
{
    static const struct {
        enum prb_patch_type type;
        struct prb_write_options options;
        const char *body;
        const char *expected[4];
    } cases[] = {
        { PRB_PATCH_MERGE, { .subresource = NULL }, "{'a':1}",
                { "PATCH /api/v1/namespaces/ns/configmaps/a?fieldManager=probate HTTP",
                        "Content-Type: application/merge-patch+json\r\n", "\r\n\r\n{\"a\":1}" } },
        { PRB_PATCH_JSON, { .subresource = "status", .dry_run = true }, "[]",
                { "configmaps/a/status?fieldManager=probate&dryRun=All HTTP",
                        "Content-Type: application/json-patch+json\r\n", "\r\n\r\n[]" } },
        { PRB_PATCH_APPLY, { .force = true, .field_manager = "me" }, "{'a':1}",
                { "configmaps/a?fieldManager=me&force=true HTTP",
                        "Content-Type: application/apply-patch+yaml\r\n", "\r\n\r\n{\"a\":1}" } },
        { PRB_PATCH_APPLY, { .force = false }, "{'a':1}",
                { "configmaps/a?fieldManager=probate HTTP" } },
        { PRB_PATCH_MERGE, { .resource_version = "7" }, "{'a':1}",
                { "{\"a\":1,\"metadata\":{\"resourceVersion\":\"7\"}}" } },
        { PRB_PATCH_MERGE, { .resource_version = "7" }, "{'metadata':{'labels':null}}",
                { "{\"metadata\":{\"labels\":null,\"resourceVersion\":\"7\"}}" } },
        { PRB_PATCH_JSON, { .resource_version = "7" }, "[{'op':'remove','path':'/a'}]",
                { "[{\"op\":\"add\",\"path\":\"/metadata/resourceVersion\",\"value\":\"7\"},"
                  "{\"op\":\"remove\",\"path\":\"/a\"}]" } },
        { PRB_PATCH_APPLY, { .resource_version = "7" }, "{'metadata':{'name':'a'}}",
                { "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"7\"}}" } },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *request = NULL;

        prb_test_server_reply(caller.server, "200 OK", "", PRB_TEST_OBJECT);
        TEST_ASSERT_EQUAL_MESSAGE(
                0, patch(cases[i].type, cases[i].body, &cases[i].options), err.msg);
        request = prb_test_server_request(caller.server, i);
        for (size_t j = 0; j < 4 && cases[i].expected[j]; j++)
            ASSERT_HAS(request, cases[i].expected[j]);
    }
}

static void test_a_refused_json_patch_is_explained_by_the_object_as_it_is(void)
{
    static const char object[] =
            "{\"metadata\":{\"name\":\"a\",\"resourceVersion\":\"9\"},\"data\":{\"k\":\"new\"}}";
    static const char gone[] = "{\"kind\":\"Status\",\"message\":\"gone\",\"reason\":\"NotFound\","
                               "\"details\":{\"name\":\"a\"},\"code\":404}";
    static const struct {
        const char *name, *patch, *version, *answer, *status;
        enum prb_errc code;
        size_t calls;
    } cases[] = {
        { "a test that does not hold", "[{'op':'test','path':'/data/k','value':'old'}]", NULL,
                object, "200 OK", PRB_E_CONFLICT, 2 },
        { "a test that holds by now", "[{'op':'test','path':'/data/k','value':'new'}]", NULL,
                object, "200 OK", PRB_E_CONFLICT, 2 },
        { "a test that holds, and a path that is not there",
                "[{'op':'test','path':'/data/k','value':'new'},{'op':'remove','path':'/x'}]", NULL,
                object, "200 OK", PRB_E_INVALID, 2 },
        { "another version", "[{'op':'remove','path':'/x'}]", "8", object, "200 OK", PRB_E_CONFLICT,
                2 },
        { "that version, and a path that is not there", "[{'op':'remove','path':'/x'}]", "9",
                object, "200 OK", PRB_E_INVALID, 2 },
        { "no test at all", "[{'op':'remove','path':'/x'}]", NULL, object, "200 OK", PRB_E_INVALID,
                1 },
        { "the object has gone", "[{'op':'test','path':'/data/k','value':'old'}]", NULL, gone,
                "404 Not Found", PRB_E_NOTFOUND, 2 },
        { "the object may not be read", "[{'op':'test','path':'/data/k','value':'old'}]", NULL,
                PRB_TEST_STATUS("403", "Forbidden"), "403 No", PRB_E_CONFLICT, 2 },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_write_options options = { .resource_version = cases[i].version };
        struct prb_test_caller fresh;
        int r;

        prb_test_caller_stop(&caller);
        prb_test_caller_start(&fresh, NULL, NULL);
        caller = fresh;
        prb_test_server_reply(caller.server, "422 Invalid", "", REFUSAL);
        prb_test_server_reply(caller.server, cases[i].status, "", cases[i].answer);
        r = patch(PRB_PATCH_JSON, cases[i].patch, &options);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, r, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].code, err.code, cases[i].name);
        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].calls, prb_test_server_count(caller.server), cases[i].name);
    }
}

static void test_an_invalid_object_stays_invalid(void)
{
    prb_test_server_reply(caller.server, "422 Invalid", "",
            "{\"kind\":\"Status\",\"message\":\"ConfigMap a is invalid\",\"reason\":\"Invalid\","
            "\"details\":{\"name\":\"a\"},\"code\":422}");
    TEST_ASSERT_EQUAL(
            PRB_E_INVALID, patch(PRB_PATCH_JSON, "[{'op':'test','path':'/a','value':1}]", NULL));
    TEST_ASSERT_EQUAL_STRING("ConfigMap a is invalid", err.msg);
    TEST_ASSERT_EQUAL(1, prb_test_server_count(caller.server));
}

static void test_access_is_what_the_server_says_and_else_unknown(void)
{
    static const struct {
        const char *status, *body;
        int r;
        enum prb_access access;
    } cases[] = {
        { "201 Created", "{\"status\":{\"allowed\":true}}", 0, PRB_ACCESS_ALLOWED },
        { "201 Created", "{\"status\":{\"allowed\":false}}", 0, PRB_ACCESS_DENIED },
        { "201 Created", "{\"status\":{\"allowed\":false,\"evaluationError\":\"no role\"}}", 0,
                PRB_ACCESS_DENIED },
        { "201 Created", "{\"status\":{}}", PRB_E_IO, PRB_ACCESS_DENIED },
        { "201 Created", "{\"status\":{\"allowed\":\"true\"}}", PRB_E_IO, PRB_ACCESS_DENIED },
        { "403 No", PRB_TEST_STATUS("403", "Forbidden"), PRB_E_FORBIDDEN, PRB_ACCESS_DENIED },
        /* UNSUPPORTED would say that there are no users, as on a hub in memory. */
        { "405 No", PRB_TEST_STATUS("405", "MethodNotAllowed"), PRB_E_UNAVAILABLE,
                PRB_ACCESS_DENIED },
        { "302 Found", "over there", PRB_E_UNAVAILABLE, PRB_ACCESS_DENIED },
    };
    static const char *const groups[] = { "g1", "g2", NULL };
    const struct prb_access_question question = {
        .user = "bob",
        .groups = groups,
        .verb = "override",
        .group = "probate.dev",
        .resource = "criticalservices",
        .name = "x",
    };
    prb_autofree char *request = NULL;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        enum prb_access access = PRB_ACCESS_DENIED;

        prb_test_server_reply(caller.server, cases[i].status, "", cases[i].body);
        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].r, prb_api_may(caller.api, &question, &access, &err), cases[i].body);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].access, access, cases[i].body);
    }
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "\"user\":\"bob\",\"groups\":[\"g1\",\"g2\"]");
}

/* An authorizer may go by any of it: a token that is limited to some scopes has them in `extra`. */
static void test_access_is_asked_for_with_all_that_is_known_of_the_user(void)
{
    struct prb_access_question question = {
        .user = "bob",
        .uid = "u-1",
        .extra = "{\"scopes\":[\"read\"]}",
        .verb = "override",
    };
    enum prb_access access = PRB_ACCESS_ALLOWED;
    prb_autofree char *request = NULL;

    prb_test_server_reply(caller.server, "201 Created", "", "{\"status\":{\"allowed\":false}}");
    TEST_ASSERT_EQUAL(0, prb_api_may(caller.api, &question, &access, &err));
    TEST_ASSERT_EQUAL(PRB_ACCESS_DENIED, access);
    request = prb_test_server_request(caller.server, 0);
    ASSERT_HAS(request, "\"user\":\"bob\",\"uid\":\"u-1\",\"extra\":{\"scopes\":[\"read\"]}");

    question.extra = "{\"scopes\":";
    TEST_ASSERT_EQUAL(PRB_E_INVALID, prb_api_may(caller.api, &question, &access, &err));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_each_type_is_sent_as_what_it_is);
    RUN_TEST(test_a_refused_json_patch_is_explained_by_the_object_as_it_is);
    RUN_TEST(test_an_invalid_object_stays_invalid);
    RUN_TEST(test_access_is_what_the_server_says_and_else_unknown);
    RUN_TEST(test_access_is_asked_for_with_all_that_is_known_of_the_user);
    return UNITY_END();
}

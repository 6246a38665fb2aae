/* Is a request understood as the API server understands it? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "support/api_call.h"

void setUp(void)
{
}

void tearDown(void)
{
}

struct parse_case {
    const char *name;
    const char *method, *target;
    const char *verb, *group, *version, *resource, *namespace, *object, *subresource;
};

static const struct parse_case parse_cases[] = {
    { "an object of the core group", "GET", "/api/v1/namespaces/a/configmaps/b", "get", "", "v1",
            "configmaps", "a", "b", "" },
    { "a list in a namespace", "GET", "/api/v1/namespaces/a/configmaps?limit=5", "list", "", "v1",
            "configmaps", "a", "", "" },
    { "a list of all namespaces", "GET", "/api/v1/configmaps", "list", "", "v1", "configmaps", "",
            "", "" },
    { "a watch by parameter", "GET", "/apis/apps/v1/deployments?limit=1&watch=true", "watch",
            "apps", "v1", "deployments", "", "", "" },
    { "a watch by number", "GET", "/api/v1/pods?watch=1", "watch", "", "v1", "pods", "", "", "" },
    { "a watch that is switched off", "GET", "/api/v1/pods?watch=false", "list", "", "v1", "pods",
            "", "", "" },
    { "a parameter that only ends in watch", "GET", "/api/v1/pods?nowatch=true", "list", "", "v1",
            "pods", "", "", "" },
    { "a watch by path", "GET", "/api/v1/watch/namespaces/a/pods", "watch", "", "v1", "pods", "a",
            "", "" },
    { "a create", "POST", "/api/v1/namespaces/a/configmaps", "create", "", "v1", "configmaps", "a",
            "", "" },
    { "an update of status", "PUT", "/apis/x.io/v1/namespaces/a/things/t/status", "update", "x.io",
            "v1", "things", "a", "t", "status" },
    { "a patch", "PATCH", "/apis/x.io/v1beta1/things/t?fieldManager=probate", "patch", "x.io",
            "v1beta1", "things", "", "t", "" },
    { "a delete", "DELETE", "/api/v1/namespaces/a/pods/p", "delete", "", "v1", "pods", "a", "p",
            "" },
    { "a delete of a collection", "DELETE", "/api/v1/namespaces/a/pods", "deletecollection", "",
            "v1", "pods", "a", "", "" },
    { "a namespace is an object, not a place", "GET", "/api/v1/namespaces/a", "get", "", "v1",
            "namespaces", "", "a", "" },
    { "the list of namespaces", "GET", "/api/v1/namespaces", "list", "", "v1", "namespaces", "", "",
            "" },
    { "the finalize part of a namespace", "PUT", "/api/v1/namespaces/a/finalize", "update", "",
            "v1", "namespaces", "", "a", "finalize" },
    { "the status part of a namespace", "PATCH", "/api/v1/namespaces/a/status", "patch", "", "v1",
            "namespaces", "", "a", "status" },
    { "a name with escapes", "GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode",
            "get", "rbac.authorization.k8s.io", "v1", "clusterroles", "", "system:node", "" },
    { "discovery of a group is no resource", "GET", "/apis/apps/v1", "get", "", "", "", "", "",
            "" },
    { "discovery of the core group", "GET", "/api/v1?timeout=5s", "get", "", "", "", "", "", "" },
    { "the version", "GET", "/version", "get", "", "", "", "", "", "" },
    { "a review is a create", "POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            "create", "authorization.k8s.io", "v1", "subjectaccessreviews", "", "", "" },
    { "slashes too many", "GET", "//api//v1/nodes/", "list", "", "v1", "nodes", "", "", "" },
};

static void test_requests_are_understood(void)
{
    for (size_t i = 0; i < sizeof(parse_cases) / sizeof(parse_cases[0]); i++) {
        const struct parse_case *want = &parse_cases[i];
        struct prb_api_call call;

        TEST_ASSERT_TRUE_MESSAGE(prb_api_call_parse(want->method, want->target, &call), want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->verb, call.verb, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->group, call.ref.gvr.group, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->version, call.ref.gvr.version, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->resource, call.ref.gvr.resource, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->namespace, call.ref.namespace, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->object, call.ref.name, want->name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(want->subresource, call.subresource, want->name);
    }
}

static void test_what_is_no_path_is_refused(void)
{
    static const char *const targets[] = { "", "api/v1/pods", "http://host/api/v1/pods",
        "/api/v1/pods/a%2", "/api/v1/pods/a%zz", "/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q" };
    char name[600] = "/api/v1/nodes/";
    struct prb_api_call call;

    for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++)
        TEST_ASSERT_FALSE_MESSAGE(prb_api_call_parse("GET", targets[i], &call), targets[i]);
    memset(name + strlen(name), 'n', 300);
    TEST_ASSERT_FALSE_MESSAGE(prb_api_call_parse("GET", name, &call), "a name of 300 bytes");
}

static void test_a_dry_run_is_seen_in_the_query_only(void)
{
    struct prb_api_call dry = { .dry_run = false }, wet = { .dry_run = true };

    (void)prb_api_call_parse("POST", "/api/v1/nodes?dryRun=All", &dry);
    (void)prb_api_call_parse("DELETE", "/api/v1/nodes/dryRun=All", &wet);
    TEST_ASSERT_TRUE(dry.dry_run);
    TEST_ASSERT_FALSE(wet.dry_run);
}

static void test_writes_are_told_from_reads(void)
{
    static const struct {
        const char *method;
        bool write;
    } cases[] = { { "GET", false }, { "POST", true }, { "PUT", true }, { "PATCH", true },
        { "DELETE", true }, { "OPTIONS", false } };
    struct prb_api_call call;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_TRUE(prb_api_call_parse(cases[i].method, "/api/v1/nodes/n", &call));
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].write, prb_api_call_is_write(&call), cases[i].method);
    }
}

static void test_patterns_name_resources_as_rbac_does(void)
{
    static const struct {
        const char *pattern;
        bool plain, status; /* for deployments, and for their status */
    } cases[] = {
        { NULL, true, true },
        { "*", true, true },
        { "deployments", true, false },
        { "deployments.apps", true, false },
        { "deployments/status", false, true },
        { "deployments.apps/status", false, true },
        { "deployments.extensions", false, false },
        { "deployments.app", false, false },
        { "deployment", false, false },
        { "deploymentsx", false, false },
    };
    struct prb_api_call plain, status;

    TEST_ASSERT_TRUE(prb_api_call_parse("GET", "/apis/apps/v1/namespaces/a/deployments/d", &plain));
    TEST_ASSERT_TRUE(
            prb_api_call_parse("GET", "/apis/apps/v1/namespaces/a/deployments/d/status", &status));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *name = cases[i].pattern ? cases[i].pattern : "(none)";

        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].plain, prb_api_call_is_on(&plain, cases[i].pattern), name);
        TEST_ASSERT_EQUAL_MESSAGE(
                cases[i].status, prb_api_call_is_on(&status, cases[i].pattern), name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_requests_are_understood);
    RUN_TEST(test_what_is_no_path_is_refused);
    RUN_TEST(test_a_dry_run_is_seen_in_the_query_only);
    RUN_TEST(test_writes_are_told_from_reads);
    RUN_TEST(test_patterns_name_resources_as_rbac_does);
    return UNITY_END();
}

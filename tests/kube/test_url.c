#include <string.h>
#include <unity.h>

#include "has.h"
#include "server_url.h"
#include "url.h"

static struct prb_str path;

void setUp(void)
{
    prb_str_init(&path, PRB_KUBE_PATH_MAX);
}

void tearDown(void)
{
    prb_str_done(&path);
}

static struct prb_gvr gvr_of(const char *group, const char *resource)
{
    struct prb_gvr gvr = { .version = "v1" };

    (void)prb_copy(gvr.group, sizeof(gvr.group), group);
    (void)prb_copy(gvr.resource, sizeof(gvr.resource), resource);
    return gvr;
}

static void test_paths_of_collections(void)
{
    static const struct {
        const char *group, *resource, *namespace, *expected;
    } cases[] = {
        { "", "pods", NULL, "/api/v1/pods" },
        { "", "pods", "", "/api/v1/pods" },
        { "", "pods", "default", "/api/v1/namespaces/default/pods" },
        { "", "namespaces", NULL, "/api/v1/namespaces" },
        { "apps", "deployments", "a-b", "/apis/apps/v1/namespaces/a-b/deployments" },
        { "work.open-cluster-management.io", "manifestworks", NULL,
                "/apis/work.open-cluster-management.io/v1/manifestworks" },
        { "", "pods", "../../secrets?x#y", "/api/v1/namespaces/..%2F..%2Fsecrets%3Fx%23y/pods" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_gvr gvr = gvr_of(cases[i].group, cases[i].resource);

        prb_str_clear(&path);
        prb_kube_path_collection(&path, &gvr, cases[i].namespace);
        TEST_ASSERT_EQUAL_STRING(cases[i].expected, prb_str_get(&path));
    }
}

static void test_paths_of_objects(void)
{
    static const struct {
        const char *namespace, *name, *subresource, *expected; /* NULL: refused */
    } cases[] = {
        { "default", "web", NULL, "/api/v1/namespaces/default/things/web" },
        { "default", "web", "", "/api/v1/namespaces/default/things/web" },
        { "", "n1", "status", "/api/v1/things/n1/status" },
        { "", "system:node", NULL, "/api/v1/things/system%3Anode" },
        { "", "a b\xC3\xA4%2F", NULL, "/api/v1/things/a%20b%C3%A4%252F" },
        { "", "", NULL, NULL },
        { "", ".", NULL, NULL },
        { "", "..", NULL, NULL },
        { "..", "a", NULL, NULL },
        { ".", "a", NULL, NULL },
        { "", "...", NULL, "/api/v1/things/..." },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_ref ref = { .gvr = gvr_of("", "things") };
        bool made;

        (void)prb_copy(ref.namespace, sizeof(ref.namespace), cases[i].namespace);
        (void)prb_copy(ref.name, sizeof(ref.name), cases[i].name);
        prb_str_clear(&path);
        made = prb_kube_path_object(&path, &ref, cases[i].subresource);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected != NULL, made, cases[i].name);
        if (cases[i].expected)
            TEST_ASSERT_EQUAL_STRING(cases[i].expected, prb_str_get(&path));
    }
}

static void test_queries_are_encoded_and_joined(void)
{
    prb_str_add(&path, "/x");
    prb_kube_path_query(&path, "labelSelector", "a=b,c in (d,e)&limit=1");
    prb_kube_path_query(&path, "fieldSelector", NULL);
    prb_kube_path_query(&path, "continue", "");
    prb_kube_path_query_int(&path, "limit", 500);
    TEST_ASSERT_EQUAL_STRING("/x?labelSelector=a%3Db%2Cc%20in%20%28d%2Ce%29%26limit%3D1&limit=500",
            prb_str_get(&path));
}

static void test_a_path_that_is_too_long_is_noticed(void)
{
    static char selector[PRB_KUBE_PATH_MAX + 1];

    memset(selector, 'a', sizeof(selector) - 1);
    prb_kube_path_query(&path, "labelSelector", selector);
    TEST_ASSERT_TRUE(path.cut);
}

static void test_paths_of_groups(void)
{
    prb_kube_path_group(&path, "", NULL);
    prb_kube_path_group(&path, "", "v1");
    prb_kube_path_group(&path, "apps", NULL);
    prb_kube_path_group(&path, "a/b", "v1");
    TEST_ASSERT_EQUAL_STRING("/api/api/v1/apis/apps/apis/a%2Fb/v1", prb_str_get(&path));
}

static void test_servers_that_can_be_used(void)
{
    static const struct {
        const char *text, *host, *port, *prefix;
        bool https, loopback;
    } cases[] = {
        { "https://h.example:6443", "h.example", "6443", "", true, false },
        { "https://h.example", "h.example", "443", "", true, false },
        { "HTTPS://h.example/", "h.example", "443", "", true, false },
        { "https://h.example/k8s/clusters/c-1/", "h.example", "443", "/k8s/clusters/c-1", true,
                false },
        { "http://127.0.0.1:8001", "127.0.0.1", "8001", "", false, true },
        { "http://localhost:8001", "localhost", "8001", "", false, true },
        { "https://[::1]:6443", "[::1]", "6443", "", true, true },
        { "http://127.example.com", "127.example.com", "80", "", false, false },
        { "http://10.0.0.1", "10.0.0.1", "80", "", false, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_server_url_done) struct prb_server_url url = { .host = NULL };
        struct prb_error err = { .msg = "" };
        int r = prb_server_url_parse(cases[i].text, &url, &err);

        TEST_ASSERT_EQUAL_MESSAGE(0, r, err.msg);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].host, url.host, cases[i].text);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].port, url.port, cases[i].text);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].prefix, url.prefix, cases[i].text);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].https, url.https, cases[i].text);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].loopback, url.loopback, cases[i].text);
    }
}

static void test_servers_that_cannot_be_used(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        { "h.example:6443", "https://" },
        { "", "https://host:6443" },
        { "ftp://h.example", "has to begin with https://" },
        { "file:///etc/passwd", "has to begin with https://" },
        { "https://", "the server URL is none" },
        { "https://h.example:99999", "the server URL is none" },
        { "https://u:secret@h.example", "user name or password" },
        { "https://u@h.example", "user name or password" },
        { "ftp://u:secret@h.example", "user name or password" },
        { "u:secret@h.example:6443", "the server URL is none" },
        { "https://h.example/?a=b", "without '?' and '#'" },
        { "https://h.example/#a", "without '?' and '#'" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_server_url_done) struct prb_server_url url = { .host = NULL };
        struct prb_error err = { .msg = "" };
        int r = prb_server_url_parse(cases[i].text, &url, &err);

        TEST_ASSERT_EQUAL_MESSAGE(PRB_E_INVALID, r, cases[i].text);
        ASSERT_HAS(err.msg, cases[i].expected);
        TEST_ASSERT_NULL_MESSAGE(strstr(err.msg, "secret"), err.msg);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_paths_of_collections);
    RUN_TEST(test_paths_of_objects);
    RUN_TEST(test_queries_are_encoded_and_joined);
    RUN_TEST(test_a_path_that_is_too_long_is_noticed);
    RUN_TEST(test_paths_of_groups);
    RUN_TEST(test_servers_that_can_be_used);
    RUN_TEST(test_servers_that_cannot_be_used);
    return UNITY_END();
}

/* What becomes of a body that is to be a new object? */

#include <string.h>

#include "world.h"

void setUp(void)
{
    world_init(NULL);
}

void tearDown(void)
{
    world_done();
}

#define DEPLOYMENTS "deployments.apps"

static void test_the_server_fills_in_what_is_its_own(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps",
                       "{'metadata':{'namespace':'ns','name':'a','uid':'mine','creationTimestamp':"
                       "'2001-01-01T00:00:00Z','deletionTimestamp':'2001-01-01T00:00:00Z',"
                       "'deletionGracePeriodSeconds':3,'labels':{}},'data':{'k':'v'}}"));
    TEST_ASSERT_EQUAL_size_t(36, strlen(prb_object_uid(w.got)));
    TEST_ASSERT_EQUAL_STRING("\"2026-01-01T00:00:00Z\"", got_at("/metadata/creationTimestamp"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/deletionGracePeriodSeconds"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/labels"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/generation"));
    TEST_ASSERT_EQUAL_STRING("\"v1\"", got_at("/apiVersion"));
    TEST_ASSERT_EQUAL_STRING("\"ConfigMap\"", got_at("/kind"));
    TEST_ASSERT_EQUAL_STRING("{\"k\":\"v\"}", text_at("configmaps", "ns/a", "/data"));
    TEST_ASSERT_TRUE(prb_object_resource_version(w.got)[0] != '\0');
}

static void test_generation_begins_at_one_where_it_is_counted(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create(DEPLOYMENTS,
                       "{'metadata':{'namespace':'ns','name':'a','generation':7},'spec':{},"
                       "'status':{'replicas':3}}"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/metadata/generation"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/status"));
}

static void test_resource_versions_count_up_over_all_kinds(void)
{
    long long first, second;

    TEST_ASSERT_EQUAL_INT(0, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    first = strtoll(prb_object_resource_version(w.got), NULL, 10);
    TEST_ASSERT_EQUAL_INT(0, create("secrets", "{'metadata':{'namespace':'ns','name':'a'}}"));
    second = strtoll(prb_object_resource_version(w.got), NULL, 10);
    TEST_ASSERT_EQUAL_INT64(first + 1, second);
}

static void test_a_taken_name_is_refused(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps",
                       "{'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_EXISTS, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_STRING("configmaps \"a\" already exists", w.err.msg);
    TEST_ASSERT_EQUAL_STRING("AlreadyExists", w.err.reason);
    TEST_ASSERT_EQUAL_INT(0, erase("configmaps", "ns/a"));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_EXISTS, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_STRING("object is being deleted: configmaps \"a\" already exists", w.err.msg);
}

static void test_what_cannot_be_stored_is_refused(void)
{
    static const struct {
        const char *why, *resource, *body;
        enum prb_errc code;
        int status;
        const char *text;
    } cases[] = {
        { "no such namespace", "configmaps", "{'metadata':{'namespace':'no','name':'a'}}",
                PRB_E_NOTFOUND, 404, "namespaces \"no\" not found" },
        { "a resourceVersion", "configmaps",
                "{'metadata':{'namespace':'ns','name':'a','resourceVersion':'5'}}",
                PRB_E_UNAVAILABLE, 500,
                "resourceVersion should not be set on objects to be created" },
        { "another kind", "configmaps",
                "{'apiVersion':'v1','kind':'Secret','metadata':{'namespace':'ns','name':'a'}}",
                PRB_E_INVALID, 422, "must be ConfigMap" },
        { "another version", "configmaps",
                "{'apiVersion':'v2','kind':'ConfigMap','metadata':{'namespace':'ns','name':'a'}}",
                PRB_E_INVALID, 400, "cannot be handled" },
        { "a custom resource without a kind", "manifestworks.work.open-cluster-management.io",
                "{'metadata':{'namespace':'ns','name':'a'}}", PRB_E_INVALID, 400, "must be given" },
        { "a name that is none", "configmaps", "{'metadata':{'namespace':'ns','name':'A_b'}}",
                PRB_E_INVALID, 422, "RFC 1123 subdomain" },
        { "a namespace with a dot", "namespaces", "{'metadata':{'name':'a.b'}}", PRB_E_INVALID, 422,
                "RFC 1123 label" },
        { "a CRD with another name", "customresourcedefinitions.apiextensions.k8s.io",
                "{'metadata':{'name':'a.b'},'spec':{'group':'b','names':{'plural':'c','kind':'C'},"
                "'versions':[{'name':'v1'}]}}",
                PRB_E_INVALID, 422, "must be spec.names.plural" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].code, create(cases[i].resource, "%s", cases[i].body), cases[i].why);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].status, w.err.status, cases[i].why);
        TEST_ASSERT_NOT_NULL_MESSAGE(strstr(w.err.msg, cases[i].text), w.err.msg);
    }
}

static void test_a_body_for_another_namespace_is_refused(void)
{
    struct prb_ref ref = ref_of("configmaps", "ns/a");
    prb_auto(prb_json_free) struct json_object *body = json_object_new_object();

    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "name", "a");
    prb_json_set_str(prb_json_ensure_obj(body, "metadata"), "namespace", "other");
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, prb_api_create(w.api, &ref, body, NULL, NULL, &w.err));
    TEST_ASSERT_EQUAL_INT(400, w.err.status);
    prb_json_del(prb_json_ensure_obj(body, "metadata"), "namespace");
    TEST_ASSERT_EQUAL_INT(0, prb_api_create(w.api, &ref, body, NULL, NULL, &w.err));
    TEST_ASSERT_EQUAL_STRING("\"ns\"", text_at("configmaps", "ns/a", "/metadata/namespace"));
}

static void test_metadata_is_held_to_the_rules(void)
{
    static const struct {
        const char *metadata;
        enum prb_errc code;
        const char *text;
    } cases[] = {
        { "'labels':{'a b':'c'}", PRB_E_INVALID, "metadata.labels" },
        { "'labels':{'a':'c d'}", PRB_E_INVALID, "metadata.labels" },
        { "'labels':{'a':1}", PRB_E_INVALID, "must be a string" },
        { "'labels':{'x.io/a':'','b':'C_d.e'}", PRB_OK, "" },
        { "'uid':5", PRB_E_INVALID, "metadata.uid: must be a string" },
        { "'generation':'x'", PRB_E_INVALID, "metadata.generation: must be an integer" },
        { "'deletionTimestamp':'now'", PRB_E_INVALID, "must be a time" },
        { "'creationTimestamp':null,'uid':null", PRB_OK, "" },
        { "'annotations':{'/a':'c'}", PRB_E_INVALID, "metadata.annotations" },
        { "'annotations':{'x.io/a':'any thing'}", PRB_OK, "" },
        { "'finalizers':['plain']", PRB_E_INVALID, "metadata.finalizers[0]" },
        { "'finalizers':['x.io/f','y.io/']", PRB_E_INVALID, "metadata.finalizers[1]" },
        { "'finalizers':['orphan','foregroundDeletion']", PRB_E_INVALID, "cannot be both set" },
        { "'finalizers':'x.io/f'", PRB_E_INVALID, "must be a list" },
        { "'finalizers':['foregroundDeletion','x.io/f']", PRB_OK, "" },
        { "'ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'o'}]", PRB_E_INVALID,
                "uid must not be empty" },
        { "'ownerReferences':[{'apiVersion':'v9','kind':'A','name':'o',"
          "'uid':'1','controller':true},"
          "{'apiVersion':'v9','kind':'A','name':'p','uid':'2','controller':true}]",
                PRB_E_INVALID, "Only one reference" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].code,
                create("configmaps", "{'metadata':{'namespace':'ns','name':'a%zu',%s}}", i,
                        cases[i].metadata),
                cases[i].metadata);
        if (cases[i].code != PRB_OK)
            TEST_ASSERT_NOT_NULL_MESSAGE(strstr(w.err.msg, cases[i].text), w.err.msg);
    }
}

static void test_roles_may_have_names_with_colons(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("clusterroles.rbac.authorization.k8s.io",
                                     "{'metadata':{'name':'system:open-cluster-management:a'}}"));
}

static void test_the_default_namespace_is_made_when_it_is_first_used(void)
{
    TEST_ASSERT_FALSE(has("namespaces", "default"));
    w.dry_run = true;
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps", "{'metadata':{'namespace':'default','name':'a'}}"));
    TEST_ASSERT_FALSE(has("namespaces", "default"));
    w.dry_run = false;
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps", "{'metadata':{'namespace':'default','name':'a'}}"));
    TEST_ASSERT_EQUAL_STRING("\"Active\"", text_at("namespaces", "default", "/status/phase"));
}

static void test_a_dry_run_answers_and_leaves_no_trace(void)
{
    size_t count = prb_hub_count(w.hub);

    w.dry_run = true;
    TEST_ASSERT_EQUAL_INT(0, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/resourceVersion"));
    TEST_ASSERT_EQUAL_size_t(36, strlen(prb_object_uid(w.got)));
    TEST_ASSERT_FALSE(has("configmaps", "ns/a"));
    TEST_ASSERT_EQUAL_size_t(count, prb_hub_count(w.hub));
}

static void test_a_namespaced_kind_without_a_namespace_takes_no_post(void)
{
    TEST_ASSERT_EQUAL_INT(PRB_E_UNSUPPORTED, create("configmaps", "{'metadata':{'name':'a'}}"));
    TEST_ASSERT_EQUAL_INT(405, w.err.status);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_server_fills_in_what_is_its_own);
    RUN_TEST(test_generation_begins_at_one_where_it_is_counted);
    RUN_TEST(test_resource_versions_count_up_over_all_kinds);
    RUN_TEST(test_a_taken_name_is_refused);
    RUN_TEST(test_what_cannot_be_stored_is_refused);
    RUN_TEST(test_a_body_for_another_namespace_is_refused);
    RUN_TEST(test_metadata_is_held_to_the_rules);
    RUN_TEST(test_roles_may_have_names_with_colons);
    RUN_TEST(test_the_default_namespace_is_made_when_it_is_first_used);
    RUN_TEST(test_a_dry_run_answers_and_leaves_no_trace);
    RUN_TEST(test_a_namespaced_kind_without_a_namespace_takes_no_post);
    return UNITY_END();
}

/* Which kinds do CRDs and XRDs define, and how does a CRD end? */

#include <string.h>

#include "support/wait.h"
#include "support/watch_log.h"
#include "world.h"

#define CRDS "customresourcedefinitions.apiextensions.k8s.io"
#define XRDS "compositeresourcedefinitions.apiextensions.crossplane.io"
#define WIDGETS "widgets.example.io"
#define WIDGET "'apiVersion':'example.io/v1','kind':'Widget'"

void setUp(void)
{
    world_init(NULL);
}

void tearDown(void)
{
    world_done();
}

static void test_a_crd_is_established_and_its_kind_is_served(void)
{
    struct prb_resource found;

    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_STRING(
            "\"NamesAccepted\"", text_at(CRDS, WIDGETS, "/status/conditions/0/type"));
    TEST_ASSERT_EQUAL_STRING("\"True\"", text_at(CRDS, WIDGETS, "/status/conditions/1/status"));
    TEST_ASSERT_EQUAL_STRING("[\"v1\"]", text_at(CRDS, WIDGETS, "/status/storedVersions"));
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(w.api, "example.io", "WD", &found, &w.err));
    TEST_ASSERT_EQUAL_STRING("widgets", found.gvr.resource);
    TEST_ASSERT_EQUAL_STRING("v1", found.gvr.version);
    TEST_ASSERT_EQUAL_STRING("widget", found.singular);
    TEST_ASSERT_TRUE(found.namespaced);
    TEST_ASSERT_TRUE(found.has_status);
}

static void test_a_crd_may_be_without_status_or_namespace(void)
{
    struct prb_resource found;

    TEST_ASSERT_EQUAL_INT(0,
            create(CRDS,
                    "{'metadata':{'name':'bigs.example.io'},'spec':{'group':'example.io','scope':"
                    "'Cluster','names':{'plural':'bigs','kind':'Big'},"
                    "'versions':[{'name':'v1alpha1'"
                    ",'served':true},{'name':'v2','served':true},{'name':'v3','served':false}]}}"));
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(w.api, "example.io", "big", &found, &w.err));
    TEST_ASSERT_EQUAL_STRING("v2", found.gvr.version);
    TEST_ASSERT_FALSE(found.namespaced);
    TEST_ASSERT_FALSE(found.has_status);
    TEST_ASSERT_EQUAL_INT(
            0, create("bigs.example.io", "{'apiVersion':'example.io/v2','kind':'Big','metadata':{"
                                         "'name':'b'},'status':{'s':1}}"));
    TEST_ASSERT_EQUAL_STRING("1", got_at("/status/s"));
    TEST_ASSERT_EQUAL_INT(0, merge("bigs.example.io", "b", "", "{'status':{'s':2}}"));
    TEST_ASSERT_EQUAL_STRING("2", got_at("/metadata/generation"));
}

static void test_an_xrd_defines_composite_and_claim(void)
{
    struct prb_resource found;

    TEST_ASSERT_EQUAL_INT(0,
            create(XRDS,
                    "{'apiVersion':'apiextensions.crossplane.io/v1','kind':"
                    "'CompositeResourceDefinition','metadata':{'name':'xbuckets.store.example.io'},"
                    "'spec':{'group':'store.example.io','names':{'plural':'xbuckets','kind':"
                    "'XBucket'},'claimNames':{'plural':'buckets','kind':'Bucket'},'versions':[{"
                    "'name':'v1alpha1','served':true,'referenceable':true}]}}"));
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(w.api, "store.example.io", "xbucket", &found, &w.err));
    TEST_ASSERT_FALSE(found.namespaced);
    TEST_ASSERT_EQUAL_INT(0, prb_api_resolve(w.api, "store.example.io", "bucket", &found, &w.err));
    TEST_ASSERT_TRUE(found.namespaced);
    TEST_ASSERT_EQUAL_STRING("v1alpha1", found.gvr.version);
}

static void test_a_deleted_crd_takes_its_objects_and_its_kind_along(void)
{
    prb_auto(prb_watch_log_stop) struct prb_watch_log *log = NULL;
    struct prb_gvr gvr;
    struct prb_error why;

    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_INT(
            0, create(WIDGETS, "{" WIDGET ",'metadata':{'namespace':'ns','name':'a'}}"));
    gvr = gvr_of(WIDGETS);
    TEST_ASSERT_EQUAL_INT(0, prb_watch_log_start(w.api, &gvr, NULL, &log, &w.err));
    TEST_ASSERT_EQUAL_INT(0, erase(CRDS, WIDGETS));
    TEST_ASSERT_FALSE(has(CRDS, WIDGETS));
    TEST_ASSERT_FALSE(has(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
    TEST_ASSERT_CAME(prb_watch_log_wait_closed(log, PRB_TEST_PROMPT_MS, &why));
    TEST_ASSERT_EQUAL_INT(PRB_OK, why.code);
    TEST_ASSERT_EQUAL_INT(1, prb_watch_log_find(log, PRB_WATCH_DELETED, "a"));
}

static void test_a_finalizer_on_an_instance_holds_its_crd(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_INT(0,
            create(WIDGETS, "{" WIDGET
                            ",'metadata':{'namespace':'ns','name':'a','finalizers':['x.io/f']}}"));
    TEST_ASSERT_EQUAL_INT(
            0, create(WIDGETS, "{" WIDGET ",'metadata':{'namespace':'ns','name':'b'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase(CRDS, WIDGETS));
    TEST_ASSERT_EQUAL_STRING("[\"customresourcecleanup.apiextensions.k8s.io\"]",
            text_at(CRDS, WIDGETS, "/metadata/finalizers"));
    TEST_ASSERT_EQUAL_STRING("\"InstanceDeletionInProgress\"",
            text_at(CRDS, WIDGETS, "/status/conditions/2/reason"));
    TEST_ASSERT_FALSE(has(WIDGETS, "ns/b"));
    TEST_ASSERT_EQUAL_STRING(
            "\"2026-01-01T00:00:00Z\"", text_at(WIDGETS, "ns/a", "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_INT(PRB_E_UNSUPPORTED,
            create(WIDGETS, "{" WIDGET ",'metadata':{'namespace':'ns','name':'c'}}"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_FALSE(has(CRDS, WIDGETS));
}

static void test_a_crd_can_come_back(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_INT(0, erase(CRDS, WIDGETS));
    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_INT(
            0, create(WIDGETS, "{" WIDGET ",'metadata':{'namespace':'ns','name':'a'}}"));
}

static void test_a_crd_of_a_known_kind_decides_over_it(void)
{
    static const char work[] = "manifestworks.work.open-cluster-management.io";

    TEST_ASSERT_EQUAL_INT(0,
            create(CRDS,
                    "{'metadata':{'name':'%s'},'spec':{'group':'work.open-cluster-management.io',"
                    "'scope':'Namespaced','names':{'plural':'manifestworks','kind':'ManifestWork',"
                    "'shortNames':['mw']},'versions':[{'name':'v1','served':true,'storage':true,"
                    "'subresources':{'status':{}}}]}}",
                    work));
    TEST_ASSERT_EQUAL_INT(0, erase(CRDS, work));
    TEST_ASSERT_FALSE(has(work, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
}

struct seen {
    size_t widgets, namespaces, others;
};

static void see(void *ctx, const struct prb_resource *resource, size_t count)
{
    struct seen *seen = ctx;

    if (strcmp(resource->gvr.resource, "widgets") == 0)
        seen->widgets += 1 + count;
    else if (strcmp(resource->gvr.resource, "namespaces") == 0)
        seen->namespaces += count;
    else
        seen->others++;
}

static void test_collections_that_hold_or_were_defined_are_told(void)
{
    struct seen seen = { .widgets = 0 };

    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    prb_hub_each_resource(w.hub, see, &seen);
    TEST_ASSERT_EQUAL_size_t(1, seen.widgets);
    TEST_ASSERT_EQUAL_size_t(1, seen.namespaces);
    TEST_ASSERT_EQUAL_size_t(1, seen.others); /* the CRD */
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_crd_is_established_and_its_kind_is_served);
    RUN_TEST(test_a_crd_may_be_without_status_or_namespace);
    RUN_TEST(test_an_xrd_defines_composite_and_claim);
    RUN_TEST(test_a_deleted_crd_takes_its_objects_and_its_kind_along);
    RUN_TEST(test_a_finalizer_on_an_instance_holds_its_crd);
    RUN_TEST(test_a_crd_can_come_back);
    RUN_TEST(test_a_crd_of_a_known_kind_decides_over_it);
    RUN_TEST(test_collections_that_hold_or_were_defined_are_told);
    return UNITY_END();
}

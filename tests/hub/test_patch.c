/* What does a patch make of an object? */

#include <string.h>

#include "world.h"

#define WIDGETS "widgets.example.io"
#define WIDGET "'apiVersion':'example.io/v1','kind':'Widget'"

void setUp(void)
{
    world_init(NULL);
    (void)create_widgets();
    (void)create(WIDGETS, "{" WIDGET ",'metadata':{'namespace':'ns','name':'a','labels':{'l':'1'}},"
                          "'spec':{'x':1,'list':[1,2],'map':{'a':1,'b':2}}}");
}

void tearDown(void)
{
    world_done();
}

static void test_a_merge_patch_merges_maps_and_replaces_lists(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, merge(WIDGETS, "ns/a", "", "{'spec':{'list':[3],'map':{'a':null,'c':3}}}"));
    TEST_ASSERT_EQUAL_STRING("{\"list\":[3],\"map\":{\"b\":2,\"c\":3},\"x\":1}", got_at("/spec"));
}

static void test_a_json_patch_is_applied_in_order(void)
{
    TEST_ASSERT_EQUAL_INT(0,
            json_patch(WIDGETS, "ns/a", "",
                    "[{'op':'test','path':'/spec/x','value':1},{'op':'add','path':'/spec/list/-',"
                    "'value':3},{'op':'remove','path':'/spec/map'}]"));
    TEST_ASSERT_EQUAL_STRING("{\"list\":[1,2,3],\"x\":1}", got_at("/spec"));
}

static void test_json_patches_that_fail(void)
{
    static const struct {
        const char *why, *patch;
        enum prb_errc code;
    } cases[] = {
        { "a test that does not hold", "[{'op':'test','path':'/spec/x','value':2}]",
                PRB_E_CONFLICT },
        { "a path that is not there", "[{'op':'remove','path':'/spec/none'}]", PRB_E_INVALID },
        { "no list", "{'op':'remove'}", PRB_E_INVALID },
        { "an unknown operation", "[{'op':'frob','path':'/spec/x'}]", PRB_E_INVALID },
        { "one that takes the object away", "[{'op':'replace','path':'','value':1}]",
                PRB_E_INVALID },
        { "another resourceVersion",
                "[{'op':'add','path':'/metadata/resourceVersion','value':'1'}]", PRB_E_CONFLICT },
        { "another uid", "[{'op':'add','path':'/metadata/uid','value':'1'}]", PRB_E_INVALID },
        { "no name", "[{'op':'remove','path':'/metadata/name'}]", PRB_E_INVALID },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].code, json_patch(WIDGETS, "ns/a", "", "%s", cases[i].patch), cases[i].why);
    TEST_ASSERT_EQUAL_STRING("1", text_at(WIDGETS, "ns/a", "/spec/x"));
}

static void test_a_patch_can_be_for_one_version_only(void)
{
    struct prb_ref ref = ref_of(WIDGETS, "ns/a");
    prb_auto(prb_json_free) struct json_object *patch = json_object_new_object();
    prb_auto(prb_object_unref) struct prb_object *now = get(WIDGETS, "ns/a");
    struct prb_write_options options = { .resource_version = "1" };

    prb_json_set_int(prb_json_ensure_obj(patch, "spec"), "x", 2);
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT,
            prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, &options, NULL, &w.err));
    options.resource_version = prb_object_resource_version(now);
    TEST_ASSERT_EQUAL_INT(
            0, prb_api_patch(w.api, &ref, PRB_PATCH_MERGE, patch, &options, NULL, &w.err));
}

static void test_what_is_not_there_cannot_be_patched(void)
{
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, merge(WIDGETS, "ns/b", "", "{'spec':{}}"));
    TEST_ASSERT_EQUAL_STRING("widgets.example.io \"b\" not found", w.err.msg);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, json_patch(WIDGETS, "ns/b", "", "[]"));
    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, apply(WIDGETS, "ns/b", "status", "{" WIDGET ",'status':{'s':1}}"));
}

static void test_apply_creates_what_is_not_there(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, apply(WIDGETS, "ns/b", "", "{" WIDGET ",'metadata':{'name':'b'},'spec':{'y':1}}"));
    TEST_ASSERT_EQUAL_STRING("1", text_at(WIDGETS, "ns/b", "/spec/y"));
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT,
            apply(WIDGETS, "ns/c", "", "{" WIDGET ",'metadata':{'name':'c','uid':'1'}}"));
    TEST_ASSERT_FALSE(has(WIDGETS, "ns/c"));
}

static void test_apply_lays_maps_and_keyed_lists_over_what_is_there(void)
{
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "status",
                                     "{'status':{'conditions':[{'type':'A','status':'True'},"
                                     "{'type':'B','status':'True','reason':'r'}]}}"));
    TEST_ASSERT_EQUAL_INT(
            0, apply(WIDGETS, "ns/a", "status",
                       "{" WIDGET ",'status':{'conditions':[{'type':'B','status':'False'},"
                       "{'type':'C','status':'True'}]}}"));
    TEST_ASSERT_EQUAL_STRING("[{\"status\":\"True\",\"type\":\"A\"},{\"reason\":\"r\",\"status\":"
                             "\"False\",\"type\":\"B\"},{\"status\":\"True\",\"type\":\"C\"}]",
            got_at("/status/conditions"));
    TEST_ASSERT_EQUAL_INT(
            0, apply(WIDGETS, "ns/a", "", "{" WIDGET ",'spec':{'list':[9],'map':{'c':3}}}"));
    TEST_ASSERT_EQUAL_STRING(
            "{\"list\":[9],\"map\":{\"a\":1,\"b\":2,\"c\":3},\"x\":1}", got_at("/spec"));
}

static void test_apply_adds_finalizers_and_owners(void)
{
    static const char owner[] = "{'apiVersion':'v9','kind':'Unknown','name':'%s','uid':'%s'}";
    char first[128], second[128];

    (void)snprintf(first, sizeof(first), owner, "one", "1");
    (void)snprintf(second, sizeof(second), owner, "two", "2");
    TEST_ASSERT_EQUAL_INT(
            0, apply(WIDGETS, "ns/a", "",
                       "{" WIDGET ",'metadata':{'finalizers':['x.io/1'],'ownerReferences':[%s]}}",
                       first));
    TEST_ASSERT_EQUAL_INT(
            0, apply(WIDGETS, "ns/a", "",
                       "{" WIDGET
                       ",'metadata':{'finalizers':['x.io/2','x.io/1'],'ownerReferences':[%s]}}",
                       second));
    TEST_ASSERT_EQUAL_STRING("[\"x.io/1\",\"x.io/2\"]", got_at("/metadata/finalizers"));
    TEST_ASSERT_EQUAL_STRING("\"1\"", got_at("/metadata/ownerReferences/0/uid"));
    TEST_ASSERT_EQUAL_STRING("\"2\"", got_at("/metadata/ownerReferences/1/uid"));
}

static void test_an_apply_must_say_what_it_is(void)
{
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID, apply(WIDGETS, "ns/a", "", "{'spec':{}}"));
    TEST_ASSERT_EQUAL_INT(400, w.err.status);
    TEST_ASSERT_EQUAL_INT(PRB_E_INVALID,
            apply(WIDGETS, "ns/a", "", "{" WIDGET ",'metadata':{'managedFields':[{}]}}"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_merge_patch_merges_maps_and_replaces_lists);
    RUN_TEST(test_a_json_patch_is_applied_in_order);
    RUN_TEST(test_json_patches_that_fail);
    RUN_TEST(test_a_patch_can_be_for_one_version_only);
    RUN_TEST(test_what_is_not_there_cannot_be_patched);
    RUN_TEST(test_apply_creates_what_is_not_there);
    RUN_TEST(test_apply_lays_maps_and_keyed_lists_over_what_is_there);
    RUN_TEST(test_apply_adds_finalizers_and_owners);
    RUN_TEST(test_an_apply_must_say_what_it_is);
    return UNITY_END();
}

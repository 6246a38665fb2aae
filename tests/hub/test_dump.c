/* Does what is dumped load again as it was? */

#include <string.h>
#include <unistd.h>

#include "probate/base/mem.h"

#include "support/temp_dir.h"
#include "world.h"

static char *dir;
static char *target;

void setUp(void)
{
    world_init(NULL);
    dir = prb_test_temp_dir();
    target = prb_asprintf("%s/dump", dir);
}

void tearDown(void)
{
    free(target);
    prb_test_temp_dir_remove(dir);
    world_done();
}

/* The objects of a kind in a hub that differ from those of the same name in ours. */
struct comparing {
    struct prb_api *other;
    size_t same;
    size_t different;
};

static void compare_one(
        struct comparing *comparing, const struct prb_gvr *gvr, const struct prb_object *ours)
{
    prb_auto(prb_object_unref) struct prb_object *theirs = NULL;
    prb_auto(prb_json_free) struct json_object *left = prb_object_copy(ours), *right = NULL;
    struct prb_error err;
    struct prb_ref ref;

    (void)prb_object_ref_in(ours, gvr, &ref);
    if (prb_api_get(comparing->other, &ref, NULL, &theirs, &err) == 0)
        right = prb_object_copy(theirs);
    prb_json_del(prb_json_obj(left, "metadata"), "resourceVersion");
    prb_json_del(prb_json_obj(right, "metadata"), "resourceVersion");
    if (prb_json_equal(left, right))
        comparing->same++;
    else
        comparing->different++;
}

static void compare(void *ctx, const struct prb_resource *resource, size_t count)
{
    prb_auto(prb_page_done) struct prb_page page;
    struct prb_error err;

    (void)count;
    prb_page_init(&page);
    if (prb_api_list(w.api, &resource->gvr,
                &(struct prb_list_options){ .keep_managed_fields = true }, &page, &err) < 0)
        return;
    for (size_t i = 0; i < page.count; i++)
        compare_one(ctx, &resource->gvr, page.objects[i]);
}

static void test_a_dump_loads_again_equal(void)
{
    prb_auto(prb_hub_free) struct prb_hub *other = prb_hub_new(NULL);
    struct comparing comparing = { .other = prb_hub_api(other) };
    char name[251];

    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    TEST_ASSERT_EQUAL_INT(0, create_widgets());
    TEST_ASSERT_EQUAL_INT(
            0, create("widgets.example.io",
                       "{'apiVersion':'example.io/v1','kind':'Widget','metadata':{'namespace':'ns',"
                       "'name':'a','finalizers':['x.io/f']},'spec':{'on':true,"
                       "'text':'on','number':'1e3',"
                       "'nothing':null,'list':[],'map':{},'lines':'a\\nb\\n'}}"));
    TEST_ASSERT_EQUAL_INT(0, erase("widgets.example.io", "ns/a"));
    TEST_ASSERT_EQUAL_INT(
            0, create("configmaps", "{'metadata':{'namespace':'ns','name':'%s'}}", name));
    TEST_ASSERT_EQUAL_INT(
            0, create("clusterroles.rbac.authorization.k8s.io", "{'metadata':{'name':'.a:b'}}"));
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_hub_dump(w.hub, target, &w.err), w.err.msg);
    TEST_ASSERT_EQUAL_INT_MESSAGE(0, prb_hub_load(other, target, NULL, NULL, &w.err), w.err.msg);
    TEST_ASSERT_EQUAL_size_t(prb_hub_count(w.hub), prb_hub_count(other));
    prb_hub_each_resource(w.hub, compare, &comparing);
    TEST_ASSERT_EQUAL_size_t(5, comparing.same);
    TEST_ASSERT_EQUAL_size_t(0, comparing.different);
}

static void test_files_are_named_for_what_they_hold(void)
{
    static const char *const files[] = { "namespaces/ns.yaml", "configmaps/ns/a.yaml",
        "deployments.apps/ns/d.yaml" };

    TEST_ASSERT_EQUAL_INT(0, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    TEST_ASSERT_EQUAL_INT(
            0, create("deployments.apps", "{'metadata':{'namespace':'ns','name':'d'}}"));
    TEST_ASSERT_EQUAL_INT(0, prb_hub_dump(w.hub, target, &w.err));
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        prb_autofree char *path = prb_asprintf("%s/%s", target, files[i]);

        TEST_ASSERT_EQUAL_INT_MESSAGE(0, access(path, R_OK), path);
    }
}

static void test_a_folder_with_something_in_it_is_not_dumped_into(void)
{
    TEST_ASSERT_EQUAL_INT(0, prb_hub_dump(w.hub, target, &w.err));
    TEST_ASSERT_EQUAL_INT(PRB_E_EXISTS, prb_hub_dump(w.hub, target, &w.err));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, target));
}

static void test_a_folder_that_cannot_be_made_is_told(void)
{
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_hub_dump(w.hub, "/nonexistent/a/b", &w.err));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "/nonexistent/a/b"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_dump_loads_again_equal);
    RUN_TEST(test_files_are_named_for_what_they_hold);
    RUN_TEST(test_a_folder_with_something_in_it_is_not_dumped_into);
    RUN_TEST(test_a_folder_that_cannot_be_made_is_told);
    return UNITY_END();
}

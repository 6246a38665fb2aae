#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"

#include "group.h"
#include "support/json_text.h"

static struct prb_kube_group *group;

void setUp(void)
{
    group = prb_calloc(1, sizeof(*group));
}

void tearDown(void)
{
    prb_kube_group_free(group);
}

static void add(const char *version, size_t rank, const char *resources)
{
    prb_auto(prb_json_free) struct json_object *list =
            prb_test_json("{'kind':'APIResourceList','resources':%s}", resources);

    prb_kube_group_add(group, list, "apps", version, rank);
}

static void test_versions_come_with_the_preferred_one_first(void)
{
    prb_auto(prb_json_free) struct json_object *tree =
            prb_test_json("{'kind':'APIGroup','versions':[{'version':'v1beta1'},{'version':'v1'},"
                          "{'version':'v1alpha1'}],'preferredVersion':{'version':'v1'}}");
    const char *versions[PRB_KUBE_VERSIONS_MAX];

    TEST_ASSERT_EQUAL(3, prb_kube_group_versions(tree, versions));
    TEST_ASSERT_EQUAL_STRING("v1", versions[0]);
    TEST_ASSERT_EQUAL_STRING("v1beta1", versions[1]);
    TEST_ASSERT_EQUAL_STRING("v1alpha1", versions[2]);
}

static void test_the_core_group_lists_bare_versions(void)
{
    prb_auto(prb_json_free) struct json_object *tree =
            prb_test_json("{'kind':'APIVersions','versions':['v1']}");
    const char *versions[PRB_KUBE_VERSIONS_MAX];

    TEST_ASSERT_EQUAL(1, prb_kube_group_versions(tree, versions));
    TEST_ASSERT_EQUAL_STRING("v1", versions[0]);
}

static void test_damaged_or_endless_versions_do_no_harm(void)
{
    const char *versions[PRB_KUBE_VERSIONS_MAX];
    prb_auto(prb_json_free) struct json_object *odd =
            prb_test_json("{'versions':[1,null,{},{'version':''},{'version':2}]}");
    prb_auto(prb_json_free) struct json_object *many = prb_test_json("{'versions':[]}");

    for (int i = 0; i < 100; i++) {
        prb_autofree char *name = prb_asprintf("v%d", i);

        prb_json_push(prb_json_arr(many, "versions"), json_object_new_string(name));
    }
    TEST_ASSERT_EQUAL(0, prb_kube_group_versions(NULL, versions));
    TEST_ASSERT_EQUAL(0, prb_kube_group_versions(odd, versions));
    TEST_ASSERT_EQUAL(PRB_KUBE_VERSIONS_MAX, prb_kube_group_versions(many, versions));
}

static const char deployments[] =
        "[{'name':'deployments/status','kind':'Deployment'},"
        "{'name':'deployments','singularName':'','kind':'Deployment','namespaced':true,"
        "'shortNames':['deploy']},"
        "{'name':'deployments/scale','kind':'Scale'},"
        "{'name':'things','singularName':'thing','kind':'Thing','namespaced':false}]";

static void test_a_resource_is_found_by_each_of_its_names(void)
{
    static const struct {
        const char *name, *plural; /* NULL: none */
    } cases[] = {
        { "deployments", "deployments" },
        { "Deployment", "deployments" },
        { "deployment", "deployments" },
        { "DEPLOY", "deployments" },
        { "thing", "things" },
        { "Things", "things" },
        { "scale", NULL },
        { "deployments/status", NULL },
        { "", NULL },
        { "deploymen", NULL },
    };

    add("v1", 0, deployments);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_resource *found = prb_kube_group_find(group, cases[i].name);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].plural, found ? found->gvr.resource : NULL, cases[i].name);
    }
}

/* All that is known of a resource, as text (heap). */
static char *describe(const char *name)
{
    const struct prb_resource *found = prb_kube_group_find(group, name);

    if (!found)
        return prb_strdup("none");
    return prb_asprintf("%s/%s %s (%s)%s%s", found->gvr.group, found->gvr.version, found->kind,
            found->singular, found->namespaced ? " namespaced" : "",
            found->has_status ? " status" : "");
}

static void test_scope_kind_and_status_are_told(void)
{
    prb_autofree char *deployment = NULL, *thing = NULL;

    add("v1", 0, deployments);
    deployment = describe("deploy");
    thing = describe("things");
    TEST_ASSERT_EQUAL_STRING("apps/v1 Deployment () namespaced status", deployment);
    TEST_ASSERT_EQUAL_STRING("apps/v1 Thing (thing)", thing);
}

static void test_the_preferred_version_wins_and_others_are_searched_too(void)
{
    prb_autofree char *as = NULL, *bs = NULL;

    add("v1", 0, "[{'name':'as','kind':'A'}]");
    add("v1beta1", 1, "[{'name':'as','kind':'A'},{'name':'bs','kind':'B'}]");
    as = describe("as");
    bs = describe("bs");
    TEST_ASSERT_EQUAL_STRING("apps/v1 A ()", as);
    TEST_ASSERT_EQUAL_STRING("apps/v1beta1 B ()", bs);
}

static void test_a_plural_wins_over_the_short_name_of_another(void)
{
    prb_autofree char *seconds = NULL;

    add("v1", 0,
            "[{'name':'firsts','kind':'First','shortNames':['seconds']},"
            "{'name':'seconds','kind':'Second'}]");
    seconds = describe("seconds");
    TEST_ASSERT_EQUAL_STRING("apps/v1 Second ()", seconds);
}

static void test_entries_that_no_name_can_hold_are_left_out(void)
{
    add("v1", 0,
            "[{'name':'a/../b','kind':'A'},{'name':'UPPER','kind':'U'},{'kind':'NoName'},"
            "{'name':'nokind'},null,1,{'name':'good','kind':'Good'}]");
    TEST_ASSERT_EQUAL(1, group->count);
    TEST_ASSERT_NOT_NULL(prb_kube_group_find(group, "good"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_versions_come_with_the_preferred_one_first);
    RUN_TEST(test_the_core_group_lists_bare_versions);
    RUN_TEST(test_damaged_or_endless_versions_do_no_harm);
    RUN_TEST(test_a_resource_is_found_by_each_of_its_names);
    RUN_TEST(test_scope_kind_and_status_are_told);
    RUN_TEST(test_the_preferred_version_wins_and_others_are_searched_too);
    RUN_TEST(test_a_plural_wins_over_the_short_name_of_another);
    RUN_TEST(test_entries_that_no_name_can_hold_are_left_out);
    return UNITY_END();
}

#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"

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

/* The versions with blanks between, or the error (heap). */
static char *versions_of(const struct json_object *tree)
{
    prb_auto(prb_str_done) struct prb_str text;
    prb_autofree const char **versions = NULL;
    struct prb_error err;
    size_t count;

    prb_str_init(&text, 65536);
    if (prb_kube_group_versions(tree, "g.io", &versions, &count, &err) < 0)
        return prb_asprintf("%s: %s", prb_errc_name(err.code), err.msg);
    for (size_t i = 0; i < count; i++)
        prb_str_addf(&text, "%s%s", i ? " " : "", versions[i]);
    return prb_str_take(&text);
}

static void test_versions_come_with_the_preferred_one_first(void)
{
    prb_auto(prb_json_free) struct json_object *tree =
            prb_test_json("{'kind':'APIGroup','versions':[{'version':'v1beta1'},{'version':'v1'},"
                          "{'version':'v1alpha1'}],'preferredVersion':{'version':'v1'}}");
    prb_autofree char *text = versions_of(tree);

    TEST_ASSERT_EQUAL_STRING("v1 v1beta1 v1alpha1", text);
}

static void test_the_core_group_lists_bare_versions(void)
{
    prb_auto(prb_json_free) struct json_object *tree =
            prb_test_json("{'kind':'APIVersions','versions':['v1']}");
    prb_autofree char *text = versions_of(tree);

    TEST_ASSERT_EQUAL_STRING("v1", text);
}

static struct json_object *group_with(size_t count)
{
    struct json_object *tree = prb_test_json("{'versions':[]}");

    for (size_t i = 0; i < count; i++) {
        prb_autofree char *name = prb_asprintf("v%zu", i);

        prb_json_push(prb_json_arr(tree, "versions"), json_object_new_string(name));
    }
    return tree;
}

static void test_of_many_versions_none_is_left_out(void)
{
    prb_auto(prb_json_free) struct json_object *many = group_with(PRB_KUBE_VERSIONS_MAX);
    prb_auto(prb_json_free) struct json_object *endless = group_with(PRB_KUBE_VERSIONS_MAX + 1);
    prb_autofree char *all = versions_of(many), *refused = versions_of(endless);

    TEST_ASSERT_NOT_NULL_MESSAGE(strstr(all, " v1022 v1023"), all);
    TEST_ASSERT_EQUAL_STRING("io: discovery of group \"g.io\": it has 1025 versions, more than the "
                             "1024 that are looked at",
            refused);
}

static void test_a_version_without_a_name_is_an_error(void)
{
    static const char *const odd[] = { "1", "null", "{}", "{'version':''}", "{'version':2}" };

    for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); i++) {
        prb_auto(prb_json_free) struct json_object *tree =
                prb_test_json("{'versions':[{'version':'v1'},%s]}", odd[i]);
        prb_autofree char *text = versions_of(tree);

        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "io: discovery of group \"g.io\": one of its versions has no name", text, odd[i]);
    }
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

/* Whoever may define kinds could else have one of them looked at in place of another. */
static void test_a_plural_wins_over_a_kind_in_the_preferred_version(void)
{
    prb_autofree char *things = NULL;

    add("v9", 0, "[{'name':'impostors','kind':'Things'}]");
    add("v1", 1, "[{'name':'things','kind':'Thing'}]");
    things = describe("things");
    TEST_ASSERT_EQUAL_STRING("apps/v1 Thing ()", things);
}

static void test_entries_that_no_name_can_hold_are_left_out(void)
{
    add("v1", 0,
            "[{'name':'a/../b','kind':'A'},{'name':'UPPER','kind':'U'},{'kind':'NoName'},"
            "{'name':'nokind'},null,1,{'name':'good','kind':'Good'}]");
    TEST_ASSERT_EQUAL(1, group->count);
    TEST_ASSERT_NOT_NULL(prb_kube_group_find(group, "good"));
    TEST_ASSERT_TRUE_MESSAGE(group->partial, "and that is known");
}

static void test_what_was_read_whole_is_not_partial(void)
{
    add("v1", 0, deployments);
    TEST_ASSERT_FALSE(group->partial);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_versions_come_with_the_preferred_one_first);
    RUN_TEST(test_the_core_group_lists_bare_versions);
    RUN_TEST(test_of_many_versions_none_is_left_out);
    RUN_TEST(test_a_version_without_a_name_is_an_error);
    RUN_TEST(test_a_resource_is_found_by_each_of_its_names);
    RUN_TEST(test_scope_kind_and_status_are_told);
    RUN_TEST(test_the_preferred_version_wins_and_others_are_searched_too);
    RUN_TEST(test_a_plural_wins_over_the_short_name_of_another);
    RUN_TEST(test_a_plural_wins_over_a_kind_in_the_preferred_version);
    RUN_TEST(test_what_was_read_whole_is_not_partial);
    RUN_TEST(test_entries_that_no_name_can_hold_are_left_out);
    return UNITY_END();
}

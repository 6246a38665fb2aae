#include <unity.h>

#include "probate/model/critical_service.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* An object with this spec; NULL when the text is no object. */
static struct prb_object *object_of(const char *spec)
{
    struct prb_object *object = NULL;
    struct prb_error err;

    (void)prb_object_new(
            prb_test_json("{'metadata':{'name':'guard'},'spec':%s}", spec), &object, &err);
    return object;
}

#define PROVIDER \
    "'provider':{'group':'apps','resource':'deployments','namespace':'ops','name':'op'}"

static const char sample[] =
        "{" PROVIDER ",'criteria':[{'type':'Finalizer','finalizer':{'group':'my.crd.group',"
        "'resource':'coolresources','finalizerName':'my.crd.group/super-important'}},"
        "{'type':'SpecificResource','specificResource':{'group':'apiextensions.k8s.io',"
        "'resource':'CustomResourceDefinition','name':'coolresources.my.crd.group'}}]}";

static void test_the_sample_of_the_design_reads_as_it_is_written(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = object_of(sample);
    struct prb_critical_service read;
    struct prb_ref provider;

    TEST_ASSERT_NOT_NULL(object);
    prb_critical_service_read(object, &read);
    TEST_ASSERT_EQUAL_PTR(object, read.object);
    TEST_ASSERT_EQUAL_STRING("guard", read.name);
    TEST_ASSERT_TRUE(prb_critical_service_provider(&read, &provider));
    TEST_ASSERT_TRUE(prb_gvr_equal(&prb_deployments, &provider.gvr));
    TEST_ASSERT_EQUAL_STRING("ops", provider.namespace);
    TEST_ASSERT_EQUAL_STRING("op", provider.name);
    TEST_ASSERT_FALSE(read.best_effort);
    TEST_ASSERT_FALSE(read.too_many);
    TEST_ASSERT_EQUAL_size_t(2, read.criterion_count);
    TEST_ASSERT_EQUAL_INT(PRB_CRITERION_FINALIZER, read.criteria[0].type);
    TEST_ASSERT_EQUAL_STRING("my.crd.group", read.criteria[0].group);
    TEST_ASSERT_EQUAL_STRING("coolresources", read.criteria[0].resource);
    TEST_ASSERT_EQUAL_STRING("my.crd.group/super-important", read.criteria[0].finalizer);
    TEST_ASSERT_EQUAL_INT(PRB_CRITERION_RESOURCE, read.criteria[1].type);
    TEST_ASSERT_EQUAL_STRING("", read.criteria[1].namespace);
    TEST_ASSERT_EQUAL_STRING("coolresources.my.crd.group", read.criteria[1].name);
}

static void test_only_best_effort_spelled_so_is_best_effort(void)
{
    static const struct {
        const char *spec;
        bool best_effort;
    } cases[] = {
        { "{'deletionPolicy':'BestEffort'}", true },
        { "{'deletionPolicy':'Strict'}", false },
        { "{'deletionPolicy':'besteffort'}", false },
        { "{'deletionPolicy':true}", false },
        { "{}", false },
        { "'BestEffort'", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = object_of(cases[i].spec);
        struct prb_critical_service read;

        TEST_ASSERT_NOT_NULL(object);
        prb_critical_service_read(object, &read);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].best_effort, read.best_effort, cases[i].spec);
    }
}

/* What is half understood might hold: it must be a criterion that nothing satisfies. */
static void test_a_criterion_is_understood_whole_or_not_at_all(void)
{
    static const struct {
        const char *criterion;
        enum prb_criterion_type type;
    } cases[] = {
        { "{'type':'Finalizer','finalizer':{'resource':'secrets','finalizerName':'a/b'}}",
                PRB_CRITERION_FINALIZER },
        { "{'type':'Finalizer','specificResource':null,"
          "'finalizer':{'group':null,'resource':'secrets','finalizerName':'a/b'}}",
                PRB_CRITERION_FINALIZER },
        { "{'type':'SpecificResource','specificResource':{'resource':'nodes','name':'n'}}",
                PRB_CRITERION_RESOURCE },
        { "{'type':'SpecificResource',"
          "'specificResource':{'resource':'secrets','namespace':'a','name':'n'}}",
                PRB_CRITERION_RESOURCE },
        { "{'type':'finalizer','finalizer':{'resource':'secrets','finalizerName':'a/b'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'finalizer':{'resource':'secrets','finalizerName':'a/b'}}", PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer'}", PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','finalizer':{'resource':'secrets'}}", PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','finalizer':{'resource':'secrets','finalizerName':''}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','finalizer':{'finalizerName':'a/b'}}", PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','finalizer':{'group':7,'resource':'x','finalizerName':'a/b'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','finalizer':{'resource':'secrets','finalizerName':'a/b'},"
          "'specificResource':{'resource':'nodes','name':'n'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'Finalizer','specificResource':{'resource':'nodes','name':'n'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'SpecificResource','specificResource':{'resource':'nodes'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'SpecificResource',"
          "'specificResource':{'resource':'nodes','namespace':[],'name':'n'}}",
                PRB_CRITERION_UNKNOWN },
        { "{'type':'SpecificResource','finalizer':'x',"
          "'specificResource':{'resource':'nodes','name':'n'}}",
                PRB_CRITERION_UNKNOWN },
        { "null", PRB_CRITERION_UNKNOWN },
        { "'Finalizer'", PRB_CRITERION_UNKNOWN },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = NULL;
        struct prb_critical_service read;
        struct prb_error err;

        TEST_ASSERT_EQUAL_INT(0,
                prb_object_new(prb_test_json("{'metadata':{'name':'g'},'spec':{'criteria':[%s]}}",
                                       cases[i].criterion),
                        &object, &err));
        prb_critical_service_read(object, &read);
        TEST_ASSERT_EQUAL_size_t(1, read.criterion_count);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].type, read.criteria[0].type, cases[i].criterion);
    }
}

/* Also where there are none: the definition demands them, so its schema was changed. */
static void test_criteria_that_are_no_list_are_one_that_nothing_satisfies(void)
{
    static const char *const specs[] = { "{'criteria':{'type':'x'}}", "{'criteria':null}",
        "{'provider':{}}" };

    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = object_of(specs[i]);
        struct prb_critical_service read;

        TEST_ASSERT_NOT_NULL(object);
        prb_critical_service_read(object, &read);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, read.criterion_count, specs[i]);
        TEST_ASSERT_EQUAL_INT_MESSAGE(PRB_CRITERION_UNKNOWN, read.criteria[0].type, specs[i]);
    }
}

static void test_more_criteria_than_there_is_room_for_are_told(void)
{
    struct json_object *list = json_object_new_array();
    struct json_object *tree = prb_test_json("{'metadata':{'name':'g'},'spec':{}}");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_critical_service read;
    struct prb_error err;

    for (int i = 0; i <= PRB_CRITERIA_MAX; i++)
        prb_json_push(list, prb_test_json("{}"));
    prb_json_set(prb_json_obj(tree, "spec"), "criteria", list);
    TEST_ASSERT_EQUAL_INT(0, prb_object_new(tree, &object, &err));
    prb_critical_service_read(object, &read);
    TEST_ASSERT_TRUE(read.too_many);
    TEST_ASSERT_EQUAL_size_t(PRB_CRITERIA_MAX, read.criterion_count);
}

static void test_a_provider_is_guarded_by_namespace_and_name(void)
{
    static const struct {
        const char *spec, *namespace, *name;
        bool provides, lives_in;
    } cases[] = {
        { "{" PROVIDER "}", "ops", "op", true, true },
        { "{" PROVIDER "}", "ops", "other", false, true },
        { "{" PROVIDER "}", "other", "op", false, false },
        { "{" PROVIDER "}", "", "op", false, false },
        { "{'provider':{'group':'apps','resource':'Deployment','namespace':'ops','name':'op'}}",
                "ops", "op", true, true },
        { "{'provider':{'group':'apps','resource':'statefulsets','namespace':'ops','name':'op'}}",
                "ops", "op", false, false },
        { "{'provider':{'resource':'deployments','namespace':'ops','name':'op'}}", "ops", "op",
                false, false },
        { "{'provider':{'group':'apps','resource':'deployments'}}", "", "", false, false },
        { "{}", "ops", "op", false, false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = object_of(cases[i].spec);
        struct prb_critical_service read;

        TEST_ASSERT_NOT_NULL(object);
        prb_critical_service_read(object, &read);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].provides,
                prb_critical_service_provides(&read, cases[i].namespace, cases[i].name),
                cases[i].spec);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].lives_in,
                prb_critical_service_lives_in(&read, cases[i].namespace), cases[i].spec);
    }
}

static void test_a_provider_that_could_not_exist_is_no_ref(void)
{
    static const char *const specs[] = {
        "{'provider':{'group':'apps','resource':'deployments','namespace':'','name':'op'}}",
        "{'provider':{'group':'apps','resource':'deployments','namespace':'ops','name':''}}",
        "{'provider':{'group':'apps','resource':'deployments','namespace':'ops','name':'../x'}}",
        "{'provider':{'group':'','resource':'pods','namespace':'ops','name':'op'}}",
        "{'provider':7}",
    };

    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *object = object_of(specs[i]);
        struct prb_critical_service read;
        struct prb_ref ref;

        TEST_ASSERT_NOT_NULL(object);
        prb_critical_service_read(object, &read);
        TEST_ASSERT_FALSE_MESSAGE(prb_critical_service_provider(&read, &ref), specs[i]);
    }
}

static void test_the_three_kinds_go_by_any_of_their_names(void)
{
    static const struct {
        bool (*means)(const char *group, const char *resource);
        const char *group, *resource;
        bool expected;
    } cases[] = {
        { prb_means_deployments, "apps", "deployments", true },
        { prb_means_deployments, "apps", "Deployment", true },
        { prb_means_deployments, "apps", "deploy", true },
        { prb_means_deployments, "apps", "DEPLOYMENTS", true },
        { prb_means_deployments, "extensions", "deployments", false },
        { prb_means_deployments, "", "deployments", false },
        { prb_means_deployments, "apps", "daemonsets", false },
        { prb_means_deployments, "apps", "", false },
        { prb_means_namespaces, "", "namespaces", true },
        { prb_means_namespaces, "", "Namespace", true },
        { prb_means_namespaces, "", "ns", true },
        { prb_means_namespaces, "apps", "ns", false },
        { prb_means_critical_services, "probate.dev", "criticalservices", true },
        { prb_means_critical_services, "probate.dev", "CriticalService", true },
        { prb_means_critical_services, "probate.dev", "crit", true },
        { prb_means_critical_services, "", "crit", false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].expected,
                cases[i].means(cases[i].group, cases[i].resource), cases[i].resource);
}

static void test_criteria_are_equal_when_every_member_is(void)
{
    static const struct prb_criterion base = { PRB_CRITERION_RESOURCE, "g", "r", "", "ns", "n" };
    struct prb_criterion other = base;

    TEST_ASSERT_TRUE(prb_criterion_equal(&base, &other));
    other.type = PRB_CRITERION_FINALIZER;
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other = base;
    other.group = "h";
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other = base;
    other.resource = "s";
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other.resource = "R"; /* may be a kind, and so another resource */
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other = base;
    other.finalizer = "f";
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other = base;
    other.namespace = "x";
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
    other = base;
    other.name = "N";
    TEST_ASSERT_FALSE(prb_criterion_equal(&base, &other));
}

static void test_a_criterion_says_what_must_be_so(void)
{
    static const struct {
        struct prb_criterion criterion;
        const char *text;
    } cases[] = {
        { { PRB_CRITERION_FINALIZER, "my.crd.group", "coolresources", "my.crd.group/x", "", "" },
                "no coolresources.my.crd.group has the finalizer my.crd.group/x" },
        { { PRB_CRITERION_FINALIZER, "", "secrets", "a/b", "", "" },
                "no secrets has the finalizer a/b" },
        { { PRB_CRITERION_RESOURCE, "apps", "deployments", "", "ns", "d" },
                "deployments.apps ns/d is gone" },
        { { PRB_CRITERION_RESOURCE, "", "nodes", "", "", "n1" }, "nodes n1 is gone" },
        { { PRB_CRITERION_UNKNOWN, "", "", "", "", "" }, "a criterion that cannot be understood" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_str_done) struct prb_str text;

        prb_str_init(&text, 512);
        prb_criterion_text(&cases[i].criterion, &text);
        TEST_ASSERT_EQUAL_STRING(cases[i].text, prb_str_get(&text));
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_sample_of_the_design_reads_as_it_is_written);
    RUN_TEST(test_only_best_effort_spelled_so_is_best_effort);
    RUN_TEST(test_a_criterion_is_understood_whole_or_not_at_all);
    RUN_TEST(test_criteria_that_are_no_list_are_one_that_nothing_satisfies);
    RUN_TEST(test_more_criteria_than_there_is_room_for_are_told);
    RUN_TEST(test_a_provider_is_guarded_by_namespace_and_name);
    RUN_TEST(test_a_provider_that_could_not_exist_is_no_ref);
    RUN_TEST(test_the_three_kinds_go_by_any_of_their_names);
    RUN_TEST(test_criteria_are_equal_when_every_member_is);
    RUN_TEST(test_a_criterion_says_what_must_be_so);
    return UNITY_END();
}

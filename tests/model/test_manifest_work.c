/* What does a ManifestWork ask for? */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/model/manifest_work.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

static struct prb_object *work_of(const char *spec)
{
    struct prb_object *work = NULL;
    struct prb_error err;

    (void)prb_object_draft(prb_test_json("{'spec':%s}", spec), &work, &err);
    return work;
}

#define MANIFEST(version, kind, name) \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'" name "'}}"

static void test_manifests_come_by_rank_and_then_as_they_are_written(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = work_of(
            "{'workload':{'manifests':["
            "{'kind':'X'}," MANIFEST("example.com/v1", "Service", "0") "," MANIFEST(
                    "apps/v1", "Deployment", "1") "," MANIFEST("v1", "ConfigMap",
                    "2") "," MANIFEST("v1", "Secret", "3") "," MANIFEST("v1", "Namespace",
                    "4") "," MANIFEST("v1", "Service", "5") "," MANIFEST("apiextensions.k8s.io/v1",
                    "CustomResourceDefinition", "6") "," MANIFEST("rbac.authorization.k8s.io/v1",
                    "Role", "7") "," MANIFEST("v1", "ServiceAccount",
                    "8") "," MANIFEST("apiregistration.k8s.io/v1", "APIService", "9") "]}}");
    static const char *const names[] = { "4", "6", "7", "8", "2", "3", "5", "1", "9", "0", "" };
    prb_auto(prb_manifest_work_done) struct prb_manifest_work read;

    prb_manifest_work_read(work, &read);
    TEST_ASSERT_EQUAL_size_t(11, read.count);
    for (size_t i = 0; i < read.count && i < sizeof(names) / sizeof(names[0]); i++)
        TEST_ASSERT_EQUAL_STRING(names[i], read.manifests[i].name);
    TEST_ASSERT_EQUAL_size_t(5, read.manifests[0].ordinal);
    TEST_ASSERT_EQUAL_STRING("example.com", read.manifests[9].group);
}

static void test_what_can_never_be_applied_is_said(void)
{
    static const struct {
        const char *manifest, *defect;
    } cases[] = {
        { "7", "the manifest is not a map" },
        { "null", "the manifest is not a map" },
        { "{}", "the manifest has no apiVersion" },
        { "{'apiVersion':7,'kind':'K'}", "the manifest has no apiVersion" },
        { "{'apiVersion':'a/b/c','kind':'K'}", "apiVersion \"a/b/c\" is malformed" },
        { "{'apiVersion':'hub.probate.dev/v1','kind':'K'}",
                "group \"hub.probate.dev\" is not one of a cluster" },
        { "{'apiVersion':'v1'}", "the manifest has no kind" },
        { "{'apiVersion':'work.open-cluster-management.io/v1','kind':'AppliedManifestWork',"
          "'metadata':{'name':'a'}}",
                "an AppliedManifestWork is an agent's own record of a work, and not to be brought "
                "by one" },
        { "{'apiVersion':'v1','kind':'K'}", "the manifest has no metadata.name" },
        { "{'apiVersion':'v1','kind':'K','metadata':{'generateName':'a-'}}",
                "generateName is not supported: nobody could find the object again, give it a "
                "metadata.name" },
        { MANIFEST("v1", "K", "a/b"), "namespace \"\" or name \"a/b\" is not possible" },
        { MANIFEST("v1", "K", ".."), "namespace \"\" or name \"..\" is not possible" },
        { "{'apiVersion':'v1','kind':'K','metadata':{'name':'a','generateName':'a-'}}", "" },
        { MANIFEST("v1", "K", "a"), "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_manifest_work_done) struct prb_manifest_work read;
        char spec[512];
        prb_auto(prb_object_unref) struct prb_object *work = NULL;

        (void)snprintf(spec, sizeof(spec), "{'workload':{'manifests':[%s]}}", cases[i].manifest);
        work = work_of(spec);
        prb_manifest_work_read(work, &read);
        TEST_ASSERT_EQUAL_size_t(1, read.count);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                cases[i].defect, read.manifests[0].defect, cases[i].manifest);
    }
}

static void test_a_spec_of_anything_is_read(void)
{
    static const char *const specs[] = { "{}", "{'workload':{}}", "{'workload':null}",
        "{'workload':{'manifests':null}}", "{'manifestConfigs':{},'deleteOption':7}",
        "{'manifestConfigs':[7,{},{'resourceIdentifier':{}},{'updateStrategy':{}}]}" };

    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *work = work_of(specs[i]);
        prb_auto(prb_manifest_work_done) struct prb_manifest_work read;

        prb_manifest_work_read(work, &read);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, read.count, specs[i]);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(0, read.config_count, specs[i]);
        TEST_ASSERT_FALSE_MESSAGE(read.has_executor, specs[i]);
    }
}

/* It must not pass for a work that has no manifests any more. */
static void test_manifests_that_are_no_list_are_one_that_is_broken(void)
{
    static const char *const specs[] = { "7", "{'workload':7}", "{'workload':[]}",
        "{'workload':{'manifests':{}}}", "{'workload':{'manifests':''}}" };

    for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
        prb_auto(prb_object_unref) struct prb_object *work = work_of(specs[i]);
        prb_auto(prb_manifest_work_done) struct prb_manifest_work read;

        prb_manifest_work_read(work, &read);
        TEST_ASSERT_EQUAL_size_t_MESSAGE(1, read.count, specs[i]);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "the manifest is not a map", read.manifests[0].defect, specs[i]);
    }
}

static void test_an_executor_of_any_form_is_seen(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = work_of("{'executor':{}}");
    prb_auto(prb_manifest_work_done) struct prb_manifest_work read;

    prb_manifest_work_read(work, &read);
    TEST_ASSERT_TRUE(read.has_executor);
}

#define CONFIG(namespace, name, strategy)                                                                               \
    "{'resourceIdentifier':{'group':'','resource':'configmaps','namespace':'" namespace "','name':'" name               \
                                                                                        "'},'updateStrategy':" strategy \
                                                                                        "}"
#define TYPE(type) "{'type':'" type "'}"

static void test_the_first_config_that_names_it_counts(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = work_of(
            "{'manifestConfigs':["
            "{'resourceIdentifier':{'resource':'configmaps','namespace':'n','name':'a'},"
            "'feedbackRules':[]}," CONFIG("n", "a", TYPE("CreateOnly")) "," CONFIG("n", "a*z",
                    TYPE("ReadOnly")) "," CONFIG("*", "b", TYPE("ServerSideApply")) "," CONFIG("",
                    "c", "{}") "," CONFIG("n", "*", TYPE("Other")) "]}");
    static const struct {
        const char *group, *resource, *namespace, *name;
        int strategy; /* -1: none names it */
    } cases[] = {
        { "", "configmaps", "n", "a", PRB_CREATE_ONLY },
        { "", "configmaps", "n", "az", PRB_READ_ONLY },
        { "", "configmaps", "n", "a--z", PRB_READ_ONLY },
        { "", "configmaps", "n", "azazz", PRB_READ_ONLY },
        { "", "configmaps", "n", "azy", PRB_UPDATE_UNKNOWN },
        { "", "configmaps", "m", "b", PRB_SERVER_SIDE_APPLY },
        { "", "configmaps", "", "b", PRB_SERVER_SIDE_APPLY },
        { "", "configmaps", "", "c", PRB_UPDATE },
        { "", "configmaps", "m", "c", -1 },
        { "", "configmaps", "m", "a", -1 },
        { "x.io", "configmaps", "n", "a", -1 },
        { "", "secrets", "n", "a", -1 },
    };
    prb_auto(prb_manifest_work_done) struct prb_manifest_work read;

    prb_manifest_work_read(work, &read);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct prb_manifest_config *config = prb_manifest_work_config(
                &read, cases[i].group, cases[i].resource, cases[i].namespace, cases[i].name);

        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].strategy, config ? (int)config->strategy : -1, cases[i].name);
    }
}

static void test_a_strategy_with_what_is_not_supported_is_unknown(void)
{
    static const struct {
        const char *strategy;
        enum prb_update_strategy wanted;
        bool force;
        const char *manager;
    } cases[] = {
        { TYPE("ServerSideApply"), PRB_SERVER_SIDE_APPLY, false, "" },
        { "{'type':'ServerSideApply','serverSideApply':{'force':true,'fieldManager':'m',"
          "'ignoreFields':[]}}",
                PRB_SERVER_SIDE_APPLY, true, "m" },
        { "{'type':'ServerSideApply','serverSideApply':{'ignoreFields':[{}]}}", PRB_UPDATE_UNKNOWN,
                false, "" },
        { "{'type':'ServerSideApply','serverSideApply':{'ignoreFields':{}}}", PRB_UPDATE_UNKNOWN,
                false, "" },
        { "{'type':'update'}", PRB_UPDATE_UNKNOWN, false, "" },
        { "{'type':7}", PRB_UPDATE_UNKNOWN, false, "" },
        { "'Update'", PRB_UPDATE_UNKNOWN, false, "" },
        { "{}", PRB_UPDATE, false, "" },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_manifest_work_done) struct prb_manifest_work read;
        prb_auto(prb_object_unref) struct prb_object *work = NULL;
        char spec[512];

        (void)snprintf(spec, sizeof(spec),
                "{'manifestConfigs':[{'resourceIdentifier':{'name':'a'},'updateStrategy':%s}]}",
                cases[i].strategy);
        work = work_of(spec);
        prb_manifest_work_read(work, &read);
        TEST_ASSERT_EQUAL_size_t(1, read.config_count);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].wanted, read.configs[0].strategy, cases[i].strategy);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].force, read.configs[0].force, cases[i].strategy);
        TEST_ASSERT_EQUAL_STRING(cases[i].manager, read.configs[0].field_manager);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].wanted == PRB_UPDATE_UNKNOWN,
                read.configs[0].trouble[0] != '\0', cases[i].strategy);
    }
}

#define SELECT(rules) \
    "{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphans':{'orphaningRules':" rules "}}"

static void test_what_is_owned(void)
{
    static const struct {
        const char *option;
        bool owned;
    } cases[] = {
        { "null", true },
        { "{}", true },
        { "{'propagationPolicy':'Foreground'}", true },
        { "{'propagationPolicy':'Foreground','selectivelyOrphans':{'orphaningRules':[{'resource':"
          "'configmaps','namespace':'n','name':'a'}]}}",
                true },
        { "{'propagationPolicy':'Orphan'}", false },
        { "{'propagationPolicy':'Keep'}", false },
        { "{'propagationPolicy':7}", false },
        { "'Foreground'", false },
        { SELECT("7"), false },
        { "{'selectivelyOrphans':7}", false },
        { SELECT("[]"), true },
        { SELECT("[{'resource':'configmaps','namespace':'n','name':'a'}]"), false },
        { SELECT("[{'resource':'configmaps','namespace':'n','name':'b'}]"), true },
        { SELECT("[{'resource':'configmaps','name':'a'}]"), true },
        { SELECT("[{'resource':'configmaps','namespace':'n','name':'b'},{'resource':7}]"), false },
        { "{'propagationPolicy':'Foreground','selectivelyOrphans':{'orphaningRules':[7]}}", true },
        { "{'propagationPolicy':'SelectivelyOrphan','selectivelyOrphan':[{'resource':'configmaps',"
          "'resourceNamespace':'n','resourceName':'a'}]}",
                false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_auto(prb_delete_option_done) struct prb_delete_option option;
        prb_auto(prb_object_unref) struct prb_object *work = NULL;
        char spec[512];

        (void)snprintf(spec, sizeof(spec), "{'deleteOption':%s}", cases[i].option);
        work = work_of(spec);
        prb_delete_option_read(work, &option);
        TEST_ASSERT_EQUAL_MESSAGE(cases[i].owned,
                prb_delete_option_owns(&option, "", "configmaps", "n", "a"), cases[i].option);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_manifests_come_by_rank_and_then_as_they_are_written);
    RUN_TEST(test_what_can_never_be_applied_is_said);
    RUN_TEST(test_a_spec_of_anything_is_read);
    RUN_TEST(test_manifests_that_are_no_list_are_one_that_is_broken);
    RUN_TEST(test_an_executor_of_any_form_is_seen);
    RUN_TEST(test_the_first_config_that_names_it_counts);
    RUN_TEST(test_a_strategy_with_what_is_not_supported_is_unknown);
    RUN_TEST(test_what_is_owned);
    return UNITY_END();
}

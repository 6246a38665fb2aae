/*
 * Do the definitions that the chart brings for a hub without the foreign projects mean the same as
 * the originals, and have they all that Probate looks at?
 *
 *     test_crds FOLDER [FOLDER-OF-THE-ORIGINALS]
 *
 * Where the originals are not at hand the comparison is left out, and says so.
 */

#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/rules/registry.h"

#include "crd.h"
#include "support/json_text.h"

static const char *folder, *originals;
static const char *file; /* what this test is about */

void setUp(void)
{
}

void tearDown(void)
{
}

#define ASSERT_SAME(report)           \
    TEST_ASSERT_EQUAL_STRING_MESSAGE( \
            "", prb_str_get(&(report)->differences), "it differs from the original")

/* ---- with the originals ---- */

static void check_against_the_original(void)
{
    prb_auto(prb_json_free) struct json_object *ours = crd_load(folder, file);
    prb_auto(prb_json_free) struct json_object *original = NULL;
    prb_auto(crd_report_done) struct crd_report report;

    crd_report_init(&report);
    if (!originals || access(originals, R_OK) != 0) {
        TEST_IGNORE_MESSAGE("the originals are not at hand: nothing to compare with");
        return;
    }
    original = crd_load(originals, file);
    TEST_ASSERT_NOT_NULL_MESSAGE(ours, "cannot be read");
    TEST_ASSERT_NOT_NULL_MESSAGE(original, "the original cannot be read");
    crd_compare(ours, original, &report);
    printf("%s: %zu fields compared: %s\n", file, report.compared, prb_str_get(&report.fields));
    printf("%s: only in the original: %s\n", file,
            report.left_out.len ? prb_str_get(&report.left_out) : "nothing");
    ASSERT_SAME(&report);
    TEST_ASSERT_GREATER_THAN(10, report.compared);
}

/* ---- with what Probate reads ---- */

/* The definition of a kind, if it is among the six. */
static struct json_object *find_definition(const char *group, const char *resource)
{
    for (size_t i = 0; i < CRD_COUNT; i++) {
        struct json_object *crd = crd_load(folder, crd_files[i]);
        const struct json_object *spec = prb_json_obj(crd, "spec");

        if (prb_streq(prb_json_str(spec, "group"), group) &&
                prb_streq(prb_json_str(prb_json_obj(spec, "names"), "plural"), resource))
            return crd;
        prb_json_free(crd);
    }
    return NULL;
}

static const char *stored_version(const struct json_object *crd)
{
    return prb_json_str(
            prb_json_elem(prb_json_arr(prb_json_obj(crd, "spec"), "versions"), 0), "name");
}

/* The first path that the definition would drop; NULL: none. */
static const char *first_dropped(const struct json_object *crd, const char *const *paths)
{
    const struct json_object *schema = crd_schema(crd, stored_version(crd));

    for (; *paths; paths++) {
        if (!crd_keeps(schema, *paths))
            return *paths;
    }
    return NULL;
}

static void test_what_the_rules_read_is_defined(void)
{
    size_t count, checked = 0;
    const struct prb_rule *const *rules = prb_rules(&count);

    for (size_t i = 0; i < count; i++) {
        const struct prb_rule_match *match = &rules[i]->matches[0];
        prb_auto(prb_json_free) struct json_object *crd =
                match->resource ? find_definition(match->group, match->resource) : NULL;

        if (!crd)
            continue;
        TEST_ASSERT_EQUAL_STRING_MESSAGE(NULL, first_dropped(crd, rules[i]->reads), rules[i]->name);
        checked++;
    }
    TEST_ASSERT_GREATER_OR_EQUAL(3, checked);
}

/* Beside what rules declare: what the designs have Probate read or write. */
static const struct {
    const char *file;
    const char *paths[16];
} wanted[] = {
    { "manifestworks.yaml",
            { "spec.deleteOption.ttlSecondsAfterFinished",
                    "spec.manifestConfigs.resourceIdentifier.resource",
                    "spec.manifestConfigs.updateStrategy.type",
                    "spec.manifestConfigs.updateStrategy.serverSideApply.ignoreFields.jsonPaths",
                    "spec.executor.subject.serviceAccount.name",
                    "status.conditions.observedGeneration",
                    "status.resourceStatus.manifests.resourceMeta.ordinal",
                    "status.resourceStatus.manifests.conditions.type" } },
    { "appliedmanifestworks.yaml",
            { "spec.hubHash", "spec.agentID", "spec.manifestWorkName",
                    "status.appliedResources.uid", "status.evictionStartTime" } },
    { "managedclusters.yaml",
            { "spec.hubAcceptsClient", "spec.taints.effect", "status.conditions.message" } },
    { "managedclusteraddons.yaml", { "spec.installNamespace", "status.conditions.message" } },
    { "configurationpolicies.yaml",
            { "spec.object-templates.objectDefinition", "spec.object-templates.recreateOption",
                    "spec.object-templates-raw", "spec.namespaceSelector.include",
                    "spec.evaluationInterval.compliant", "status.compliant",
                    "status.compliancyDetails.conditions.message",
                    "status.relatedObjects.object.metadata.name",
                    "status.relatedObjects.properties.createdByPolicy",
                    "status.relatedObjects.properties.uid", "status.lastEvaluatedGeneration" } },
    { "compositeresourcedefinitions.yaml",
            { "spec.group", "spec.names.plural", "spec.claimNames.plural", "spec.claimNames.kind",
                    "spec.defaultCompositeDeletePolicy", "spec.scope", "spec.versions.name",
                    "status.conditions.type" } },
};

static void test_what_the_designs_read_and_write_is_defined(void)
{
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        prb_auto(prb_json_free) struct json_object *crd = crd_load(folder, wanted[i].file);

        TEST_ASSERT_NOT_NULL_MESSAGE(crd, wanted[i].file);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(NULL, first_dropped(crd, wanted[i].paths), wanted[i].file);
    }
}

/* On a real hub the design's spelling is pruned; here it must be no better. */
static void test_the_misspelt_rules_are_pruned(void)
{
    prb_auto(prb_json_free) struct json_object *crd = crd_load(folder, "manifestworks.yaml");
    const struct json_object *schema = crd_schema(crd, "v1");

    TEST_ASSERT_TRUE(crd_keeps(schema, "spec.deleteOption.selectivelyOrphans.orphaningRules.name"));
    TEST_ASSERT_FALSE(crd_keeps(schema, "spec.deleteOption.selectivelyOrphan"));
    TEST_ASSERT_FALSE(
            crd_keeps(schema, "spec.deleteOption.selectivelyOrphans.orphaningRules.resourceName"));
}

/* ---- by themselves ---- */

/* NOLINTNEXTLINE(misc-no-recursion): schemas nest some ten deep */
static const char *find_undescribed(const struct json_object *schema)
{
    const struct json_object *properties = prb_json_obj(schema, "properties");
    struct json_object_iterator at;
    bool started = false;
    const char *key, *found = NULL;
    struct json_object *value;

    if (prb_json_has(schema, "items"))
        return find_undescribed(prb_json_obj(schema, "items"));
    while (!found && prb_json_next(properties, &at, &started, &key, &value)) {
        const char *text = prb_json_str(value, "description");

        found = text && text[0] && !strchr(text, '\n') ? find_undescribed(value) : key;
    }
    return found;
}

/* What no Kubernetes from 1.20 on may find in it. */
static const struct {
    const char *text, *why;
} unwanted[] = {
    { "x-kubernetes-validations", "1.20 has no CEL" },
    { "\"default\":null", "1.20 refuses it" },
    { "\"default\":\"\"", "a 1.20 built with a newer Go takes it for null" },
};

static void check_alone(void)
{
    prb_auto(prb_json_free) struct json_object *crd = crd_load(folder, file);
    prb_autofree char *text = prb_json_text(crd, true);
    const struct json_object *schema = crd_schema(crd, stored_version(crd));
    static const char *const halves[] = { "spec", "status" };

    TEST_ASSERT_NOT_NULL_MESSAGE(schema, "cannot be read");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("keep",
            prb_json_str(prb_json_at(crd, "metadata", "annotations"), "helm.sh/resource-policy"),
            "uninstalling the chart would delete every object of this kind");
    for (size_t i = 0; i < sizeof(unwanted) / sizeof(unwanted[0]); i++)
        TEST_ASSERT_NULL_MESSAGE(strstr(text, unwanted[i].text), unwanted[i].why);
    for (size_t i = 0; i < sizeof(halves) / sizeof(halves[0]); i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(NULL,
                find_undescribed(prb_json_at(schema, "properties", halves[i])),
                "has no description of one line");
}

/* ---- can the comparison fail? ---- */

#define ORIGINAL                                                                       \
    "{'type':'object','required':['a'],'properties':{"                                 \
    "'a':{'type':'string','enum':['x','y'],'default':'x'},"                            \
    "'l':{'type':'array','x-kubernetes-list-map-keys':['k'],'items':{'type':'object'," \
    "'required':['k'],'properties':{'k':{'type':'string'}}}},"                         \
    "'m':{'type':'object','additionalProperties':{'type':'string'}}}}"

static const struct {
    const char *schema;
    const char *difference; /* "": the same */
} comparisons[] = {
    { ORIGINAL, "" },
    { "{'type':'object','required':['a'],'properties':{'a':{'type':'string','enum':['y','x'],"
      "'default':'x','description':'other words'}}}",
            "" },
    { "{'type':'object','properties':{'a':{'type':'string','enum':['x','y'],'default':'x'}}}",
            "(root): required differs\n" },
    { "{'type':'object','required':['a'],'properties':{'a':{'type':'string','enum':['x'],"
      "'default':'x'}}}",
            "a: enum differs\n" },
    { "{'type':'object','required':['a'],'properties':{'a':{'type':'integer','enum':['x','y'],"
      "'default':'x'}}}",
            "a: type differs\n" },
    { "{'type':'object','required':['a'],'properties':{'a':{'type':'string','enum':['x','y']}}}",
            "a: default differs\n" },
    { "{'type':'object','required':['a'],'properties':{'l':{'type':'array','items':"
      "{'type':'object','required':['k'],'properties':{'k':{'type':'string'}}}}}}",
            "l: x-kubernetes-list-map-keys differs\n" },
    { "{'type':'object','required':['a'],'properties':{'l':{'type':'array',"
      "'x-kubernetes-list-map-keys':['k'],'items':{'type':'object','properties':"
      "{'k':{'type':'string','nullable':true}}}}}}",
            "l[]: required differs\nl[].k: nullable differs\n" },
    { "{'type':'object','required':['a'],'properties':{'m':{'type':'object',"
      "'additionalProperties':{'type':'integer'}}}}",
            "m[*]: type differs\n" },
    { "{'type':'object','required':['a'],'properties':{'b':{'type':'string'}}}",
            "b: field is not in the original\n" },
};

static struct json_object *definition_with(const char *schema)
{
    return prb_test_json("{'spec':{'group':'g','versions':[{'name':'v1','served':true,"
                         "'schema':{'openAPIV3Schema':%s}}]}}",
            schema);
}

static void test_every_difference_is_seen(void)
{
    prb_auto(prb_json_free) struct json_object *original = definition_with(ORIGINAL);

    for (size_t i = 0; i < sizeof(comparisons) / sizeof(comparisons[0]); i++) {
        prb_auto(prb_json_free) struct json_object *ours = definition_with(comparisons[i].schema);
        prb_auto(crd_report_done) struct crd_report report;

        crd_report_init(&report);
        crd_compare(ours, original, &report);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                comparisons[i].difference, prb_str_get(&report.differences), comparisons[i].schema);
    }
}

static void run_for_each_file(void (*test)(void), const char *sentence)
{
    for (size_t i = 0; i < CRD_COUNT; i++) {
        prb_autofree char *name = prb_asprintf("%s_%s", crd_files[i], sentence);

        file = crd_files[i];
        UnityDefaultTestRun(test, name, __LINE__);
    }
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    folder = argv[1];
    originals = argc > 2 ? argv[2] : NULL;
    UNITY_BEGIN();
    RUN_TEST(test_every_difference_is_seen);
    run_for_each_file(check_alone, "is_kept_described_and_for_every_version");
    run_for_each_file(check_against_the_original, "means_the_same_as_the_original");
    RUN_TEST(test_what_the_rules_read_is_defined);
    RUN_TEST(test_what_the_designs_read_and_write_is_defined);
    RUN_TEST(test_the_misspelt_rules_are_pruned);
    return UNITY_END();
}

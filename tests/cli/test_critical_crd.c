/*
 * The CRD of CriticalService that the chart brings: has it all that Probate reads and writes, and
 * does `kubectl explain` help?
 *
 *     test_critical_crd FOLDER
 */

#include <stdio.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/critical_service.h"

#include "../e2e/crd.h"

#define PATHS_MAX 8192 /* bytes of a list of fields */

static const char *folder;
static struct json_object *crd, *schema; /* borrowed from it */

void setUp(void)
{
    crd = crd_load(folder, "criticalservices.yaml");
    schema = crd ? crd_schema(crd, prb_critical_services.version) : NULL;
}

void tearDown(void)
{
    prb_json_free(prb_take(crd));
}

static const struct json_object *version_of(void)
{
    return prb_json_elem(prb_json_arr(prb_json_obj(crd, "spec"), "versions"), 0);
}

static void test_it_defines_the_kind(void)
{
    const struct json_object *spec = prb_json_obj(crd, "spec");
    const struct json_object *names = prb_json_obj(spec, "names");

    TEST_ASSERT_NOT_NULL(schema);
    TEST_ASSERT_EQUAL_STRING(prb_critical_services.group, prb_json_str(spec, "group"));
    TEST_ASSERT_EQUAL_STRING("Cluster", prb_json_str(spec, "scope"));
    TEST_ASSERT_EQUAL_STRING(prb_critical_services.resource, prb_json_str(names, "plural"));
    TEST_ASSERT_EQUAL_STRING("criticalservice", prb_json_str(names, "singular"));
    TEST_ASSERT_EQUAL_STRING(PRB_CRITICAL_SERVICE_KIND, prb_json_str(names, "kind"));
    TEST_ASSERT_EQUAL_STRING(PRB_CRITICAL_SERVICE_KIND "List", prb_json_str(names, "listKind"));
    TEST_ASSERT_EQUAL_STRING(
            "crit", prb_json_string(prb_json_elem(prb_json_arr(names, "shortNames"), 0)));
    TEST_ASSERT_TRUE_MESSAGE(
            prb_json_has(prb_json_obj(version_of(), "subresources"), "status"), "status by itself");
}

static void test_it_keeps_what_is_read_and_written(void)
{
    static const char *const paths[] = { "spec.provider.group", "spec.provider.resource",
        "spec.provider.namespace", "spec.provider.name", "spec.deletionPolicy",
        "spec.criteria.type", "spec.criteria.finalizer.group", "spec.criteria.finalizer.resource",
        "spec.criteria.finalizer.finalizerName", "spec.criteria.specificResource.group",
        "spec.criteria.specificResource.resource", "spec.criteria.specificResource.namespace",
        "spec.criteria.specificResource.name", "status.observedGeneration", "status.providerUID",
        "status.blockedBy", "status.criteria.type", "status.criteria.description",
        "status.criteria.resource", "status.criteria.resolvedAt", "status.criteria.state",
        "status.criteria.message", "status.criteria.blockers.namespace",
        "status.criteria.blockers.name", "status.criteria.blockers.finalizer",
        "status.criteria.blockers.deletingSince", "status.criteria.more", "status.lastDenied.time",
        "status.lastDenied.user", "status.lastDenied.operation", "status.lastDenied.object",
        "status.conditions.type", "status.conditions.status", "status.conditions.reason",
        "status.conditions.message", "status.conditions.lastTransitionTime",
        "status.conditions.observedGeneration" };

    TEST_ASSERT_FALSE_MESSAGE(crd_keeps(schema, "spec.nonsense"), "this test must be able to fail");
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        TEST_ASSERT_TRUE_MESSAGE(crd_keeps(schema, paths[i]), paths[i]);
}

/* The member of the schema at a path of properties; lists are stepped into. */
static const struct json_object *field(const char *const *path)
{
    const struct json_object *at = schema;

    for (; *path; path++) {
        const struct json_object *items = prb_json_obj(at, "items");

        at = prb_json_obj(prb_json_obj(items ? items : at, "properties"), *path);
    }
    return at;
}
#define FIELD(...) field((const char *const[]){ __VA_ARGS__, NULL })

static void test_it_bounds_criteria_as_probate_does(void)
{
    int64_t max = 0;

    TEST_ASSERT_TRUE(prb_json_int(FIELD("spec", "criteria"), "maxItems", &max));
    TEST_ASSERT_EQUAL_INT64(PRB_CRITERIA_MAX, max);
    TEST_ASSERT_EQUAL_STRING("Strict", prb_json_str(FIELD("spec", "deletionPolicy"), "default"));
}

/* Two writers share the list: by type, none takes the condition of another away. */
static void test_conditions_are_a_map_by_type(void)
{
    const struct json_object *conditions = FIELD("status", "conditions");

    TEST_ASSERT_EQUAL_STRING("map", prb_json_str(conditions, "x-kubernetes-list-type"));
    TEST_ASSERT_EQUAL_STRING("type",
            prb_json_string(
                    prb_json_elem(prb_json_arr(conditions, "x-kubernetes-list-map-keys"), 0)));
}

/* Add the paths of fields that nothing is said of. */
static void add_unexplained(const struct json_object *object, const char *path,
        struct prb_str *out) /* NOLINT(misc-no-recursion) */
{
    const struct json_object *items = prb_json_obj(object, "items");
    struct json_object *properties = prb_json_obj(items ? items : object, "properties");

    if (!properties)
        return;
    json_object_object_foreach (properties, name, value) {
        prb_autofree char *inner = prb_asprintf("%s.%s", path, name);
        const char *description = prb_json_str(value, "description");

        if (!description || strlen(description) < strlen("When."))
            prb_str_addf(out, "%s ", inner);
        add_unexplained(value, inner, out);
    }
}

static void test_every_field_is_explained(void)
{
    prb_auto(prb_str_done) struct prb_str fields;

    prb_str_init(&fields, PATHS_MAX);
    TEST_ASSERT_NOT_NULL(prb_json_str(schema, "description"));
    add_unexplained(FIELD("spec"), "spec", &fields);
    add_unexplained(FIELD("status"), "status", &fields);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&fields));
}

static void test_columns_say_what_people_ask_first(void)
{
    static const struct {
        const char *name, *path;
        int64_t priority; /* 1: with -o wide */
    } wanted[] = {
        { "Provider", ".spec.provider.name", 0 },
        { "Namespace", ".spec.provider.namespace", 0 },
        { "Protected", ".status.conditions[?(@.type==\"Protected\")].status", 0 },
        { "Blocked By", ".status.blockedBy", 0 },
        { "Deletion Allowed", ".status.conditions[?(@.type==\"DeletionAllowed\")].status", 1 },
        { "Last Denied", ".status.lastDenied.time", 1 },
        { "Age", ".metadata.creationTimestamp", 0 },
    };
    const struct json_object *columns = prb_json_arr(version_of(), "additionalPrinterColumns");

    TEST_ASSERT_EQUAL_size_t(sizeof(wanted) / sizeof(wanted[0]), prb_json_len(columns));
    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        const struct json_object *column = prb_json_elem(columns, i);
        int64_t priority = 0;

        (void)prb_json_int(column, "priority", &priority);
        TEST_ASSERT_EQUAL_STRING(wanted[i].name, prb_json_str(column, "name"));
        TEST_ASSERT_EQUAL_STRING(wanted[i].path, prb_json_str(column, "jsonPath"));
        TEST_ASSERT_EQUAL_INT64_MESSAGE(wanted[i].priority, priority, wanted[i].name);
    }
}

static void test_helm_leaves_it_when_it_goes(void)
{
    TEST_ASSERT_EQUAL_STRING(
            "keep", prb_json_str(prb_json_obj(prb_json_obj(crd, "metadata"), "annotations"),
                            "helm.sh/resource-policy"));
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    folder = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_it_defines_the_kind);
    RUN_TEST(test_it_keeps_what_is_read_and_written);
    RUN_TEST(test_it_bounds_criteria_as_probate_does);
    RUN_TEST(test_conditions_are_a_map_by_type);
    RUN_TEST(test_every_field_is_explained);
    RUN_TEST(test_columns_say_what_people_ask_first);
    RUN_TEST(test_helm_leaves_it_when_it_goes);
    return UNITY_END();
}

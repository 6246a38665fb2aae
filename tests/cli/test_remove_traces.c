/* What of an object is Probate's to take off? */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/base/yaml.h"

#include "remove.h"

static struct prb_object *object;

void setUp(void)
{
}

void tearDown(void)
{
    prb_object_unref(prb_take(object));
}

static void load(const char *metadata)
{
    prb_autofree char *text =
            prb_asprintf("metadata: {name: x, uid: u1, resourceVersion: '7', %s}", metadata);
    struct json_object *tree = NULL;
    struct prb_error err;

    prb_object_unref(prb_take(object));
    if (prb_yaml_parse(text, strlen(text), &tree, &err) < 0 ||
            prb_object_new(tree, &object, &err) < 0)
        abort();
}

#define BY(manager, finalizer)                                          \
    "{manager: " manager ", fieldsV1: {'f:metadata': {'f:finalizers': " \
    "{'v:\"" finalizer "\"': {}}}}}"

static void test_a_finalizer_is_ours_when_nobody_else_put_it_there(void)
{
    static const struct {
        const char *name, *managers;
        bool ours;
    } cases[] = {
        { "nobody says so", "", false },
        { "Probate did", BY("probate", "a/b"), true },
        { "somebody else did", BY("work-agent", "a/b"), false },
        { "both did", BY("probate", "a/b") "," BY("work-agent", "a/b"), false },
        { "both did, the other way round", BY("work-agent", "a/b") "," BY("probate", "a/b"),
                false },
        { "Probate put another one there", BY("probate", "a/c"), false },
        { "somebody whose name begins alike", BY("probate2", "a/b"), false },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_autofree char *metadata =
                prb_asprintf("finalizers: [a/b], managedFields: [%s]", cases[i].managers);

        load(metadata);
        TEST_ASSERT_EQUAL_INT_MESSAGE(
                cases[i].ours, prb_remove_is_ours(object, "a/b"), cases[i].name);
    }
}

/* Who has put back a backup, or applied what was exported, owns it too; but nobody else ever takes
 * it off. */
static void test_a_finalizer_with_our_domain_is_ours_whoever_put_it_there(void)
{
    load("finalizers: [probate.dev/cluster-cleanup], managedFields: [" BY(
            "kubectl", "probate.dev/cluster-cleanup") "]");
    TEST_ASSERT_TRUE(prb_remove_is_ours(object, "probate.dev/cluster-cleanup"));
    load("finalizers: [probate.dev/cluster-cleanup]");
    TEST_ASSERT_TRUE(prb_remove_is_ours(object, "probate.dev/cluster-cleanup"));
    TEST_ASSERT_FALSE(prb_remove_is_ours(object, "probate.development/x"));
    TEST_ASSERT_FALSE(prb_remove_is_ours(object, "not.probate.dev/x"));
}

/* The row of a step. */
static const struct prb_trace *trace_of(const char *step, const char *resource)
{
    for (size_t i = 0; i < prb_trace_count; i++) {
        if (prb_streq(prb_traces[i].step, step) && prb_streq(prb_traces[i].gvr.resource, resource))
            return &prb_traces[i];
    }
    return NULL;
}

/* The patch as JSON, "" when there is nothing of ours; the caller frees. */
static char *find(const char *step, const char *resource)
{
    const struct prb_trace *trace = trace_of(step, resource);
    prb_autofree char *text = NULL;
    prb_auto(prb_json_free) struct json_object *patch = trace ? trace->find(object, &text) : NULL;

    return patch ? prb_json_text(patch, false) : prb_strdup(trace ? "" : "no such step");
}

static void test_a_label_is_taken_off_this_very_object(void)
{
    prb_autofree char *patch = NULL, *none = NULL, *bare = NULL;

    load("labels: {probate.dev/protected: 'true', app: web}");
    patch = find("labels", "namespaces");
    TEST_ASSERT_EQUAL_STRING("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u1\"},"
                             "{\"op\":\"remove\",\"path\":"
                             "\"/metadata/labels/probate.dev~1protected\"}]",
            patch);
    load("labels: {app: web}");
    none = find("labels", "namespaces");
    TEST_ASSERT_EQUAL_STRING("", none);
    load("generation: 1");
    bare = find("labels", "namespaces");
    TEST_ASSERT_EQUAL_STRING("", bare);
}

/* Nobody but who asks for it by name needs a right on Deployments. */
static void test_an_old_label_of_a_deployment_is_no_step(void)
{
    prb_autofree char *text = NULL;
    prb_auto(prb_json_free) struct json_object *patch = NULL;

    TEST_ASSERT_NULL(trace_of("labels", "deployments"));
    for (size_t i = 0; i < prb_remove_right_count; i++)
        TEST_ASSERT_FALSE(prb_streq(prb_remove_rights[i].resource, "deployments"));
    load("labels: {probate.dev/protected: 'true', app: web}");
    patch = prb_old_labels.find(object, &text);
    TEST_ASSERT_NOT_NULL(patch);
    TEST_ASSERT_EQUAL_STRING("deployments", prb_old_labels.gvr.resource);
}

static void test_a_mark_is_taken_off_a_namespace(void)
{
    prb_autofree char *patch = NULL;

    load("annotations: {probate.dev/deleting-cluster-uid: u7, probate.dev/deleting-namespace-uid: "
         "u1, probate.dev/deleting-keeps-namespace: 'true', of: others}");
    patch = find("marks", "namespaces");
    TEST_ASSERT_EQUAL_STRING("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u1\"},"
                             "{\"op\":\"remove\",\"path\":\"/metadata/annotations/"
                             "probate.dev~1deleting-cluster-uid\"},"
                             "{\"op\":\"remove\",\"path\":\"/metadata/annotations/"
                             "probate.dev~1deleting-namespace-uid\"},"
                             "{\"op\":\"remove\",\"path\":\"/metadata/annotations/"
                             "probate.dev~1deleting-keeps-namespace\"}]",
            patch);
}

static void test_of_several_finalizers_only_ours_is_taken_off(void)
{
    prb_autofree char *patch = NULL, *none = NULL;

    load("finalizers: [them/x, us/y], managedFields: [" BY("probate", "us/y") "," BY(
            "them", "them/x") "]");
    patch = find("clusters", "managedclusters");
    TEST_ASSERT_NOT_NULL_MESSAGE(
            strstr(patch, "\"path\":\"/metadata/finalizers\",\"value\":[\"them/x\"]}]"), patch);
    load("finalizers: [them/x], managedFields: [" BY("them", "them/x") "]");
    none = find("works", "manifestworks");
    TEST_ASSERT_EQUAL_STRING("", none);
}

static void test_each_kind_that_is_changed_may_be(void)
{
    for (size_t i = 0; i < prb_trace_count; i++) {
        const struct prb_trace *trace = &prb_traces[i];
        bool may = false;

        for (size_t r = 0; r < prb_remove_right_count; r++)
            may = may || (prb_streq(prb_remove_rights[r].group, trace->gvr.group) &&
                                 prb_streq(prb_remove_rights[r].resource, trace->gvr.resource) &&
                                 strstr(prb_remove_rights[r].verbs, "list") &&
                                 strstr(prb_remove_rights[r].verbs, "patch"));
        TEST_ASSERT_TRUE_MESSAGE(may, trace->what);
    }
}

static void test_no_right_lets_it_delete_a_resource(void)
{
    for (size_t r = 0; r < prb_remove_right_count; r++)
        TEST_ASSERT_NULL_MESSAGE(
                strstr(prb_remove_rights[r].verbs, "delete"), prb_remove_rights[r].resource);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_finalizer_is_ours_when_nobody_else_put_it_there);
    RUN_TEST(test_a_finalizer_with_our_domain_is_ours_whoever_put_it_there);
    RUN_TEST(test_a_label_is_taken_off_this_very_object);
    RUN_TEST(test_an_old_label_of_a_deployment_is_no_step);
    RUN_TEST(test_a_mark_is_taken_off_a_namespace);
    RUN_TEST(test_of_several_finalizers_only_ours_is_taken_off);
    RUN_TEST(test_each_kind_that_is_changed_may_be);
    RUN_TEST(test_no_right_lets_it_delete_a_resource);
    return UNITY_END();
}

/* Which policies does a change concern, and which kinds are watched for them? */

#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/map.h"
#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "policy_world.h"
#include "support/world.h"

static struct prb_world *world;
static struct prb_view *view;
static struct prb_str told;

static const char yaml[] = POLICY_YAML("by-name", ENFORCE, HAS("a", "")) POLICY_YAML("by-selector",
        ENFORCE "namespaceSelector: {include: ['*']},",
        TEMPLATE("musthave",
                "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}")) POLICY_YAML("other",
        INFORM, HAS("b", "")) POLICY_YAML("clock",
        INFORM "evaluationInterval: {compliant: 5m, noncompliant: never},",
        TEMPLATE("musthave", "{apiVersion: batch/v1, kind: Job, metadata: "
                             "{name: j, namespace: n1}}")) POLICY_YAML("searches", INFORM,
        TEMPLATE("mustnothave",
                "{apiVersion: policy.open-cluster-management.io/"
                "v1, kind: ConfigurationPolicy, status: "
                "{compliant: Terminating}}")) "---\napiVersion: policy.open-cluster-management.io/v1\nkind: ConfigurationPolicy\n"
                                              "metadata: {name: recorded, namespace: default}\n"
                                              "spec: {remediationAction: enforce, object-templates: []}\n"
                                              "status: {relatedObjects: [{object: {apiVersion: apps/v1, kind: Deployment, metadata: "
                                              "{name: d, namespace: n1}}}]}\n"
                                              "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n"
                                              "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"
                                              "---\napiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: default}\n"
                                              "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: n1}\n";

static struct prb_known_resource known[] = {
    { .group = "",
            .name = "ConfigMap",
            .state = PRB_RESOURCE_PRESENT,
            .gvr = { "", "v1", "configmaps" } },
    { .group = "apps",
            .name = "Deployment",
            .state = PRB_RESOURCE_PRESENT,
            .gvr = { "apps", "v1", "deployments" } },
};

void setUp(void)
{
    world = prb_world_new(yaml);
    view = prb_world_view(world, 0);
    prb_view_set_resources(view, known, sizeof(known) / sizeof(known[0]));
    prb_str_init(&told, 4096);
}

void tearDown(void)
{
    prb_view_close(view);
    prb_world_free(world);
    prb_str_done(&told);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Names come in no order: told once each, sorted. */
static struct prb_map *names;

static void note(void *ctx, const struct prb_ref *key)
{
    (void)ctx;
    prb_map_set(names, key->name, names);
}

static void want(void *ctx, const char *group, const char *resource)
{
    prb_autofree char *text = prb_asprintf("%s.%s", resource, group);

    (void)ctx;
    prb_map_set(names, text, names);
}

static const char *sorted(void)
{
    const char *list[32];
    size_t count = 0, at = 0;
    const char *key;
    void *value;

    while (count < 32 && prb_map_next(names, &at, &key, &value))
        list[count++] = key;
    qsort(list, count, sizeof(list[0]), compare);
    prb_str_clear(&told);
    for (size_t i = 0; i < count; i++)
        prb_str_addf(&told, "%s%s", i > 0 ? " " : "", list[i]);
    prb_map_free(names);
    return prb_str_get(&told);
}

/* Whom an object of a collection that policies name concerns; "": the collection itself. */
static const char *concerned(const char *text)
{
    struct prb_ref ref = { .name = "" };

    names = prb_map_new(NULL);
    if (text[0] != '\0')
        ref = prb_world_ref(text);
    prb_reconciler_policy.map_wanted(
            view, &ref, text[0] ? prb_view_find(view, &ref) : NULL, note, NULL);
    return sorted();
}

static void test_an_object_concerns_who_names_it(void)
{
    TEST_ASSERT_EQUAL_STRING("by-name by-selector", concerned("configmaps.v1./default/a"));
    TEST_ASSERT_EQUAL_STRING("", concerned("secrets.v1./default/a"));
}

static void test_an_object_concerns_who_has_it_on_record(void)
{
    TEST_ASSERT_EQUAL_STRING("recorded", concerned("deployments.v1.apps/n1/d"));
}

static void test_a_collection_that_is_found_concerns_all(void)
{
    TEST_ASSERT_EQUAL_STRING("by-name by-selector clock other recorded searches", concerned(""));
}

static const char *watched(size_t watch, const char *text)
{
    struct prb_ref ref = prb_world_ref(text);

    names = prb_map_new(NULL);
    prb_reconciler_policy.watches[watch].map(view, &ref, prb_view_find(view, &ref), note, NULL);
    return sorted();
}

static void test_a_namespace_concerns_who_selects_or_names_it(void)
{
    TEST_ASSERT_EQUAL_STRING("by-name by-selector other", watched(1, "namespaces.v1.//default"));
}

static void test_a_policy_concerns_itself_and_who_searches(void)
{
    TEST_ASSERT_EQUAL_STRING("other searches", watched(0, POLICY_REF("other")));
}

static void test_kinds_are_watched_for_who_does_not_go_by_the_clock(void)
{
    names = prb_map_new(NULL);
    prb_reconciler_policy.wants(&prb_reconciler_policy, view, want, NULL);
    TEST_ASSERT_EQUAL_STRING("ConfigMap. ConfigurationPolicy.policy.open-cluster-management.io "
                             "Deployment.apps",
            sorted());
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_concerns_who_names_it);
    RUN_TEST(test_an_object_concerns_who_has_it_on_record);
    RUN_TEST(test_a_collection_that_is_found_concerns_all);
    RUN_TEST(test_a_namespace_concerns_who_selects_or_names_it);
    RUN_TEST(test_a_policy_concerns_itself_and_who_searches);
    RUN_TEST(test_kinds_are_watched_for_who_does_not_go_by_the_clock);
    return UNITY_END();
}

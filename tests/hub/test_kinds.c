/* Which kinds does a hub serve, and under which names are they found? */

#include "kinds.h"
#include "versions.h"
#include "world.h"

void setUp(void)
{
    world_init(NULL);
}

void tearDown(void)
{
    world_done();
}

static void test_known_kinds_resolve_by_every_name(void)
{
    static const struct {
        const char *group, *name, *resource, *version, *kind;
        bool namespaced, has_status;
    } cases[] = {
        { "", "configmaps", "configmaps", "v1", "ConfigMap", true, false },
        { "", "ConfigMap", "configmaps", "v1", "ConfigMap", true, false },
        { "", "CM", "configmaps", "v1", "ConfigMap", true, false },
        { "", "configmap", "configmaps", "v1", "ConfigMap", true, false },
        { "", "ns", "namespaces", "v1", "Namespace", false, true },
        { "apps", "deploy", "deployments", "v1", "Deployment", true, true },
        { "coordination.k8s.io", "leases", "leases", "v1", "Lease", true, false },
        { "events.k8s.io", "event", "events", "v1", "Event", true, false },
        { "apiextensions.k8s.io", "CustomResourceDefinition", "customresourcedefinitions", "v1",
                "CustomResourceDefinition", false, true },
        { "cluster.open-cluster-management.io", "mcl", "managedclusters", "v1", "ManagedCluster",
                false, true },
        { "addon.open-cluster-management.io", "managedclusteraddon", "managedclusteraddons",
                "v1beta1", "ManagedClusterAddOn", true, true },
        { "policy.open-cluster-management.io", "configurationpolicy", "configurationpolicies", "v1",
                "ConfigurationPolicy", true, true },
        { "probate.dev", "crit", "criticalservices", "v1alpha1", "CriticalService", false, true },
        { "apiextensions.crossplane.io", "xrd", "compositeresourcedefinitions", "v1",
                "CompositeResourceDefinition", false, true },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct prb_resource found;

        TEST_ASSERT_EQUAL_INT_MESSAGE(0,
                prb_api_resolve(w.api, cases[i].group, cases[i].name, &found, &w.err),
                cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].resource, found.gvr.resource, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].version, found.gvr.version, cases[i].name);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(cases[i].kind, found.kind, cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].namespaced, found.namespaced, cases[i].name);
        TEST_ASSERT_EQUAL_INT_MESSAGE(cases[i].has_status, found.has_status, cases[i].name);
    }
}

static void test_a_kind_never_heard_of_is_not_served(void)
{
    struct prb_resource found;

    TEST_ASSERT_EQUAL_INT(
            PRB_E_NOTFOUND, prb_api_resolve(w.api, "example.io", "widgets", &found, &w.err));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_api_resolve(w.api, "apps", "cm", &found, &w.err));
}

static void test_every_known_kind_is_well_formed_and_there_once(void)
{
    prb_auto(prb_map_free) struct prb_map *kinds = prb_hub_kinds_new();

    for (size_t i = 0; i < prb_hub_known_kind_count; i++) {
        const struct prb_hub_kind_spec *spec = &prb_hub_known_kinds[i];

        TEST_ASSERT_NOT_NULL_MESSAGE(prb_hub_kind_add(kinds, spec), spec->resource);
    }
    TEST_ASSERT_EQUAL_size_t(prb_hub_known_kind_count, prb_map_count(kinds));
}

static void test_versions_are_preferred_as_discovery_does(void)
{
    static const char *const sorted[] = { "v10", "v2", "v1", "v11beta2", "v10beta3", "v3beta1",
        "v12alpha1", "v11alpha2", "foo1", "foo10" };

    for (size_t i = 0; i + 1 < sizeof(sorted) / sizeof(sorted[0]); i++) {
        TEST_ASSERT_LESS_THAN_INT_MESSAGE(
                0, prb_hub_version_compare(sorted[i], sorted[i + 1]), sorted[i]);
        TEST_ASSERT_GREATER_THAN_INT_MESSAGE(
                0, prb_hub_version_compare(sorted[i + 1], sorted[i]), sorted[i]);
    }
    TEST_ASSERT_EQUAL_INT(0, prb_hub_version_compare("v1", "v1"));
}

static void test_plurals_are_guessed_as_kubectl_does(void)
{
    static const struct {
        const char *kind, *plural;
    } cases[] = { { "Widget", "widgets" }, { "Policy", "policies" }, { "Ingress", "ingresses" },
        { "GatewayClass", "gatewayclasses" } };
    char plural[PRB_RESOURCE_SIZE];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        prb_hub_guess_plural(cases[i].kind, plural);
        TEST_ASSERT_EQUAL_STRING(cases[i].plural, plural);
    }
}

static void test_a_version_that_is_not_served_has_no_objects(void)
{
    struct prb_ref ref = ref_of("configmaps", "ns/a");
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    TEST_ASSERT_EQUAL_INT(0, create("configmaps", "{'metadata':{'namespace':'ns','name':'a'}}"));
    (void)snprintf(ref.gvr.version, sizeof(ref.gvr.version), "v2");
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, prb_api_get(w.api, &ref, NULL, &object, &w.err));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
}

static void test_scope_is_part_of_the_url(void)
{
    TEST_ASSERT_FALSE(has("configmaps", "a"));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
    TEST_ASSERT_FALSE(has("namespaces", "ns/ns"));
    TEST_ASSERT_EQUAL_STRING("NotServed", w.err.reason);
    TEST_ASSERT_FALSE(has("configmaps", "ns/a"));
    TEST_ASSERT_EQUAL_STRING("NotFound", w.err.reason);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_known_kinds_resolve_by_every_name);
    RUN_TEST(test_a_kind_never_heard_of_is_not_served);
    RUN_TEST(test_every_known_kind_is_well_formed_and_there_once);
    RUN_TEST(test_versions_are_preferred_as_discovery_does);
    RUN_TEST(test_plurals_are_guessed_as_kubectl_does);
    RUN_TEST(test_a_version_that_is_not_served_has_no_objects);
    RUN_TEST(test_scope_is_part_of_the_url);
    return UNITY_END();
}

/* Is the hub in examples/hub believable: does it load as it is, and behave as it says? */

#include <string.h>

#include "world.h"

#define CLUSTERS "managedclusters.cluster.open-cluster-management.io"
#define WORKS "manifestworks.work.open-cluster-management.io"
#define ADDONS "managedclusteraddons.addon.open-cluster-management.io"
#define COMPOSITES "xpostgresqlinstances.database.example.org"
#define NOPS "nopresources.nop.crossplane.io"

static const char *examples; /* the folder */
static size_t notes;

static void take_note(void *ctx, const char *text)
{
    (void)ctx;
    notes++;
    (void)fprintf(stderr, "%s\n", text);
}

void setUp(void)
{
    world_init(NULL);
    notes = 0;
}

void tearDown(void)
{
    world_done();
}

static int load_examples(void)
{
    return prb_hub_load(w.hub, examples, take_note, NULL, &w.err);
}

static int release(const char *resource, const char *key)
{
    return merge(resource, key, "", "{'metadata':{'finalizers':null}}");
}

static void test_it_loads_and_leaves_nothing_to_guess(void)
{
    static const struct {
        const char *resource, *key;
    } there[] = { { CLUSTERS, "cluster-eu1" }, { CLUSTERS, "cluster-us1" },
        { CLUSTERS, "cluster-old" }, { "deployments.apps", "cert-manager/cert-manager" },
        { "certificates.cert-manager.io", "team-orders/orders-tls" },
        { "criticalservices.probate.dev", "cert-manager" },
        { "postgresqlinstances.database.example.org", "team-orders/orders" },
        { "configurationpolicies.policy.open-cluster-management.io",
                "cluster-eu1/container-limits" },
        { "namespaces", "team-orders" } };

    TEST_ASSERT_EQUAL_INT_MESSAGE(0, load_examples(), w.err.msg);
    TEST_ASSERT_EQUAL_size_t(0, notes);
    for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++)
        TEST_ASSERT_TRUE_MESSAGE(has(there[i].resource, there[i].key), there[i].key);
    TEST_ASSERT_EQUAL_STRING("\"2026-01-12T09:41:07Z\"",
            text_at(CLUSTERS, "cluster-old", "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING("-", text_at(CLUSTERS, "cluster-eu1", "/metadata/deletionTimestamp"));
}

static void test_what_is_said_to_belong_to_something_does(void)
{
    TEST_ASSERT_EQUAL_INT(0, load_examples());
    TEST_ASSERT_EQUAL_INT(0, erase(ADDONS, "cluster-old/backup-agent"));
    TEST_ASSERT_EQUAL_INT(0, release(ADDONS, "cluster-old/backup-agent"));
    TEST_ASSERT_EQUAL_STRING(
            "\"2026-01-01T00:00:00Z\"", text_at(WORKS, "cluster-old/addon-backup-agent-deploy-0",
                                                "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING(
            "-", text_at(WORKS, "cluster-old/billing-exporter", "/metadata/deletionTimestamp"));
}

static void test_the_composite_waits_for_what_it_is_made_of(void)
{
    TEST_ASSERT_EQUAL_INT(0, load_examples());
    w.cascade = PRB_PROPAGATE_FOREGROUND;
    TEST_ASSERT_EQUAL_INT(0, erase(COMPOSITES, "orders-7x2kq"));
    TEST_ASSERT_EQUAL_INT(0, merge(COMPOSITES, "orders-7x2kq", "",
                                     "{'metadata':{'finalizers':['foregroundDeletion']}}"));
    TEST_ASSERT_TRUE(has(COMPOSITES, "orders-7x2kq"));
    TEST_ASSERT_EQUAL_INT(0, release(NOPS, "orders-7x2kq-instance"));
    TEST_ASSERT_FALSE(has(COMPOSITES, "orders-7x2kq"));
}

static void test_the_namespace_of_the_old_cluster_is_held_by_its_works(void)
{
    static const char *const held[] = { "addon-backup-agent-deploy-0", "cluster-old-klusterlet",
        "billing-exporter" };

    TEST_ASSERT_EQUAL_INT(0, load_examples());
    TEST_ASSERT_EQUAL_INT(0, erase("namespaces", "cluster-old"));
    TEST_ASSERT_EQUAL_INT(
            0, release("rolebindings.rbac.authorization.k8s.io",
                       "cluster-old/open-cluster-management:managedcluster:cluster-old:work"));
    TEST_ASSERT_EQUAL_INT(0, release(ADDONS, "cluster-old/backup-agent"));
    for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
        char key[128];

        (void)snprintf(key, sizeof(key), "cluster-old/%s", held[i]);
        TEST_ASSERT_TRUE_MESSAGE(has("namespaces", "cluster-old"), key);
        TEST_ASSERT_EQUAL_INT_MESSAGE(0, release(WORKS, key), key);
    }
    TEST_ASSERT_FALSE(has("namespaces", "cluster-old"));
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        (void)fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    examples = argv[1];
    UNITY_BEGIN();
    RUN_TEST(test_it_loads_and_leaves_nothing_to_guess);
    RUN_TEST(test_what_is_said_to_belong_to_something_does);
    RUN_TEST(test_the_composite_waits_for_what_it_is_made_of);
    RUN_TEST(test_the_namespace_of_the_old_cluster_is_held_by_its_works);
    return UNITY_END();
}

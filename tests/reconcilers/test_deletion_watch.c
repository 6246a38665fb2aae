#include <string.h>
#include <unity.h>

#include "probate/base/clock.h"
#include "probate/base/str.h"
#include "probate/reconcilers/registry.h"

#include "support/world.h"

#define CLUSTERS "managedclusters.v1.cluster.open-cluster-management.io"
#define WORKS "manifestworks.v1.work.open-cluster-management.io"
#define ADDONS "managedclusteraddons.v1alpha1.addon.open-cluster-management.io"
#define NAMESPACES "namespaces.v1."

/* Twelve minutes after the deletions in the worlds below began. */
#define NOW "2026-01-02T03:12:00Z"
#define DELETED "deletionTimestamp: '2026-01-02T03:00:00Z'"

#define CLUSTER "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\n"
#define WORK "---\napiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n"
#define ADDON \
    "---\napiVersion: addon.open-cluster-management.io/v1alpha1\nkind: ManagedClusterAddOn\n"
#define NAMESPACE "---\napiVersion: v1\nkind: Namespace\n"

static struct prb_changes changes;
static struct prb_world *world;

void setUp(void)
{
    prb_changes_init(&changes);
}

void tearDown(void)
{
    prb_changes_done(&changes);
    prb_world_free(world);
    world = NULL;
}

/* All kinds are served; the world is what `yaml` says. */
static void build(const char *yaml)
{
    world = prb_world_new(yaml);
    (void)prb_world_serve(world, CLUSTERS);
    (void)prb_world_serve(world, WORKS);
    (void)prb_world_serve(world, ADDONS);
    (void)prb_world_serve(world, NAMESPACES);
}

static const char *decide_at(const char *now, const char *key)
{
    struct prb_ref ref = prb_world_ref(key);
    prb_auto(prb_view_close) struct prb_view *view = NULL;
    int64_t now_ms = 0;

    (void)prb_time_parse(now, &now_ms);
    view = prb_world_view(world, now_ms);
    prb_changes_done(&changes);
    prb_reconciler_deletion_watch.decide(&prb_reconciler_deletion_watch, view, &ref, &changes);
    return changes.waits_for;
}

static const char *decide(const char *key)
{
    return decide_at(NOW, key);
}

static void test_what_is_not_being_deleted_waits_for_nothing(void)
{
    build(CLUSTER "metadata: {name: c1, finalizers: [a]}\n" WORK
                  "metadata: {name: w1, namespace: c1, finalizers: [a]}\n");
    TEST_ASSERT_NULL(decide(CLUSTERS "//c1"));
    TEST_ASSERT_EQUAL_INT64(0, changes.again_after_ms);
    TEST_ASSERT_NULL(decide(WORKS "/c1/w1"));
    TEST_ASSERT_NULL_MESSAGE(decide(WORKS "/c1/gone"), "what is gone waits for nothing either");
}

static void test_a_work_waits_for_its_finalizers(void)
{
    build(WORK "metadata: {name: one, namespace: c1, " DELETED
               ", finalizers: [work.example/a]}\n" WORK
               "metadata: {name: two, namespace: c1, " DELETED
               ", finalizers: [work.example/a, b]}\n" ADDON
               "metadata: {name: addon, namespace: c1, " DELETED ", finalizers: [hook]}\n");
    TEST_ASSERT_EQUAL_STRING(
            "finalizer work.example/a (deleting for 12m)", decide(WORKS "/c1/one"));
    TEST_ASSERT_EQUAL_STRING(
            "finalizers work.example/a, b (deleting for 12m)", decide(WORKS "/c1/two"));
    TEST_ASSERT_EQUAL_STRING("finalizer hook (deleting for 12m)", decide(ADDONS "/c1/addon"));
}

static void test_it_writes_nothing_and_looks_again_in_a_minute(void)
{
    build(CLUSTER "metadata: {name: c1, " DELETED ", finalizers: [a]}\n");
    TEST_ASSERT_NOT_NULL(decide(CLUSTERS "//c1"));
    TEST_ASSERT_EQUAL_size_t(0, changes.count);
    TEST_ASSERT_EQUAL_INT64(60000, changes.again_after_ms);
}

static void test_names_end_in_a_count_after_five(void)
{
    build(WORK "metadata: {name: five, namespace: c1, " DELETED
               ", finalizers: [a, b, c, d, e]}\n" WORK
               "metadata: {name: seven, namespace: c1, " DELETED
               ", finalizers: [a, b, c, d, e, f, g]}\n");
    TEST_ASSERT_EQUAL_STRING(
            "finalizers a, b, c, d, e (deleting for 12m)", decide(WORKS "/c1/five"));
    TEST_ASSERT_EQUAL_STRING(
            "finalizers a, b, c, d, e and 2 more (deleting for 12m)", decide(WORKS "/c1/seven"));
}

static void test_a_cluster_waits_for_what_is_left_in_its_namespace(void)
{
    build(CLUSTER "metadata: {name: c1, " DELETED ", finalizers: [cluster/cleanup]}\n" WORK
                  "metadata: {name: w2, namespace: c1}\n" WORK
                  "metadata: {name: w1, namespace: c1, finalizers: [x, z]}\n" WORK
                  "metadata: {name: elsewhere, namespace: c2, finalizers: [x]}\n" ADDON
                  "metadata: {name: search, namespace: c1, finalizers: [hook]}\n");
    TEST_ASSERT_EQUAL_STRING("finalizer cluster/cleanup; "
                             "2 works left in namespace c1: w1 (finalizers x, z), w2; "
                             "1 addon left in namespace c1: search (finalizer hook) "
                             "(deleting for 12m)",
            decide(CLUSTERS "//c1"));
}

static void test_a_namespace_waits_for_what_is_left_in_it(void)
{
    build(NAMESPACE
            "metadata: {name: c1, " DELETED "}\n" WORK "metadata: {name: w3, namespace: c1}\n" WORK
            "metadata: {name: w7, namespace: c1}\n" WORK
            "metadata: {name: w1, namespace: c1}\n" WORK
            "metadata: {name: w6, namespace: c1}\n" WORK
            "metadata: {name: w2, namespace: c1}\n" WORK
            "metadata: {name: w5, namespace: c1}\n" WORK "metadata: {name: w4, namespace: c1}\n");
    TEST_ASSERT_EQUAL_STRING("7 works left in namespace c1: w1, w2, w3, w4, w5 and 2 more "
                             "(deleting for 12m)",
            decide(NAMESPACES "//c1"));
}

static void test_what_cannot_be_known_is_not_called_absent(void)
{
    world = prb_world_new(CLUSTER "metadata: {name: c1, " DELETED "}\n" ADDON
                                  "metadata: {name: search, namespace: c1}\n");
    TEST_ASSERT_EQUAL_STRING_MESSAGE("works: not known yet; "
                                     "1 addon left in namespace c1: search (deleting for 12m)",
            decide(CLUSTERS "//c1"), "works are not in the view");
    (void)prb_world_store(world, WORKS);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("works: not known yet; "
                                     "1 addon left in namespace c1: search (deleting for 12m)",
            decide(CLUSTERS "//c1"), "works were never synced");
    (void)prb_world_serve(world, WORKS);
    TEST_ASSERT_EQUAL_STRING(
            "1 addon left in namespace c1: search (deleting for 12m)", decide(CLUSTERS "//c1"));
}

static void test_a_deletion_that_nothing_holds_says_so(void)
{
    build(CLUSTER "metadata: {name: c1, " DELETED "}\n" NAMESPACE "metadata: {name: n1, " DELETED
                  "}\n");
    TEST_ASSERT_EQUAL_STRING(
            "nothing that Probate watches (deleting for 12m)", decide(CLUSTERS "//c1"));
    TEST_ASSERT_EQUAL_STRING(
            "nothing that Probate watches (deleting for 12m)", decide(NAMESPACES "//n1"));
}

static void test_the_time_is_that_of_the_view(void)
{
    build(WORK "metadata: {name: w1, namespace: c1, " DELETED ", finalizers: [a]}\n" WORK
               "metadata: {name: odd, namespace: c1, deletionTimestamp: soon, finalizers: [a]}\n");
    TEST_ASSERT_EQUAL_STRING(
            "finalizer a (deleting for 45s)", decide_at("2026-01-02T03:00:45Z", WORKS "/c1/w1"));
    TEST_ASSERT_EQUAL_STRING(
            "finalizer a (deleting for 3h5m)", decide_at("2026-01-02T06:05:00Z", WORKS "/c1/w1"));
    TEST_ASSERT_EQUAL_STRING_MESSAGE("finalizer a (deleting for 0s)",
            decide_at("2026-01-02T02:59:00Z", WORKS "/c1/w1"), "our clock is behind");
    TEST_ASSERT_EQUAL_STRING("finalizer a (deleting)", decide(WORKS "/c1/odd"));
}

static void note_key(void *ctx, const struct prb_ref *key)
{
    char text[PRB_REF_TEXT_SIZE];

    prb_ref_format(key, text);
    prb_str_addf(ctx, "%s\n", text);
}

/* The keys that a change of this object asks to look at. */
static void map_change(const char *text, struct prb_str *keys)
{
    struct prb_ref ref = prb_world_ref(text);
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    const struct prb_object *object = prb_view_find(view, &ref);

    prb_str_clear(keys);
    for (size_t i = 0; i < prb_reconciler_deletion_watch.watch_count; i++) {
        const struct prb_watch_spec *spec = &prb_reconciler_deletion_watch.watches[i];

        if (strcmp(spec->resource, ref.gvr.resource) != 0)
            continue;
        if (spec->map)
            spec->map(view, &ref, object, note_key, keys);
        else
            note_key(keys, &ref);
    }
}

static void test_a_change_of_content_concerns_its_cluster_and_namespace(void)
{
    prb_auto(prb_str_done) struct prb_str keys;

    prb_str_init(&keys, 1000);
    build(WORK "metadata: {name: w1, namespace: c1}\n" ADDON
               "metadata: {name: a1, namespace: c1}\n");
    map_change(WORKS "/c1/w1", &keys);
    TEST_ASSERT_EQUAL_STRING(
            WORKS "/c1/w1\n" CLUSTERS "//c1\n" NAMESPACES "//c1\n", prb_str_get(&keys));
    map_change(ADDONS "/c1/a1", &keys);
    TEST_ASSERT_EQUAL_STRING(
            ADDONS "/c1/a1\n" CLUSTERS "//c1\n" NAMESPACES "//c1\n", prb_str_get(&keys));
    map_change(CLUSTERS "//c1", &keys);
    TEST_ASSERT_EQUAL_STRING(CLUSTERS "//c1\n", prb_str_get(&keys));
}

static void note_namespace(void *ctx, const char *namespace)
{
    prb_str_addf(ctx, "%s\n", namespace);
}

static void test_works_are_read_only_where_a_cluster_or_a_namespace_goes(void)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_deletion_watch;
    prb_auto(prb_view_close) struct prb_view *view = NULL;
    prb_auto(prb_str_done) struct prb_str names;

    prb_str_init(&names, 1024);
    build(CLUSTER "metadata: {name: c1, " DELETED "}\n---\n" CLUSTER
                  "metadata: {name: c2}\n" NAMESPACE "metadata: {name: c1}\n" NAMESPACE
                  "metadata: {name: c2}\n" NAMESPACE "metadata: {name: team, " DELETED "}\n");
    view = prb_world_view(world, 0);
    reconciler->namespaces(reconciler, view, note_namespace, &names);
    TEST_ASSERT_EQUAL_STRING("c1\nteam\n", prb_str_get(&names));
}

static void test_the_table_says_what_is_read_and_nothing_more(void)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_deletion_watch;

    TEST_ASSERT_EQUAL_size_t(4, reconciler->watch_count);
    TEST_ASSERT_EQUAL_size_t(reconciler->watch_count, reconciler->right_count);
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        const struct prb_watch_spec *spec = &reconciler->watches[i];
        struct prb_gvr gvr;

        TEST_ASSERT_TRUE(prb_gvr_init(&gvr, spec->group, spec->version, spec->resource));
        TEST_ASSERT_FALSE_MESSAGE(spec->whole, spec->resource);
        TEST_ASSERT_EQUAL_MESSAGE(prb_streq(spec->resource, "manifestworks"), spec->by_namespace,
                "a hub has more works than fit into memory");
        TEST_ASSERT_EQUAL_MESSAGE(spec->by_namespace, spec->annotations != NULL,
                "what was applied last is the bulk of a work's metadata");
        TEST_ASSERT_EQUAL_STRING(spec->group, reconciler->rights[i].group);
        TEST_ASSERT_EQUAL_STRING(spec->resource, reconciler->rights[i].resource);
        TEST_ASSERT_EQUAL_STRING("list,watch", reconciler->rights[i].verbs);
    }
}

static void test_the_registry_is_sorted_and_complete_in_itself(void)
{
    size_t count = 0;
    const struct prb_reconciler *const *all = prb_reconcilers(&count);

    TEST_ASSERT_GREATER_THAN_size_t(0, count);
    for (size_t i = 0; i < count; i++) {
        TEST_ASSERT_TRUE(all[i]->name && all[i]->summary && all[i]->decide);
        TEST_ASSERT_GREATER_THAN_size_t(0, all[i]->watch_count);
        if (i > 0)
            TEST_ASSERT_TRUE_MESSAGE(strcmp(all[i - 1]->name, all[i]->name) < 0, all[i]->name);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_is_not_being_deleted_waits_for_nothing);
    RUN_TEST(test_a_work_waits_for_its_finalizers);
    RUN_TEST(test_it_writes_nothing_and_looks_again_in_a_minute);
    RUN_TEST(test_names_end_in_a_count_after_five);
    RUN_TEST(test_a_cluster_waits_for_what_is_left_in_its_namespace);
    RUN_TEST(test_a_namespace_waits_for_what_is_left_in_it);
    RUN_TEST(test_what_cannot_be_known_is_not_called_absent);
    RUN_TEST(test_a_deletion_that_nothing_holds_says_so);
    RUN_TEST(test_the_time_is_that_of_the_view);
    RUN_TEST(test_a_change_of_content_concerns_its_cluster_and_namespace);
    RUN_TEST(test_works_are_read_only_where_a_cluster_or_a_namespace_goes);
    RUN_TEST(test_the_table_says_what_is_read_and_nothing_more);
    RUN_TEST(test_the_registry_is_sorted_and_complete_in_itself);
    return UNITY_END();
}

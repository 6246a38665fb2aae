/* Does every change lead to the clusters that it concerns, and to no others? */

#include <string.h>
#include <unity.h>

#include "cluster_world.h"

static struct prb_str keys;

void setUp(void)
{
    cluster_world_init();
    prb_str_init(&keys, 4096);
}

void tearDown(void)
{
    prb_str_done(&keys);
    cluster_world_done();
}

static void note(void *ctx, const struct prb_ref *key)
{
    (void)ctx;
    TEST_ASSERT_EQUAL_STRING("managedclusters", key->gvr.resource);
    prb_str_addf(&keys, "%s%s", keys.len ? " " : "", key->name);
}

/* The keys that a change of this object leads to. */
static const char *map(const char *text)
{
    struct prb_ref ref = prb_world_ref(text);
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    const struct prb_object *object = prb_view_find(view, &ref);
    const struct prb_reconciler *reconciler = &prb_reconciler_cluster_deletion;

    prb_str_clear(&keys);
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        const struct prb_watch_spec *spec = &reconciler->watches[i];

        if (strcmp(spec->resource, ref.gvr.resource) != 0)
            continue;
        if (spec->map)
            spec->map(view, &ref, object, note, NULL);
        else
            note(NULL, &ref);
        return prb_str_get(&keys);
    }
    reconciler->map_wanted(view, &ref, object, note, NULL);
    return prb_str_get(&keys);
}

#define LIVE CLUSTER_KIND "metadata: {name: c2, uid: u-c2}\n"
#define HOSTED "annotations: {addon.open-cluster-management.io/hosting-cluster-name: c1}"
#define RBAC_OF(kind, ns, name) \
    RBAC(kind) "metadata: {name: '" name "', uid: u, namespace: '" ns "'}\n"
#define PREFIX "open-cluster-management:managedcluster:"

static void test_a_change_leads_to_the_clusters_that_it_concerns(void)
{
    static const struct {
        const char *changed, *keys;
    } rows[] = {
        { CLUSTERS "//c1", "c1" },
        { CLUSTERS "//c2", "c2" },
        { NAMESPACES "//c1", "c1" },
        { NAMESPACES "//any", "any" },
        { ADDONS "/c1/a", "c1" },
        { ADDONS "/c2/a", "" },
        { ADDONS "/c2/hosted", "c1" },
        { ADDONS "/gone/a", "gone" },
        { WORKS "/c1/w", "c1" },
        { WORKS "/c2/w", "" },
        { ROLEBINDINGS "/c1/" PREFIX "c1:work", "c1" },
        { ROLEBINDINGS "/c1/other", "" },
        { ROLEBINDINGS "/c2/" PREFIX "c2:work", "" },
        { ROLES "//" PREFIX "c1", "c1" },
        { ROLES "//" PREFIX "c2", "" },
        { ROLES "//admin", "" },
        { BINDINGS "//" PREFIX "c1", "c1" },
        { HIVE "/c1/cd", "c1" },
        { HIVE "/c2/cd", "" },
    };

    build(DELETING("") LIVE MARKED NAMESPACE_KIND
            "metadata: {name: any, uid: u-any}\n" ADDON("a", "") ADDON_IN("c2", "a", "")
                    ADDON_IN("gone", "a", "") ADDON_IN("c2", "hosted", ", " HOSTED) WORK("w", "")
                            WORK_IN("c2", "w", "") HIVE_IN("c1", "cd", "") HIVE_IN("c2", "cd", "")
                                    RBAC_OF("RoleBinding", "c1", PREFIX "c1:work")
                                            RBAC_OF("RoleBinding", "c1", "other")
                                                    RBAC_OF("RoleBinding", "c2", PREFIX "c2:work"));
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        TEST_ASSERT_EQUAL_STRING_MESSAGE(rows[i].keys, map(rows[i].changed), rows[i].changed);
}

static void test_news_of_a_monitored_collection_concern_all_that_is_going(void)
{
    struct prb_ref ref = { .name = "" };

    build(DELETING("") LIVE NAMESPACE_KIND "metadata: {name: c3, uid: u-ns3, " MARK(
            "u-c3", "u-ns3") "}\n" NAMESPACE_KIND "metadata: {name: c4, uid: u-ns4}\n");
    {
        prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

        prb_reconciler_cluster_deletion.map_wanted(view, &ref, NULL, note, NULL);
    }
    TEST_ASSERT_EQUAL_STRING("c1 c3", prb_str_get(&keys));
}

static void note_want(void *ctx, const char *group, const char *resource)
{
    (void)ctx;
    prb_str_addf(&keys, "%s/%s\n", group, resource);
}

static void test_the_monitored_resources_are_wanted(void)
{
    static const struct prb_gvr monitored[] = { { "hive.openshift.io", "v1", "clusterdeployments" },
        { "", "v1", "pods" } };
    struct prb_reconciler reconciler = prb_reconciler_cluster_deletion;
    prb_auto(prb_view_close) struct prb_view *view = NULL;

    build("");
    view = prb_world_view(world, 0);
    reconciler.wants(&reconciler, view, note_want, NULL);
    TEST_ASSERT_EQUAL_STRING_MESSAGE("", prb_str_get(&keys), "without settings there are none");
    settings.monitored = monitored;
    settings.monitored_count = 2;
    reconciler.settings = &settings;
    reconciler.wants(&reconciler, view, note_want, NULL);
    TEST_ASSERT_EQUAL_STRING("hive.openshift.io/clusterdeployments\n/pods\n", prb_str_get(&keys));
}

static void test_without_settings_the_finalizer_is_that_of_ocm(void)
{
    struct prb_ref ref = prb_world_ref(C1);
    prb_auto(prb_view_close) struct prb_view *view = NULL;

    build(CLUSTER_KIND "metadata: {name: c1, uid: u-c1, finalizers: [x]}\n");
    view = prb_world_view(world, 0);
    prb_reconciler_cluster_deletion.decide(&prb_reconciler_cluster_deletion, view, &ref, &changes);
    TEST_ASSERT_EQUAL_size_t(1, changes.count);
    TEST_ASSERT_EQUAL_STRING(
            FINALIZER, prb_json_str(prb_json_elem(changes.items[0].body, 2), "value"));
}

static void note_namespace(void *ctx, const char *namespace)
{
    (void)ctx;
    prb_str_addf(&keys, "%s%s", keys.len ? " " : "", namespace);
}

/* A cluster that goes, one that stays, a namespace that is left of one, and one of nobody. */
static void test_works_are_read_only_where_a_cluster_goes_or_has_gone(void)
{
    const struct prb_reconciler *reconciler = &prb_reconciler_cluster_deletion;
    prb_auto(prb_view_close) struct prb_view *view = NULL;

    build(DELETING("") NAMESPACE("") LIVE NAMESPACE_KIND
            "metadata: {name: c2, uid: u-n2}\n" NAMESPACE_KIND
            "metadata: {name: c3, uid: u-n3, " MARK("u-gone",
                    "u-n3") "}\n" NAMESPACE_KIND "metadata: {name: default, uid: u-n4}\n");
    view = prb_world_view(world, 0);
    reconciler->namespaces(reconciler, view, note_namespace, NULL);
    TEST_ASSERT_EQUAL_STRING("c1 c3", prb_str_get(&keys));
}

/* Whatever is written needs a right; whatever is watched as well. */
static void test_the_table_has_the_rights_that_it_needs(void)
{
    static const struct {
        const char *resource, *verbs;
    } needed[] = {
        { "managedclusters", "get,list,watch,patch" },
        { "managedclusters/status", "patch" },
        { "namespaces", "get,list,watch,patch,delete" },
        { "managedclusteraddons", "get,list,watch,delete" },
        { "manifestworks", "get,list,watch,patch,delete" },
        { "rolebindings", "get,list,watch,patch,delete" },
        { "clusterroles", "get,list,watch,delete" },
        { "clusterrolebindings", "get,list,watch,delete" },
    };
    const struct prb_reconciler *reconciler = &prb_reconciler_cluster_deletion;

    TEST_ASSERT_EQUAL_size_t(sizeof(needed) / sizeof(needed[0]), reconciler->right_count);
    for (size_t i = 0; i < reconciler->right_count; i++) {
        TEST_ASSERT_EQUAL_STRING(needed[i].resource, reconciler->rights[i].resource);
        TEST_ASSERT_EQUAL_STRING(needed[i].verbs, reconciler->rights[i].verbs);
    }
    TEST_ASSERT_EQUAL_size_t(reconciler->right_count - 1, reconciler->watch_count);
    for (size_t i = 0; i < reconciler->watch_count; i++) {
        const struct prb_watch_spec *spec = &reconciler->watches[i];

        TEST_ASSERT_EQUAL_MESSAGE(i >= 2, spec->optional || spec->by_namespace, spec->resource);
        TEST_ASSERT_EQUAL_MESSAGE(prb_streq(spec->resource, "manifestworks"), spec->by_namespace,
                "a hub has more works than fit into memory");
        TEST_ASSERT_EQUAL_MESSAGE(spec->by_namespace, spec->annotations != NULL,
                "what was applied last is the bulk of a work's metadata");
        TEST_ASSERT_EQUAL_MESSAGE(i < 2, spec->whole, spec->resource);
        TEST_ASSERT_NULL_MESSAGE(spec->label_selector, spec->resource);
    }
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_change_leads_to_the_clusters_that_it_concerns);
    RUN_TEST(test_news_of_a_monitored_collection_concern_all_that_is_going);
    RUN_TEST(test_the_monitored_resources_are_wanted);
    RUN_TEST(test_works_are_read_only_where_a_cluster_goes_or_has_gone);
    RUN_TEST(test_without_settings_the_finalizer_is_that_of_ocm);
    RUN_TEST(test_the_table_has_the_rights_that_it_needs);
    return UNITY_END();
}

/* Does every change lead to the pairs that it concerns, and to no others? */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/base/str.h"
#include "probate/model/side.h"
#include "probate/reconcilers/registry.h"

#include "work_stage.h"

static struct prb_world *world;
static struct prb_reconciler reconciler;
static struct prb_str told;
static const struct prb_work_settings settings = {
    .cluster_name = "c1", .hub_hash = "h1", .agent_id = "me"
};

#define HUB_WORK(namespace, name, spec)                                           \
    "---\napiVersion: work.open-cluster-management.io.hub.probate.dev/v1\nkind: " \
    "ManifestWork\nmetadata: {name: " name ", namespace: " namespace "}\nspec: {" spec "}\n"

void setUp(void)
{
    stage_begin();
    prb_str_init(&told, 16384);
    reconciler = prb_reconciler_work;
    reconciler.settings = &settings;
    world = NULL;
}

void tearDown(void)
{
    prb_world_free(world);
    prb_str_done(&told);
    stage_end();
}

static void build(const char *yaml)
{
    world = prb_world_new(yaml);
    (void)prb_world_serve(world, HUB_WORKS);
    (void)prb_world_serve(world, APPLIED);
}

static void note(void *ctx, const struct prb_ref *key)
{
    (void)ctx;
    prb_str_addf(&told, "%s ", key->name);
}

static const struct prb_watch_spec *watch_of(const char *resource)
{
    for (size_t i = 0; i < reconciler.watch_count; i++) {
        if (prb_streq(reconciler.watches[i].resource, resource))
            return &reconciler.watches[i];
    }
    abort();
}

static const char *map_work(const char *namespace, const char *name)
{
    struct prb_ref ref = prb_world_ref(HUB_WORKS "/c1/w");

    (void)prb_copy(ref.namespace, sizeof(ref.namespace), namespace);
    (void)prb_copy(ref.name, sizeof(ref.name), name);
    prb_str_clear(&told);
    watch_of("manifestworks")->map_for(&reconciler, NULL, &ref, NULL, note, NULL);
    return prb_str_get(&told);
}

static void test_a_work_leads_to_its_record(void)
{
    char longest[189], longer[190];

    TEST_ASSERT_EQUAL_STRING("h1-w ", map_work("c1", "w"));
    TEST_ASSERT_EQUAL_STRING("", map_work("c2", "w"));
    reconciler.settings = NULL;
    TEST_ASSERT_EQUAL_STRING("", map_work("c1", "w"));

    struct prb_work_settings real = settings;

    memset(real.hub_hash, 'f', sizeof(real.hub_hash) - 1);
    reconciler.settings = &real;
    memset(longest, 'x', sizeof(longest));
    longest[188] = '\0';
    TEST_ASSERT_NOT_NULL(strstr(map_work("c1", longest), "f-xx"));
    memset(longer, 'x', sizeof(longer));
    longer[189] = '\0';
    TEST_ASSERT_EQUAL_INT('x', map_work("c1", longer)[0]);
}

static void test_records_lead_to_themselves(void)
{
    TEST_ASSERT_NULL(watch_of("appliedmanifestworks")->map);
    TEST_ASSERT_NULL(watch_of("appliedmanifestworks")->map_for);
}

#define RECORDS                                                                                    \
    APPLIED_NAMED("h1-a", "u-a", "", "agentID: me", ENTRIES(ENTRY("x", "u") ", " ENTRY("k", "v"))) \
    APPLIED_NAMED("h1-b", "u-b", "", "agentID: me", ENTRIES(ENTRY("x", "u")))                      \
    APPLIED_NAMED("h1-c", "u-c", "", "agentID: me",                                                \
            ENTRIES("{resource: configmaps, version: v1, name: x}, {group: other.io, resource: "   \
                    "configmaps, version: v1, namespace: default, name: x}, {resource: "           \
                    "secrets, version: v1, namespace: default, name: x}, 7"))                      \
    APPLIED_NAMED("h1-d", "u-d", "", "agentID: me", "")

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In no order: sorted here. */
static const char *sorted(void)
{
    static char text[4096];
    prb_autofree char *copy = prb_strdup(prb_str_get(&told));
    const char *names[64];
    size_t count = 0, len = 0;

    for (char *at = copy; *at && count < 64; at++) {
        names[count++] = at;
        at = strchr(at, ' ');
        *at = '\0';
    }
    qsort(names, count, sizeof(names[0]), compare);
    text[0] = '\0';
    for (size_t i = 0; i < count; i++) {
        memcpy(text + len, names[i], strlen(names[i]));
        len += strlen(names[i]);
        text[len++] = ' ';
        text[len] = '\0';
    }
    return text;
}

static const char *map_object(const char *ref, const char *yaml)
{
    prb_auto(prb_world_free) struct prb_world *one = yaml ? prb_world_new(yaml) : NULL;
    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_ref parsed = { .name = "" };

    if (ref)
        parsed = prb_world_ref(ref);
    if (yaml)
        object = prb_store_get(prb_world_store_at(one, 0), parsed.namespace, parsed.name);
    prb_str_clear(&told);
    reconciler.map_wanted(view, &parsed, object, note, NULL);
    return sorted();
}

static void test_an_object_leads_to_who_records_or_owns_it(void)
{
    build(RECORDS);
    TEST_ASSERT_EQUAL_STRING("h1-a h1-b ", map_object(CM("x"), MAP("x", "")));
    TEST_ASSERT_EQUAL_STRING("h1-a ", map_object(CM("k"), MAP("k", "")));
    TEST_ASSERT_EQUAL_STRING("", map_object(CM("z"), MAP("z", "")));
    TEST_ASSERT_EQUAL_STRING(
            "h1-gone ", map_object(CM("z"), MAP("z", OWNERS(OWNER("h1-gone", "u")))));
    TEST_ASSERT_EQUAL_STRING(
            "", map_object(CM("z"),
                        MAP("z", OWNERS("{apiVersion: x.io/v1, kind: AppliedManifestWork, name: "
                                        "h1-a, uid: u}"))));
}

static void test_a_collection_leads_to_all(void)
{
    build(RECORDS);
    TEST_ASSERT_EQUAL_STRING("h1-a h1-b h1-c h1-d ", map_object("configmaps.v1./default/x", NULL));
    TEST_ASSERT_EQUAL_STRING("h1-a h1-b h1-c h1-d ", map_object(NULL, NULL));
}

static void note_kind(void *ctx, const char *group, const char *resource)
{
    (void)ctx;
    prb_str_addf(&told, "%s.%s ", resource, group);
}

static void test_kinds_of_manifests_and_records_are_wanted(void)
{
    build(HUB_WORK("c1", "w",
            MANIFESTS(MANIFEST("a") ", {apiVersion: apps/v1, kind: Deployment}, {kind: X}, "
                                    "{apiVersion: v1}, {apiVersion: a/b/c, kind: X}, 7, "
                                    "{apiVersion: work.open-cluster-management.io.hub.probate.dev/"
                                    "v1, kind: ManifestWork}, {apiVersion: hub.probate.dev/v1, "
                                    "kind: Secret}")) HUB_WORK("c2", "w",
            MANIFESTS("{apiVersion: other.io/v1, kind: Not}"))
                    APPLIED_NAMED("h1-a", "u-a", "", "agentID: me",
                            ENTRIES("{group: g.io, resource: gs, version: v1, name: x}, "
                                    "{group: work.open-cluster-management.io.hub.probate."
                                    "dev, resource: manifestworks}")) APPLIED_NAMED("h1-b", "u-b",
                            "", "agentID: you", ENTRIES("{group: n.io, resource: ns}")));

    prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

    reconciler.wants(&reconciler, view, note_kind, NULL);
    TEST_ASSERT_EQUAL_STRING("ConfigMap. Deployment.apps gs.g.io ", sorted());
    prb_str_clear(&told);
    reconciler.settings = NULL;
    reconciler.wants(&reconciler, view, note_kind, NULL);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&told));
}

/* ---- who is concerned ---- */

static void test_a_work_whose_name_is_too_long_is_told_so(void)
{
    prb_auto(prb_object_unref) struct prb_object *work = NULL;
    char name[200], key[512];
    prb_autofree char *yaml = NULL;

    memset(name, 'x', sizeof(name));
    name[199] = '\0';
    yaml = prb_asprintf(OCM "ManifestWork\nmetadata: {name: %s, namespace: c1}\nspec: {}\n", name);
    (void)snprintf(key, sizeof(key), HUB_WORKS "/c1/%s", name);
    put(yaml);
    TEST_ASSERT_NOT_NULL(strstr(pass_on(key), "status manifestworks c1/xxx"));
    TEST_ASSERT_NOT_NULL(strstr(waits(), "longer than 188 characters"));
    TEST_ASSERT_EQUAL_STRING("", pass_on(key));
}

static void test_nothing_is_decided_while_a_side_is_unknown(void)
{
    static const char *const known[] = { HUB_WORKS, APPLIED };

    for (size_t i = 0; i < 2; i++) {
        struct prb_ref key = prb_world_ref(A);
        struct prb_changes out;

        prb_world_free(world);
        world = prb_world_new("");
        (void)prb_world_serve(world, known[i]);
        (void)prb_world_store(world, known[1 - i]);
        prb_changes_init(&out);
        {
            prb_auto(prb_view_close) struct prb_view *view = prb_world_view(world, 0);

            reconciler.decide(&reconciler, view, &key, &out);
        }
        TEST_ASSERT_EQUAL_size_t(0, out.count);
        TEST_ASSERT_NOT_NULL(out.waits_for);
        prb_changes_done(&out);
    }
}

static void test_the_table_asks_for_what_it_needs(void)
{
    TEST_ASSERT_TRUE(reconciler.by_name);
    for (size_t i = 0; i < reconciler.right_count; i++)
        TEST_ASSERT_EQUAL_MESSAGE(prb_starts_with(reconciler.rights[i].resource, "manifestworks"),
                prb_side_is_hub(reconciler.rights[i].group), reconciler.rights[i].resource);
    for (size_t i = 0; i < reconciler.watch_count; i++)
        TEST_ASSERT_TRUE(reconciler.watches[i].whole && !reconciler.watches[i].optional);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_a_work_leads_to_its_record);
    RUN_TEST(test_records_lead_to_themselves);
    RUN_TEST(test_an_object_leads_to_who_records_or_owns_it);
    RUN_TEST(test_a_collection_leads_to_all);
    RUN_TEST(test_kinds_of_manifests_and_records_are_wanted);
    RUN_TEST(test_a_work_whose_name_is_too_long_is_told_so);
    RUN_TEST(test_nothing_is_decided_while_a_side_is_unknown);
    RUN_TEST(test_the_table_asks_for_what_it_needs);
    return UNITY_END();
}

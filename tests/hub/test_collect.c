/* What does the garbage collector do about owners and their dependents? */

#include <string.h>

#include "world.h"

#define MAPS "configmaps"

void setUp(void)
{
    world_init(NULL);
}

void tearDown(void)
{
    world_done();
}

/* A ConfigMap with these owner references and finalizers. */
static int map(const char *name, const char *owners, const char *finalizers)
{
    return create(MAPS,
            "{'metadata':{'namespace':'ns','name':'%s','ownerReferences':[%s],'finalizers':[%s]}}",
            name, owners, finalizers);
}

static const char *owned(const char *name, bool block)
{
    char key[64];

    (void)snprintf(key, sizeof(key), "ns/%s", name);
    return owned_by(MAPS, "ConfigMap", key, block);
}

static int erase_by(const char *key, enum prb_propagation policy)
{
    w.cascade = policy;
    return erase(MAPS, key);
}

static bool is_deleting(const char *key)
{
    prb_auto(prb_object_unref) struct prb_object *object = get(MAPS, key);

    return object && prb_object_is_deleting(object);
}

static const char *state_of(const char *key)
{
    if (!has(MAPS, key))
        return "gone";
    return is_deleting(key) ? "deleting" : "alive";
}

static int release(const char *key)
{
    return merge(MAPS, key, "", "{'metadata':{'finalizers':null}}");
}

static void test_dependents_of_a_removed_owner_are_removed(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned("o", false), ""));
    TEST_ASSERT_EQUAL_INT(0, map("dd", owned("d", true), ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/dd"));
}

static void test_an_owner_that_is_only_marked_keeps_its_dependents(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned("o", true), ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, release("ns/o"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
}

static void test_an_object_whose_owner_is_absent_does_not_last(void)
{
    static const char *const absent[] = {
        "{'apiVersion':'v1','kind':'ConfigMap','name':'none','uid':'1'}",
        "{'apiVersion':'v1','kind':'Namespace','name':'none','uid':'1'}",
    };

    for (size_t i = 0; i < sizeof(absent) / sizeof(absent[0]); i++) {
        TEST_ASSERT_EQUAL_INT(0, map("d", absent[i], ""));
        TEST_ASSERT_FALSE_MESSAGE(has(MAPS, "ns/d"), absent[i]);
    }
}

static void test_the_uid_and_the_name_of_an_owner_must_fit(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(
            0, map("d", "{'apiVersion':'v1','kind':'ConfigMap','name':'o','uid':'other'}", ""));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, map("other", "", ""));
    TEST_ASSERT_EQUAL_INT(0, create(MAPS,
                                     "{'metadata':{'namespace':'ns','name':'d','ownerReferences':["
                                     "{'apiVersion':'v1','kind':'ConfigMap','name':'o','uid':'%s'}"
                                     "]}}",
                                     uid_of(MAPS, "ns/other")));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
}

static void test_an_owner_in_another_namespace_is_absent(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("namespaces", "{'metadata':{'name':'other'}}"));
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(
            0, create(MAPS, "{'metadata':{'namespace':'other','name':'d','ownerReferences':[%s]}}",
                       owned("o", true)));
    TEST_ASSERT_FALSE(has(MAPS, "other/d"));
}

static void test_an_owner_without_a_namespace_may_own_what_has_one(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("nodes", "{'metadata':{'name':'n'}}"));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned_by("nodes", "Node", "n", true), ""));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    w.cascade = PRB_PROPAGATE_BACKGROUND;
    TEST_ASSERT_EQUAL_INT(0, erase("nodes", "n"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
}

static void test_owners_nobody_knows_keep_an_object(void)
{
    TEST_ASSERT_EQUAL_INT(
            0, map("d", "{'apiVersion':'example.io/v1','kind':'Odd','name':'o','uid':'1'}", ""));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0,
            create("nodes", "{'metadata':{'name':'n','ownerReferences':[%s]}}", owned("o", true)));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_TRUE(has("nodes", "n"));
}

static void test_another_owner_keeps_a_dependent_without_the_reference(void)
{
    char owners[512];

    TEST_ASSERT_EQUAL_INT(0, map("o1", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("o2", "", ""));
    (void)snprintf(owners, sizeof(owners), "%s,%s", owned("o1", true), owned("o2", true));
    TEST_ASSERT_EQUAL_INT(0, map("d", owners, ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o1", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_EQUAL_STRING("\"o2\"", text_at(MAPS, "ns/d", "/metadata/ownerReferences/0/name"));
    TEST_ASSERT_EQUAL_STRING("-", text_at(MAPS, "ns/d", "/metadata/ownerReferences/1"));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o2", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o2"));
}

static void test_a_foreground_deletion_lets_go_of_what_another_owner_keeps(void)
{
    char owners[512];

    TEST_ASSERT_EQUAL_INT(0, map("o1", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("o2", "", ""));
    (void)snprintf(owners, sizeof(owners), "%s,%s", owned("o1", true), owned("o2", true));
    TEST_ASSERT_EQUAL_INT(0, map("d", owners, ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o1", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o1"));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_FALSE(is_deleting("ns/d"));
}

static void test_a_foreground_deletion_waits_for_the_dependents_that_block(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("blocking", owned("o", true), "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, map("other", owned("o", false), "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_EQUAL_STRING("deleting", state_of("ns/o"));
    TEST_ASSERT_EQUAL_STRING("deleting", state_of("ns/blocking"));
    TEST_ASSERT_EQUAL_STRING("deleting", state_of("ns/other"));
    TEST_ASSERT_EQUAL_INT(0, release("ns/blocking"));
    TEST_ASSERT_EQUAL_STRING("gone", state_of("ns/o"));
    TEST_ASSERT_EQUAL_STRING("deleting", state_of("ns/other"));
}

static void test_a_dependent_that_stops_blocking_lets_its_owner_go(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned("o", true), "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_TRUE(has(MAPS, "ns/o"));
    TEST_ASSERT_EQUAL_INT(0, merge(MAPS, "ns/d", "", "{'metadata':{'ownerReferences':null}}"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o"));
    TEST_ASSERT_TRUE(is_deleting("ns/d"));
}

static void test_a_foreground_deletion_ends_from_the_leaves(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned("o", true), ""));
    TEST_ASSERT_EQUAL_INT(0, map("leaf", owned("d", true), "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_EQUAL_STRING(
            "[\"foregroundDeletion\"]", text_at(MAPS, "ns/d", "/metadata/finalizers"));
    TEST_ASSERT_TRUE(is_deleting("ns/leaf"));
    TEST_ASSERT_EQUAL_INT(0, release("ns/leaf"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o"));
}

static void test_a_circle_of_owners_can_be_deleted_in_the_foreground(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("a", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("b", owned("a", true), ""));
    TEST_ASSERT_EQUAL_INT(
            0, merge(MAPS, "ns/a", "", "{'metadata':{'ownerReferences':[%s]}}", owned("b", true)));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/a", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_FALSE(has(MAPS, "ns/a"));
    TEST_ASSERT_FALSE(has(MAPS, "ns/b"));
}

static void test_orphans_lose_the_reference_and_stay(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(0, map("d1", owned("o", true), ""));
    TEST_ASSERT_EQUAL_INT(0, map("d2", owned("o", false), ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_ORPHAN));
    TEST_ASSERT_FALSE(has(MAPS, "ns/o"));
    TEST_ASSERT_EQUAL_STRING("-", text_at(MAPS, "ns/d1", "/metadata/ownerReferences"));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d2"));
    TEST_ASSERT_FALSE(is_deleting("ns/d2"));
}

static void test_a_background_deletion_becomes_a_foreground_one(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", "'x.io/h'"));
    TEST_ASSERT_EQUAL_INT(0, map("d", owned("o", true), ""));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_FOREGROUND));
    TEST_ASSERT_FALSE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_STRING("[\"x.io/h\"]", text_at(MAPS, "ns/o", "/metadata/finalizers"));
}

static void test_jobs_orphan_their_pods_unless_told_otherwise(void)
{
    TEST_ASSERT_EQUAL_INT(0, create("jobs.batch", "{'metadata':{'namespace':'ns','name':'j'}}"));
    TEST_ASSERT_EQUAL_INT(
            0, create("pods", "{'metadata':{'namespace':'ns','name':'p','ownerReferences':[%s]}}",
                       owned_by("jobs.batch", "Job", "ns/j", true)));
    TEST_ASSERT_EQUAL_INT(0, erase("jobs.batch", "ns/j"));
    TEST_ASSERT_FALSE(has("jobs.batch", "ns/j"));
    TEST_ASSERT_TRUE(has("pods", "ns/p"));
}

static void test_events_are_left_alone(void)
{
    TEST_ASSERT_EQUAL_INT(0, map("o", "", ""));
    TEST_ASSERT_EQUAL_INT(
            0, create("events", "{'metadata':{'namespace':'ns','name':'e','ownerReferences':[%s]}}",
                       owned("o", true)));
    TEST_ASSERT_EQUAL_INT(0, erase_by("ns/o", PRB_PROPAGATE_BACKGROUND));
    TEST_ASSERT_TRUE(has("events", "ns/e"));
}

static void test_what_is_loaded_is_not_collected(void)
{
    TEST_ASSERT_EQUAL_INT(0,
            load("{apiVersion: v1, kind: ConfigMap, metadata: {namespace: ns, name: d, "
                 "ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: gone, uid: '1'}]}}"));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
    TEST_ASSERT_EQUAL_INT(0, map("other", "", ""));
    TEST_ASSERT_TRUE(has(MAPS, "ns/d"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_dependents_of_a_removed_owner_are_removed);
    RUN_TEST(test_an_owner_that_is_only_marked_keeps_its_dependents);
    RUN_TEST(test_an_object_whose_owner_is_absent_does_not_last);
    RUN_TEST(test_the_uid_and_the_name_of_an_owner_must_fit);
    RUN_TEST(test_an_owner_in_another_namespace_is_absent);
    RUN_TEST(test_an_owner_without_a_namespace_may_own_what_has_one);
    RUN_TEST(test_owners_nobody_knows_keep_an_object);
    RUN_TEST(test_another_owner_keeps_a_dependent_without_the_reference);
    RUN_TEST(test_a_foreground_deletion_lets_go_of_what_another_owner_keeps);
    RUN_TEST(test_a_foreground_deletion_waits_for_the_dependents_that_block);
    RUN_TEST(test_a_dependent_that_stops_blocking_lets_its_owner_go);
    RUN_TEST(test_a_foreground_deletion_ends_from_the_leaves);
    RUN_TEST(test_a_circle_of_owners_can_be_deleted_in_the_foreground);
    RUN_TEST(test_orphans_lose_the_reference_and_stay);
    RUN_TEST(test_a_background_deletion_becomes_a_foreground_one);
    RUN_TEST(test_jobs_orphan_their_pods_unless_told_otherwise);
    RUN_TEST(test_events_are_left_alone);
    RUN_TEST(test_what_is_loaded_is_not_collected);
    return UNITY_END();
}

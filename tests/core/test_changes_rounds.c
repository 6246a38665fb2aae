#include <string.h>
#include <unity.h>

#include "probate/base/mem.h"
#include "probate/core/changes.h"

#include "support/death.h"
#include "support/json_text.h"
#include "support/world.h"

static struct prb_changes changes;
static struct prb_ref ref;
static struct prb_object *object;
static const struct prb_owner owner = {
    .api_version = "work.io/v1", .kind = "Work", .name = "w", .uid = "w1"
};

void setUp(void)
{
    struct prb_error err;

    prb_changes_init(&changes);
    ref = prb_world_ref("configmaps.v1./shop/web");
    (void)prb_object_new(
            prb_test_json("{'metadata':{'name':'web','namespace':'shop','uid':'u1',"
                          "'resourceVersion':'7','ownerReferences':[{'apiVersion':'work.io/v1',"
                          "'kind':'Work','name':'w','uid':'w1'}]}}"),
            &object, &err);
}

void tearDown(void)
{
    prb_changes_done(&changes);
    prb_object_unref(object);
    object = NULL;
}

static void test_reads_and_resolves_say_what_and_where_to_keep_it(void)
{
    char long_group[2 * PRB_GROUP_SIZE];

    memset(long_group, 'g', sizeof(long_group) - 1);
    long_group[sizeof(long_group) - 1] = '\0';
    prb_changes_read(&changes, &ref, "live/web", "look at it");
    prb_changes_resolve(&changes, "apps", "Deployment", "kind/apps");
    prb_changes_resolve(&changes, long_group, "Deployment", "kind/long");

    TEST_ASSERT_EQUAL_size_t(3, changes.count);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_READ, changes.items[0].type);
    TEST_ASSERT_TRUE(prb_ref_equal(&ref, &changes.items[0].ref));
    TEST_ASSERT_EQUAL_STRING("live/web", changes.items[0].slot);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_RESOLVE, changes.items[1].type);
    TEST_ASSERT_EQUAL_STRING("apps", changes.items[1].api_version);
    TEST_ASSERT_EQUAL_STRING("Deployment", changes.items[1].kind);
    TEST_ASSERT_EQUAL_STRING("kind/apps", changes.items[1].slot);
    TEST_ASSERT_EQUAL_STRING(long_group, changes.items[2].api_version);
}

static void test_slot_and_manager_are_of_the_last_change(void)
{
    prb_changes_create(&changes, &ref, prb_test_json("{'a':1}"), "make it");
    prb_changes_set_slot(&changes, "first");
    prb_changes_apply(&changes, &ref, prb_test_json("{'a':1}"), NULL, "say it");
    prb_changes_set_manager(&changes, "work-agent", false);
    prb_changes_set_slot(&changes, "second");
    prb_changes_apply(&changes, &ref, prb_test_json("{'a':1}"), NULL, "say it loud");
    prb_changes_set_manager(&changes, "work-agent", true);

    TEST_ASSERT_EQUAL_STRING("first", changes.items[0].slot);
    TEST_ASSERT_NULL(changes.items[0].field_manager);
    TEST_ASSERT_FALSE(changes.items[0].gentle);
    TEST_ASSERT_EQUAL_STRING("second", changes.items[1].slot);
    TEST_ASSERT_EQUAL_STRING("work-agent", changes.items[1].field_manager);
    TEST_ASSERT_TRUE(changes.items[1].gentle);
    TEST_ASSERT_NULL(changes.items[2].slot);
    TEST_ASSERT_FALSE(changes.items[2].gentle);
}

static void test_an_update_is_kept_with_what_it_was_made_from(void)
{
    prb_changes_update(&changes, &ref,
            prb_test_json("{'metadata':{'name':'web','uid':'u1','resourceVersion':'7'}}"),
            "mend it");
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_UPDATE, changes.items[0].type);
    TEST_ASSERT_EQUAL_STRING(
            "7", prb_json_str(prb_json_obj(changes.items[0].body, "metadata"), "resourceVersion"));
}

static void update_blindly(void *ctx)
{
    prb_changes_update(&changes, &ref, prb_test_json("%s", (const char *)ctx), "mend it");
}

static void slot_of_nothing(void *ctx)
{
    (void)ctx;
    prb_changes_set_slot(&changes, "slot");
}

/* What needs no change adds none: the slot would be that of the change before it. */
static void slot_of_another(void *ctx)
{
    (void)ctx;
    prb_changes_read(&changes, &ref, "live", "look at it");
    prb_changes_add_owner(&changes, &ref, object, &owner, "own it");
    prb_changes_set_slot(&changes, "slot");
}

static void slot_of_an_event(void *ctx)
{
    (void)ctx;
    prb_changes_event(&changes, &ref, object, false, "Said", "so");
    prb_changes_set_slot(&changes, "slot");
}

static void manager_of_a_patch(void *ctx)
{
    (void)ctx;
    prb_changes_json_patch(&changes, &ref, prb_test_json("[]"), NULL, "mend it");
    prb_changes_set_manager(&changes, "work-agent", true);
}

static void retry_at_once(void *ctx)
{
    (void)ctx;
    prb_changes_retry(&changes, 0, 0);
}

static void test_what_cannot_be_meant_ends_the_process(void)
{
    static char no_uid[] = "{'metadata':{'name':'web','resourceVersion':'7'}}";
    static char no_version[] = "{'metadata':{'name':'web','uid':'u1','resourceVersion':''}}";
    static char nothing[] = "{}";
    static const struct {
        const char *name;
        void (*act)(void *ctx);
        void *ctx;
    } cases[] = {
        { "an update without a uid", update_blindly, no_uid },
        { "an update without a version", update_blindly, no_version },
        { "an update of nothing", update_blindly, nothing },
        { "a slot of an empty list", slot_of_nothing, NULL },
        { "a slot of what was not added", slot_of_another, NULL },
        { "a slot of an Event", slot_of_an_event, NULL },
        { "a manager of a patch", manager_of_a_patch, NULL },
        { "a retry at once", retry_at_once, NULL },
    };
    char words[256];

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        TEST_ASSERT_TRUE_MESSAGE(
                prb_test_aborts(cases[i].act, cases[i].ctx, words, sizeof(words)), cases[i].name);
}

static void test_an_owner_is_changed_only_where_it_has_to_be(void)
{
    struct prb_owner other = owner;

    other.name = "v";
    other.uid = "v1";
    prb_changes_add_owner(&changes, &ref, object, &owner, "own it");
    prb_changes_remove_owner(&changes, &ref, object, &other, "let it go");
    TEST_ASSERT_EQUAL_size_t(0, changes.count);

    prb_changes_add_owner(&changes, &ref, object, &other, "own it");
    prb_changes_remove_owner(&changes, &ref, object, &owner, "let it go");
    TEST_ASSERT_EQUAL_size_t(2, changes.count);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_JSON_PATCH, changes.items[0].type);
    TEST_ASSERT_FALSE(changes.items[0].absent_is_done);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_JSON_PATCH, changes.items[1].type);
    TEST_ASSERT_TRUE(changes.items[1].absent_is_done);
}

static void test_the_shortest_retry_holds(void)
{
    TEST_ASSERT_EQUAL_INT64(0, changes.retry_max_ms);
    prb_changes_retry(&changes, 1000, 30000);
    prb_changes_retry(&changes, 2000, 20000);
    TEST_ASSERT_EQUAL_INT64(1000, changes.retry_min_ms);
    TEST_ASSERT_EQUAL_INT64(20000, changes.retry_max_ms);
}

static void test_the_last_memory_holds_and_forgetting_is_one(void)
{
    TEST_ASSERT_FALSE(changes.remembers);
    prb_changes_remember(&changes, prb_test_json("{'a':1}"));
    prb_changes_remember(&changes, prb_test_json("{'b':1}"));
    TEST_ASSERT_TRUE(changes.remembers);
    TEST_ASSERT_TRUE(prb_json_has(changes.memory, "b"));
    prb_changes_remember(&changes, NULL);
    TEST_ASSERT_TRUE(changes.remembers);
    TEST_ASSERT_NULL(changes.memory);
}

static void test_what_is_moved_takes_along_when_to_come_again_and_what_to_remember(void)
{
    struct prb_changes from;

    prb_changes_init(&from);
    prb_changes_read(&from, &ref, "live", "look at it");
    prb_changes_go_on(&from);
    prb_changes_retry(&from, 1000, 30000);
    prb_changes_remember(&from, prb_test_json("{'a':1}"));
    prb_changes_move(&changes, &from);

    TEST_ASSERT_EQUAL_STRING("live", changes.items[0].slot);
    TEST_ASSERT_TRUE(changes.go_on);
    TEST_ASSERT_EQUAL_INT64(1000, changes.retry_min_ms);
    TEST_ASSERT_EQUAL_INT64(30000, changes.retry_max_ms);
    TEST_ASSERT_TRUE(changes.remembers);
    TEST_ASSERT_TRUE(prb_json_has(changes.memory, "a"));
    TEST_ASSERT_EQUAL_size_t(0, from.count);
    TEST_ASSERT_FALSE(from.go_on);
    TEST_ASSERT_NULL(from.memory);
}

static void test_moving_an_empty_list_forgets_nothing(void)
{
    struct prb_changes from;

    prb_changes_init(&from);
    prb_changes_remember(&changes, prb_test_json("{'a':1}"));
    prb_changes_move(&changes, &from);
    TEST_ASSERT_TRUE(prb_json_has(changes.memory, "a"));
    TEST_ASSERT_FALSE(changes.go_on);
    TEST_ASSERT_EQUAL_INT64(0, changes.retry_max_ms);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_reads_and_resolves_say_what_and_where_to_keep_it);
    RUN_TEST(test_slot_and_manager_are_of_the_last_change);
    RUN_TEST(test_an_update_is_kept_with_what_it_was_made_from);
    RUN_TEST(test_what_cannot_be_meant_ends_the_process);
    RUN_TEST(test_an_owner_is_changed_only_where_it_has_to_be);
    RUN_TEST(test_the_shortest_retry_holds);
    RUN_TEST(test_the_last_memory_holds_and_forgetting_is_one);
    RUN_TEST(test_what_is_moved_takes_along_when_to_come_again_and_what_to_remember);
    RUN_TEST(test_moving_an_empty_list_forgets_nothing);
    return UNITY_END();
}

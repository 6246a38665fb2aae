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

/* An object from text; NULL when it was refused. */
static struct prb_object *object_of(const char *text)
{
    struct prb_object *made = NULL;
    struct prb_error err;

    (void)prb_object_new(prb_test_json("%s", text), &made, &err);
    return made;
}

void setUp(void)
{
    prb_changes_init(&changes);
    ref = prb_world_ref("configmaps.v1./shop/web");
    object = object_of("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'web',"
                       "'namespace':'shop','uid':'u1','resourceVersion':'7','finalizers':['a']}}");
}

void tearDown(void)
{
    prb_changes_done(&changes);
    prb_object_unref(object);
    object = NULL;
}

static void test_changes_keep_their_order_and_their_preconditions(void)
{
    prb_changes_create(&changes, &ref, prb_test_json("{'a':1}"), "make it");
    prb_changes_merge_patch(&changes, &ref, prb_test_json("{'b':1}"), "status", "7", "say it");
    prb_changes_merge_patch(&changes, &ref, prb_test_json("{'c':1}"), NULL, NULL, "mend it");
    prb_changes_json_patch(&changes, &ref, prb_test_json("[]"), NULL, "test it");
    prb_changes_apply(&changes, &ref, prb_test_json("{'d':1}"), "status", "own it");
    prb_changes_delete(&changes, &ref, object, PRB_PROPAGATE_FOREGROUND, "end it");

    TEST_ASSERT_EQUAL_size_t(6, changes.count);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_CREATE, changes.items[0].type);
    TEST_ASSERT_TRUE(prb_json_has(changes.items[0].body, "a"));
    TEST_ASSERT_EQUAL_STRING("make it", changes.items[0].why);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_MERGE_PATCH, changes.items[1].type);
    TEST_ASSERT_EQUAL_STRING("status", changes.items[1].subresource);
    TEST_ASSERT_EQUAL_STRING("7", changes.items[1].resource_version);
    TEST_ASSERT_NULL(changes.items[2].subresource);
    TEST_ASSERT_NULL(changes.items[2].resource_version);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_JSON_PATCH, changes.items[3].type);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_APPLY, changes.items[4].type);
    TEST_ASSERT_EQUAL_STRING("status", changes.items[4].subresource);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_DELETE, changes.items[5].type);
    TEST_ASSERT_EQUAL_STRING("u1", changes.items[5].uid);
    TEST_ASSERT_EQUAL_INT(PRB_PROPAGATE_FOREGROUND, changes.items[5].propagation);
    TEST_ASSERT_TRUE(changes.items[5].absent_is_done);
    for (size_t i = 0; i < changes.count; i++)
        TEST_ASSERT_TRUE(prb_ref_equal(&ref, &changes.items[i].ref));
}

static void delete_it(void *ctx)
{
    prb_changes_delete(&changes, &ref, ctx, PRB_PROPAGATE_DEFAULT, "end it");
}

static void test_a_delete_without_a_uid_ends_the_process(void)
{
    prb_auto(prb_object_unref) struct prb_object *nameless =
            object_of("{'metadata':{'name':'web','namespace':'shop'}}");
    char words[256];

    TEST_ASSERT_TRUE(prb_test_aborts(delete_it, nameless, words, sizeof(words)));
    TEST_ASSERT_EQUAL_STRING("probate: defect: a delete without the uid of what was seen\n", words);
    TEST_ASSERT_TRUE(prb_test_aborts(delete_it, NULL, words, sizeof(words)));
}

static void test_finalizers_are_patched_only_where_it_is_needed(void)
{
    prb_changes_add_finalizer(&changes, &ref, object, "a", "hold it");
    prb_changes_remove_finalizer(&changes, &ref, object, "b", "let go");
    TEST_ASSERT_EQUAL_size_t(0, changes.count);

    prb_changes_add_finalizer(&changes, &ref, object, "b", "hold it");
    prb_changes_remove_finalizer(&changes, &ref, object, "a", "let go");
    TEST_ASSERT_EQUAL_size_t(2, changes.count);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_JSON_PATCH, changes.items[0].type);
    TEST_ASSERT_EQUAL_size_t(3, prb_json_len(changes.items[0].body));
    TEST_ASSERT_FALSE_MESSAGE(changes.items[0].absent_is_done, "there is nothing to hold");
    TEST_ASSERT_TRUE_MESSAGE(changes.items[1].absent_is_done, "what is gone is let go");
}

static void test_an_event_says_what_it_regards(void)
{
    const struct prb_change *event;

    prb_changes_event(&changes, &ref, object, true, "Stuck", "waits for %s since %d", "work", 3);
    TEST_ASSERT_EQUAL_size_t(1, changes.count);
    event = &changes.items[0];
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_EVENT, event->type);
    TEST_ASSERT_EQUAL_STRING("v1", event->api_version);
    TEST_ASSERT_EQUAL_STRING("ConfigMap", event->kind);
    TEST_ASSERT_EQUAL_STRING("u1", event->uid);
    TEST_ASSERT_EQUAL_STRING("Stuck", event->reason);
    TEST_ASSERT_EQUAL_STRING("waits for work since 3", event->note);
    TEST_ASSERT_TRUE(event->warning);
    TEST_ASSERT_NULL(event->body);
}

static void test_an_event_on_bare_metadata_does_not_claim_a_kind(void)
{
    prb_auto(prb_object_unref) struct prb_object *bare =
            object_of("{'apiVersion':'meta.k8s.io/v1','kind':'PartialObjectMetadata',"
                      "'metadata':{'name':'c1','uid':'u1'}}");
    struct prb_ref cluster =
            prb_world_ref("managedclusters.v1.cluster.open-cluster-management.io//c1");

    prb_changes_event(&changes, &cluster, bare, false, "Waiting", "for works");
    TEST_ASSERT_EQUAL_STRING("cluster.open-cluster-management.io/v1", changes.items[0].api_version);
    TEST_ASSERT_EQUAL_STRING("", changes.items[0].kind);
    TEST_ASSERT_FALSE(changes.items[0].warning);
}

static void test_the_shortest_time_to_look_again_holds(void)
{
    static const struct {
        int64_t said, holds;
    } steps[] = { { 5000, 5000 }, { 9000, 5000 }, { 200, 200 }, { 0, 1 }, { -5, 1 }, { 100, 1 } };

    TEST_ASSERT_EQUAL_INT64(0, changes.again_after_ms);
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        prb_changes_again(&changes, steps[i].said);
        TEST_ASSERT_EQUAL_INT64(steps[i].holds, changes.again_after_ms);
    }
}

static void test_the_last_word_on_what_it_waits_for_holds(void)
{
    TEST_ASSERT_NULL(changes.waits_for);
    prb_changes_wait(&changes, "works %s", "a, b");
    prb_changes_wait(&changes, "%s, and addons", changes.waits_for);
    TEST_ASSERT_EQUAL_STRING("works a, b, and addons", changes.waits_for);
}

static void test_a_text_that_is_too_long_ends_in_dots(void)
{
    char text[PRB_CHANGE_TEXT_MAX + 100];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = '\0';
    prb_changes_wait(&changes, "%s", text);
    TEST_ASSERT_EQUAL_size_t(PRB_CHANGE_TEXT_MAX, strlen(changes.waits_for));
    TEST_ASSERT_EQUAL_STRING("x...", changes.waits_for + PRB_CHANGE_TEXT_MAX - 4);
    prb_changes_wait(&changes, "%s", text + 103);
    TEST_ASSERT_EQUAL_size_t(PRB_CHANGE_TEXT_MAX - 4, strlen(changes.waits_for));
    TEST_ASSERT_NULL(strchr(changes.waits_for, '.'));
}

static void test_moved_changes_come_after_those_that_were_there(void)
{
    struct prb_changes more;

    prb_changes_init(&more);
    prb_changes_expect_absent(&changes, &ref, "first");
    prb_changes_again(&changes, 300);
    prb_changes_wait(&changes, "ours");
    for (int i = 0; i < 20; i++)
        prb_changes_expect_none(&more, &ref.gvr, "ns", "then");
    prb_changes_again(&more, 200);
    prb_changes_wait(&more, "theirs");
    prb_changes_move(&changes, &more);
    TEST_ASSERT_EQUAL_size_t(21, changes.count);
    TEST_ASSERT_EQUAL_STRING("first", changes.items[0].why);
    TEST_ASSERT_EQUAL_INT(PRB_CHANGE_EXPECT_NONE, changes.items[20].type);
    TEST_ASSERT_EQUAL_STRING("ns", changes.items[20].ref.namespace);
    TEST_ASSERT_EQUAL_STRING("", changes.items[20].ref.name);
    TEST_ASSERT_EQUAL_INT64(200, changes.again_after_ms);
    TEST_ASSERT_EQUAL_STRING("ours", changes.waits_for);
    TEST_ASSERT_EQUAL_size_t(0, more.count);
    TEST_ASSERT_NULL(more.waits_for);
    prb_changes_done(&more);
}

static void expect_none_anywhere(void *ctx)
{
    prb_changes_expect_none(&changes, &ref.gvr, ctx, "test");
}

static void test_a_namespace_without_a_name_ends_the_process(void)
{
    static char empty[1], too_long[PRB_NAMESPACE_SIZE + 1];
    char words[256];

    memset(too_long, 'a', sizeof(too_long) - 1);
    TEST_ASSERT_TRUE(prb_test_aborts(expect_none_anywhere, empty, words, sizeof(words)));
    TEST_ASSERT_TRUE(prb_test_aborts(expect_none_anywhere, too_long, words, sizeof(words)));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_changes_keep_their_order_and_their_preconditions);
    RUN_TEST(test_a_delete_without_a_uid_ends_the_process);
    RUN_TEST(test_finalizers_are_patched_only_where_it_is_needed);
    RUN_TEST(test_an_event_says_what_it_regards);
    RUN_TEST(test_an_event_on_bare_metadata_does_not_claim_a_kind);
    RUN_TEST(test_the_shortest_time_to_look_again_holds);
    RUN_TEST(test_the_last_word_on_what_it_waits_for_holds);
    RUN_TEST(test_a_text_that_is_too_long_ends_in_dots);
    RUN_TEST(test_moved_changes_come_after_those_that_were_there);
    RUN_TEST(test_a_namespace_without_a_name_ends_the_process);
    return UNITY_END();
}

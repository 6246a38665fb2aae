/* Which versions has a pass written over, and is it noticed that the cache still shows one? */

#include <unity.h>

#include "probate/base/str.h"

#include "echo.h"
#include "support/json_text.h"

static const struct prb_gvr gvr = { "", "v1", "configmaps" };
static struct prb_store *store;
static struct prb_echo echo;
static struct prb_changes changes;
static struct json_object *tree; /* what the pass has left */
static struct prb_ref ref;

/* The cache shows "a" in this version, with more metadata. */
static void show_with(const char *version, const char *more)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;
    struct json_object *body = prb_test_json(
            "{'metadata':{'namespace':'ns','name':'a','uid':'u','resourceVersion':'%s'%s}}",
            version, more);

    TEST_ASSERT_EQUAL_INT(0, prb_object_new(body, &object, &err));
    (void)prb_store_put(store, object);
}

/* NULL: not at all. */
static void show(const char *version)
{
    if (version)
        show_with(version, "");
    else
        (void)prb_store_remove(store, "ns", "a");
}

void setUp(void)
{
    store = prb_store_new(&gvr);
    prb_store_set_synced(store);
    prb_echo_init(&echo);
    prb_changes_init(&changes);
    TEST_ASSERT_TRUE(prb_ref_init(&ref, &gvr, "ns", "a"));
    show("1");
}

void tearDown(void)
{
    prb_json_free(prb_take(tree));
    prb_changes_done(&changes);
    prb_echo_done(&echo);
    prb_store_unref(store);
}

/* A round with one change, decided on what the cache shows. */
static void decide(void)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_view_open(&store, 1, 0);

    prb_echo_see(&echo, view, &changes);
}

static void patch(const char *expected)
{
    prb_changes_done(&changes);
    prb_changes_init(&changes);
    prb_changes_merge_patch(&changes, &ref, json_object_new_object(), NULL, expected, "test");
    decide();
}

static void answer(int code, const char *version)
{
    prb_echo_hear(&echo, &changes.items[0], code, version);
}

static void end(void)
{
    tree = prb_echo_take(&echo, 1000);
}

static int64_t wait_at(int64_t mono_ms)
{
    prb_auto(prb_view_close) struct prb_view *view = prb_view_open(&store, 1, 0);

    return prb_echo_wait_ms(tree, view, mono_ms);
}

static void test_what_was_written_over_is_old(void)
{
    patch("1");
    answer(PRB_OK, "2");
    end();
    TEST_ASSERT_EQUAL_INT64(PRB_ECHO_WAIT_MS, wait_at(1000));
    TEST_ASSERT_EQUAL_INT64(1, wait_at(1000 + PRB_ECHO_WAIT_MS - 1));
    TEST_ASSERT_EQUAL_INT64_MESSAGE(0, wait_at(1000 + PRB_ECHO_WAIT_MS), "not for ever");
    show("2");
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

/* Somebody else has written since, or it is gone: that is news. */
static void test_what_others_have_done_is_news(void)
{
    patch("1");
    answer(PRB_OK, "2");
    end();
    show("3");
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
    show(NULL);
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

static void test_what_changed_nothing_has_no_echo(void)
{
    patch(NULL);
    answer(PRB_OK, "1");
    end();
    TEST_ASSERT_NULL(tree);
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

/* Two writes of one pass: what the first has left is old, too. */
static void test_all_but_the_last_version_is_old(void)
{
    patch("1");
    answer(PRB_OK, "2");
    patch(NULL);
    answer(PRB_OK, "3");
    end();
    TEST_ASSERT_NOT_EQUAL(0, wait_at(1000));
    show("2");
    TEST_ASSERT_NOT_EQUAL(0, wait_at(1000));
    show("3");
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

/* The second one changes nothing: what the first has left is the last version. */
static void test_a_repetition_makes_nothing_old(void)
{
    patch("1");
    answer(PRB_OK, "2");
    patch(NULL);
    answer(PRB_OK, "2");
    end();
    TEST_ASSERT_NOT_EQUAL(0, wait_at(1000));
    show("2");
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

static void test_a_conflict_over_what_the_cache_shows_says_that_it_is_old(void)
{
    patch("1");
    answer(PRB_E_CONFLICT, NULL);
    end();
    TEST_ASSERT_EQUAL_INT64_MESSAGE(PRB_ECHO_REFUSED_WAIT_MS, wait_at(1000), "it may be wrong");
    show("2");
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

/* Nothing was written by what changed nothing: a refusal is no more certain for it. */
static void test_a_refusal_after_a_repetition_is_a_refusal(void)
{
    patch("1");
    answer(PRB_OK, "1");
    answer(PRB_E_CONFLICT, NULL);
    end();
    TEST_ASSERT_EQUAL_INT64(PRB_ECHO_REFUSED_WAIT_MS, wait_at(1000));
}

/* Of a version that was read live, or without one: the cache may be as new as it gets. */
static void test_other_refusals_say_nothing_of_the_cache(void)
{
    patch("5");
    answer(PRB_E_CONFLICT, NULL);
    patch(NULL);
    answer(PRB_E_CONFLICT, NULL);
    answer(PRB_E_FORBIDDEN, NULL);
    answer(PRB_E_IO, NULL);
    end();
    TEST_ASSERT_NULL(tree);
}

static void test_what_was_deleted_is_old(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = prb_store_get(store, "ns", "a");

    prb_changes_delete(&changes, &ref, object, PRB_PROPAGATE_BACKGROUND, "test");
    decide();
    answer(PRB_OK, NULL);
    end();
    TEST_ASSERT_NOT_EQUAL(0, wait_at(1000));
    show(NULL);
    TEST_ASSERT_EQUAL_INT64(0, wait_at(1000));
}

/* Nothing need happen to it any more. */
static void test_what_is_deleting_already_has_no_echo(void)
{
    prb_auto(prb_object_unref) struct prb_object *object = NULL;

    show_with("1", ",'deletionTimestamp':'2026-01-01T00:00:00Z'");
    object = prb_store_get(store, "ns", "a");
    prb_changes_delete(&changes, &ref, object, PRB_PROPAGATE_BACKGROUND, "test");
    prb_changes_event(&changes, &ref, object, false, "Test", "it is still there");
    decide();
    answer(PRB_OK, NULL);
    end();
    TEST_ASSERT_NULL(tree);
}

/* What the cache does not have cannot be seen to change there. */
static void test_what_is_not_cached_has_no_echo(void)
{
    show(NULL);
    patch("1");
    answer(PRB_OK, "2");
    end();
    TEST_ASSERT_NULL(tree);
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_was_written_over_is_old);
    RUN_TEST(test_what_others_have_done_is_news);
    RUN_TEST(test_what_changed_nothing_has_no_echo);
    RUN_TEST(test_all_but_the_last_version_is_old);
    RUN_TEST(test_a_repetition_makes_nothing_old);
    RUN_TEST(test_a_conflict_over_what_the_cache_shows_says_that_it_is_old);
    RUN_TEST(test_a_refusal_after_a_repetition_is_a_refusal);
    RUN_TEST(test_other_refusals_say_nothing_of_the_cache);
    RUN_TEST(test_what_was_deleted_is_old);
    RUN_TEST(test_what_is_deleting_already_has_no_echo);
    RUN_TEST(test_what_is_not_cached_has_no_echo);
    return UNITY_END();
}

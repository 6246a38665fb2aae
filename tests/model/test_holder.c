#include <string.h>
#include <unity.h>

#include "probate/model/holder.h"

#include "support/json_text.h"

void setUp(void)
{
}

void tearDown(void)
{
}

/* 2026-01-02T03:04:05Z */
#define NOW INT64_C(1767323045000)

static void add(struct prb_holders *holders, const char *namespace, const char *name,
        const char *deleted_at)
{
    struct json_object *tree =
            prb_test_json("{'metadata':{'name':'%s','namespace':'%s'}}", name, namespace);
    prb_auto(prb_object_unref) struct prb_object *object = NULL;
    struct prb_error err;

    prb_json_set_str(prb_json_obj(tree, "metadata"), "deletionTimestamp", deleted_at);
    (void)prb_object_new(tree, &object, &err);
    prb_holders_add(holders, object);
}

static const char *text_of(const struct prb_holders *holders)
{
    static char copy[8192];
    prb_auto(prb_str_done) struct prb_str text;

    prb_str_init(&text, sizeof(copy) - 1);
    prb_holders_text(holders, NOW, &text);
    (void)prb_copy(copy, sizeof(copy), prb_str_get(&text));
    return copy;
}

static void test_the_longest_deleting_comes_first_and_the_rest_by_name(void)
{
    struct prb_holders holders = { .count = 0 };

    add(&holders, "team-b", "y", NULL);
    add(&holders, "team-a", "x", "2026-01-02T03:01:05Z");
    add(&holders, "team-a", "z", NULL);
    add(&holders, "", "w", "2026-01-02T03:00:05Z");
    TEST_ASSERT_EQUAL_size_t(4, holders.count);
    TEST_ASSERT_EQUAL_STRING("w (being deleted for 4m), team-a/x (being deleted for 3m), "
                             "team-a/z (not being deleted), team-b/y (not being deleted)",
            text_of(&holders));
}

/* In whichever order they are found: a page of a list has none to rely on. */
static void test_five_are_kept_and_it_is_told_that_there_are_more(void)
{
    static const char *const orders[] = { "123456", "654321", "361524", "612345" };

    for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
        struct prb_holders holders = { .count = 0 };

        for (const char *at = orders[i]; *at; at++)
            add(&holders, "ns", (char[]){ *at, '\0' }, *at == '5' ? "2026-01-02T03:04:04Z" : NULL);
        TEST_ASSERT_EQUAL_size_t(PRB_HOLDERS_MAX, holders.count);
        TEST_ASSERT_TRUE(holders.more);
        TEST_ASSERT_EQUAL_STRING_MESSAGE(
                "ns/5 (being deleted for 1s), ns/1 (not being deleted), ns/2 (not being deleted), "
                "ns/3 (not being deleted), ns/4 (not being deleted) and more",
                text_of(&holders), orders[i]);
    }
}

static void test_a_time_that_is_unreadable_or_to_come_is_no_age(void)
{
    struct prb_holders holders = { .count = 0 };

    add(&holders, "a", "odd", "yesterday");
    add(&holders, "a", "ahead", "2026-01-02T03:04:06Z");
    add(&holders, "a", "live", NULL);
    TEST_ASSERT_EQUAL_STRING(
            "a/ahead (being deleted), a/odd (being deleted), a/live (not being deleted)",
            text_of(&holders));
}

static void test_a_name_that_does_not_fit_is_counted_all_the_same(void)
{
    struct prb_holders holders = { .count = 0 };
    char name[PRB_NAME_SIZE + 1];

    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    add(&holders, "a", name, NULL);
    TEST_ASSERT_TRUE(holders.more);
    TEST_ASSERT_EQUAL_STRING("some", text_of(&holders));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_the_longest_deleting_comes_first_and_the_rest_by_name);
    RUN_TEST(test_five_are_kept_and_it_is_told_that_there_are_more);
    RUN_TEST(test_a_time_that_is_unreadable_or_to_come_is_no_age);
    RUN_TEST(test_a_name_that_does_not_fit_is_counted_all_the_same);
    return UNITY_END();
}

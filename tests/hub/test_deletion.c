/* What does a DELETE make of an object, and what does removing its finalizers? */

#include <string.h>

#include "world.h"

#define WIDGETS "widgets.example.io"

void setUp(void)
{
    world_init(NULL);
    (void)create_widgets();
}

void tearDown(void)
{
    world_done();
}

static int create_widget(const char *name, const char *finalizers)
{
    return create(WIDGETS,
            "{'apiVersion':'example.io/v1','kind':'Widget','metadata':{'namespace':'ns','name':"
            "'%s','finalizers':[%s]}}",
            name, finalizers);
}

static const char *finalizers(void)
{
    return text_at(WIDGETS, "ns/a", "/metadata/finalizers");
}

static void test_an_object_without_finalizers_is_removed(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widget("a", ""));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_FALSE(has(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(PRB_E_NOTFOUND, erase(WIDGETS, "ns/a"));
}

static void test_finalizers_hold_an_object_that_is_marked(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widget("a", "'x.io/1','x.io/2'"));
    prb_fake_clock_advance(&w.clock, 5000);
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING(
            "\"2026-01-01T00:00:05Z\"", text_at(WIDGETS, "ns/a", "/metadata/deletionTimestamp"));
    TEST_ASSERT_EQUAL_STRING("0", text_at(WIDGETS, "ns/a", "/metadata/deletionGracePeriodSeconds"));
    TEST_ASSERT_EQUAL_STRING("2", text_at(WIDGETS, "ns/a", "/metadata/generation"));
}

static void test_a_second_delete_changes_nothing(void)
{
    const char *version;

    TEST_ASSERT_EQUAL_INT(0, create_widget("a", "'x.io/1'"));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    version = text_at(WIDGETS, "ns/a", "/metadata/resourceVersion");
    prb_fake_clock_advance(&w.clock, 5000);
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING(version, text_at(WIDGETS, "ns/a", "/metadata/resourceVersion"));
}

static void test_the_last_finalizer_lets_it_go(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widget("a", "'x.io/1','x.io/2'"));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':['x.io/2']}}"));
    TEST_ASSERT_TRUE(has(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':null}}"));
    TEST_ASSERT_EQUAL_STRING("-", got_at("/metadata/finalizers"));
    TEST_ASSERT_FALSE(has(WIDGETS, "ns/a"));
}

static void test_finalizers_of_a_live_object_may_come_and_go(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widget("a", "'x.io/1'"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/a", "", "{'metadata':{'finalizers':[]}}"));
    TEST_ASSERT_TRUE(has(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("-", finalizers());
}

static void test_preconditions_are_checked(void)
{
    struct prb_ref ref = ref_of(WIDGETS, "ns/a");
    struct prb_delete_options options = { .uid = "other" };

    TEST_ASSERT_EQUAL_INT(0, create_widget("a", ""));
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, prb_api_delete(w.api, &ref, &options, &w.err));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "the UID in the precondition (other)"));
    options.uid = uid_of(WIDGETS, "ns/a");
    options.resource_version = "1";
    TEST_ASSERT_EQUAL_INT(PRB_E_CONFLICT, prb_api_delete(w.api, &ref, &options, &w.err));
    TEST_ASSERT_NOT_NULL(strstr(w.err.msg, "the ResourceVersion in the precondition (1)"));
    TEST_ASSERT_TRUE(has(WIDGETS, "ns/a"));
    options.resource_version = prb_object_resource_version(w.got);
    TEST_ASSERT_EQUAL_INT(0, prb_api_delete(w.api, &ref, &options, &w.err));
}

static void test_the_policy_can_change_while_something_else_holds(void)
{
    static const struct {
        enum prb_propagation policy;
        const char *finalizers;
    } cases[] = {
        { PRB_PROPAGATE_BACKGROUND, "[\"x.io/1\"]" },
        { PRB_PROPAGATE_DEFAULT, "[\"x.io/1\"]" },
    };

    TEST_ASSERT_EQUAL_INT(0, create_widget("a", "'x.io/1'"));
    TEST_ASSERT_EQUAL_INT(0, create_widget("b", "'x.io/1'"));
    TEST_ASSERT_EQUAL_INT(0, merge(WIDGETS, "ns/b", "", "{'metadata':{'ownerReferences':[%s]}}",
                                     owned_by(WIDGETS, "Widget", "ns/a", true)));
    w.cascade = PRB_PROPAGATE_FOREGROUND;
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("[\"x.io/1\",\"foregroundDeletion\"]", finalizers());
    w.cascade = PRB_PROPAGATE_DEFAULT;
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("[\"x.io/1\",\"foregroundDeletion\"]", finalizers());
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        w.cascade = cases[i].policy;
        TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
        TEST_ASSERT_EQUAL_STRING(cases[i].finalizers, finalizers());
    }
}

static void test_a_dry_run_of_a_delete_leaves_no_trace(void)
{
    TEST_ASSERT_EQUAL_INT(0, create_widget("a", ""));
    TEST_ASSERT_EQUAL_INT(0, create_widget("b", "'x.io/1'"));
    w.dry_run = true;
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_INT(0, erase(WIDGETS, "ns/b"));
    TEST_ASSERT_TRUE(has(WIDGETS, "ns/a"));
    TEST_ASSERT_EQUAL_STRING("-", text_at(WIDGETS, "ns/b", "/metadata/deletionTimestamp"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_an_object_without_finalizers_is_removed);
    RUN_TEST(test_finalizers_hold_an_object_that_is_marked);
    RUN_TEST(test_a_second_delete_changes_nothing);
    RUN_TEST(test_the_last_finalizer_lets_it_go);
    RUN_TEST(test_finalizers_of_a_live_object_may_come_and_go);
    RUN_TEST(test_preconditions_are_checked);
    RUN_TEST(test_the_policy_can_change_while_something_else_holds);
    RUN_TEST(test_a_dry_run_of_a_delete_leaves_no_trace);
    return UNITY_END();
}

/* Is a collection that objects name found, read, and left alone again? */

#include <unity.h>

#include "support/informers.h"
#include "wanted_world.h"

#define WIDGETS "widgets.v1.example.com"

void setUp(void)
{
    wanted_init();
}

void tearDown(void)
{
    wanted_done();
}

static void test_what_an_object_names_is_read_and_followed(void)
{
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    put_widget("example.com", "w2");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w2"));
    remove_object("example.com", "widgets", "ns", "w1");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w2"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list widgets"));
}

static void test_a_collection_is_read_once_whatever_it_is_called(void)
{
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets,example.com/WIDGETS");
    name_collections("b", "example.com/Widget");
    name_collections("c", "example.com/wd");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1; present " WIDGETS ": w1"));
    TEST_ASSERT_CAME(comes_to("b", "present " WIDGETS ": w1"));
    TEST_ASSERT_CAME(comes_to("c", "present " WIDGETS ": w1"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list widgets"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));

    /* It goes on as long as one of them is left. */
    remove_object("", "configmaps", "ns", "a");
    remove_object("", "configmaps", "ns", "b");
    put_widget("example.com", "w2");
    TEST_ASSERT_CAME(comes_to("c", "present " WIDGETS ": w1 w2"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list widgets"));
}

static void test_a_collection_that_nobody_names_any_more_is_left_alone(void)
{
    define_widgets("example.com", "v1");
    TEST_ASSERT_TRUE(wanted_start());
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));
    name_collections("a", "/secrets");
    TEST_ASSERT_CAME(comes_to("a", "present secrets.v1.:"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 0));
    TEST_ASSERT_CAME(watches_come_to("secrets", 1));
    remove_object("", "configmaps", "ns", "a");
    TEST_ASSERT_CAME(watches_come_to("secrets", 0));

    /* And read anew when it is named anew. */
    put_widget("example.com", "w1");
    name_collections("b", "example.com/widgets");
    TEST_ASSERT_CAME(comes_to("b", "present " WIDGETS ": w1"));
}

static void test_a_kind_that_comes_later_is_found(void)
{
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "absent"));
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "list widgets"));
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 4));
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
}

/* A call is noticed one step of the clock late at most. */
static void test_what_is_not_found_is_asked_for_every_second_and_later_every_ten(void)
{
    int64_t before;

    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 1));
    before = passed_ms();
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 6));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(4800, passed_ms() - before);
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 14));
    before = passed_ms();
    TEST_ASSERT_CAME(calls_come_to("resolve widgets", 16));
    TEST_ASSERT_GREATER_OR_EQUAL_INT64(19800, passed_ms() - before);
}

/* Time stands still: only the event of the definition can be the reason. */
static void test_a_definition_that_changes_is_a_reason_to_look_at_once(void)
{
    wanted_also_watch("apiextensions.k8s.io", "customresourcedefinitions");
    name_collections("a", "example.com/widgets,other.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(fault_port_wait(&world.port, "resolve widgets", 2));
    define_widgets("example.com", "v1");
    TEST_ASSERT_CAME(fault_port_wait(&world.port, "watch widgets", 1));
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ":; absent"));
}

static void test_a_definition_that_goes_and_comes_again_is_noticed(void)
{
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    undefine_widgets("example.com");
    TEST_ASSERT_CAME(comes_to_within("a", "absent", 10000));
    TEST_ASSERT_CAME(watches_come_to("widgets", 0));
    define_widgets("example.com", "v1");
    put_widget("example.com", "w2");
    TEST_ASSERT_CAME(comes_to_within("a", "present " WIDGETS ": w2", 15000));
}

static void test_a_version_that_is_preferred_now_is_read_instead(void)
{
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    define_widgets("example.com", "v2,v1");
    TEST_ASSERT_CAME(comes_to("a", "present widgets.v2.example.com: w1"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));
}

static void test_what_the_reconciler_reads_anyhow_is_not_read_twice(void)
{
    wanted_also_watch("", "secrets");
    name_collections("a", "/Secret,/configmaps");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present secrets.v1.:; present configmaps.v1.: a"));
    prb_object_unref(
            put("secrets", "{apiVersion: v1, kind: Secret, metadata: {namespace: ns, name: s}}"));
    TEST_ASSERT_CAME(comes_to("a", "present secrets.v1.: s; present configmaps.v1.: a"));
    name_collections("b", "");
    TEST_ASSERT_CAME(comes_to("a", "present secrets.v1.: s; present configmaps.v1.: a b"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list secrets"));
    TEST_ASSERT_EQUAL_INT(1, fault_port_count(&world.port, "list configmaps"));
}

static void test_nothing_is_read_before_the_start_or_after_the_stop(void)
{
    struct prb_error err;

    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_EQUAL_INT(0, prb_informers_start(informers, &err));
    TEST_ASSERT_CAME(prb_test_await_synced(informers, PRB_TEST_SOON_MS));
    pass(2000);
    TEST_ASSERT_EQUAL_INT(0, fault_port_count(&world.port, "resolve"));
    for (int i = 1; i <= 3; i++) {
        TEST_ASSERT_EQUAL_INT(0, prb_runner_start(runner, &err));
        TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
        prb_runner_stop(runner);
        TEST_ASSERT_CAME(watches_come_to("widgets", 0));
        TEST_ASSERT_EQUAL_INT(i, fault_port_count(&world.port, "list widgets"));
        forget_notes();
    }
}

static void test_readiness_waits_for_nothing_that_is_named(void)
{
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "absent"));
    TEST_ASSERT_TRUE(prb_informers_synced(informers));
}

static void add_line(void *ctx, const char *controller, const struct prb_known_resource *known,
        bool read, size_t objects)
{
    prb_str_addf(ctx, "%s %s/%s %d %s %zu\n", controller, known->group, known->name,
            (int)known->state, read ? "read" : "unread", objects);
}

static void test_what_became_of_each_is_told(void)
{
    prb_auto(prb_str_done) struct prb_str lines;

    prb_str_init(&lines, 4096);
    define_widgets("example.com", "v1");
    put_widget("example.com", "w1");
    name_collections("a", "example.com/widgets");
    prb_runner_each_wanted(runner, add_line, &lines);
    TEST_ASSERT_EQUAL_STRING("", prb_str_get(&lines));
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    prb_runner_each_wanted(runner, add_line, &lines);
    TEST_ASSERT_EQUAL_STRING("wanting example.com/widgets 2 read 1\n", prb_str_get(&lines));
}

static void test_bodies_are_read_where_they_are_wanted_and_only_what_is_kept(void)
{
    define_widgets("example.com", "v1");
    put_widget_naming("example.com", "w1", "/secrets");
    name_whole_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w1=/secrets"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));
}

static void test_what_bodies_name_is_read_too_and_left_alone_again(void)
{
    define_widgets("example.com", "v1");
    put_widget_naming("example.com", "w1", "/secrets");
    name_whole_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(watches_come_to("secrets", 1));
    put_widget_naming("example.com", "w2", "/services");
    TEST_ASSERT_CAME(watches_come_to("services", 1));
    remove_object("example.com", "widgets", "ns", "w1");
    TEST_ASSERT_CAME(watches_come_to("secrets", 0));
    TEST_ASSERT_CAME(watches_come_to("services", 1));
}

static void test_who_wants_more_gets_it_for_all(void)
{
    define_widgets("example.com", "v1");
    put_widget_naming("example.com", "w1", "/secrets");
    name_collections("a", "example.com/widgets");
    TEST_ASSERT_TRUE(wanted_start());
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1"));
    name_whole_collections("b", "example.com/wd");
    TEST_ASSERT_CAME(comes_to("b", "present " WIDGETS ": w1 w1=/secrets"));
    TEST_ASSERT_CAME(comes_to("a", "present " WIDGETS ": w1 w1=/secrets"));
    TEST_ASSERT_CAME(watches_come_to("widgets", 1));

    /* Who wants less does not take it away. */
    put_widget("example.com", "w2");
    name_collections("c", "example.com/Widget");
    TEST_ASSERT_CAME(comes_to("c", "present " WIDGETS ": w1 w2 w1=/secrets"));
}

int main(void)
{
    UNITY_BEGIN();
    RUN_TEST(test_what_an_object_names_is_read_and_followed);
    RUN_TEST(test_a_collection_is_read_once_whatever_it_is_called);
    RUN_TEST(test_a_collection_that_nobody_names_any_more_is_left_alone);
    RUN_TEST(test_a_kind_that_comes_later_is_found);
    RUN_TEST(test_what_is_not_found_is_asked_for_every_second_and_later_every_ten);
    RUN_TEST(test_a_definition_that_changes_is_a_reason_to_look_at_once);
    RUN_TEST(test_a_definition_that_goes_and_comes_again_is_noticed);
    RUN_TEST(test_a_version_that_is_preferred_now_is_read_instead);
    RUN_TEST(test_what_the_reconciler_reads_anyhow_is_not_read_twice);
    RUN_TEST(test_nothing_is_read_before_the_start_or_after_the_stop);
    RUN_TEST(test_readiness_waits_for_nothing_that_is_named);
    RUN_TEST(test_what_became_of_each_is_told);
    RUN_TEST(test_bodies_are_read_where_they_are_wanted_and_only_what_is_kept);
    RUN_TEST(test_what_bodies_name_is_read_too_and_left_alone_again);
    RUN_TEST(test_who_wants_more_gets_it_for_all);
    return UNITY_END();
}
